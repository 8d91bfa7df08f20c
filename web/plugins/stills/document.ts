import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Element, Window } from "happy-dom";
import type { Plugin } from "vite";
import { png } from "../png";

/*
 * What figures need of a browser, in Node: a document with style sheets, and canvases that hold one image.
 */

/** What they take from the global object. */
const names = [
  "document",
  "navigator",
  "matchMedia",
  "addEventListener",
  "requestAnimationFrame",
  "IntersectionObserver",
  "XMLSerializer",
] as const;

class ImageData {
  readonly data: Uint8ClampedArray;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.data = new Uint8ClampedArray(4 * width * height);
  }
}

const images = new WeakMap<object, ImageData>();

function drawOn(canvases: object): void {
  Object.assign(canvases, {
    getContext(this: object) {
      return { putImageData: (image: ImageData) => images.set(this, image) };
    },
    toDataURL(this: object) {
      const image = images.get(this);
      if (!image) throw new Error("a canvas without an image");
      return `data:image/png;base64,${png(image.width, image.height, image.data).toString("base64")}`;
    },
  });
}

interface Style {
  /** The styles of parts inside, by what they are. */
  readonly alike: Map<string, Style>;
  readonly backgroundColor: string;
  getPropertyValue(name: string): string;
}

/** Attributes by which no style sheet selects. */
const geometry = /^(?:d|points|transform|viewBox|[cr]?[xy][12]?|r|width|height|aria-.*)$/;

/**
 * Computed styles. Asking for one takes a millisecond, and drawings have hundreds of parts alike: those of one parent with
 * the same name and attributes share theirs, kept while a drawing is written, without interruption.
 */
function computedStyles(window: Window) {
  let known = new Map<Element, Style>();
  function kept(element: Element): Style {
    const style = window.getComputedStyle(element);
    const values = new Map<string, string>();
    return {
      alike: new Map<string, Style>(),
      get backgroundColor() {
        return style.backgroundColor;
      },
      getPropertyValue(name: string): string {
        const value = values.get(name) ?? style.getPropertyValue(name);
        values.set(name, value);
        return value;
      },
    };
  }
  function styleOf(element: Element): Style {
    const found = known.get(element);
    if (found) return found;
    const attributes = [...element.attributes].filter(({ name }) => !geometry.test(name));
    const key = [element.tagName, ...attributes.map(({ name, value }) => `${name}=${value}`)].join(" ");
    const alike = element.parentElement ? styleOf(element.parentElement).alike : new Map<string, Style>();
    const style = alike.get(key) ?? kept(element);
    alike.set(key, style);
    known.set(element, style);
    return style;
  }
  return (element: Element) => {
    if (known.size === 0)
      queueMicrotask(() => {
        known = new Map();
      });
    return styleOf(element);
  };
}

/** Makes a document the global one; `close` puts everything back. */
export function openDocument() {
  const window = new Window({ settings: { device: { prefersReducedMotion: "reduce" } } });
  drawOn(window.HTMLCanvasElement.prototype);
  const bound = (name: (typeof names)[number]): unknown => {
    const value: unknown = window[name];
    return typeof value === "function" && /^[a-z]/.test(name) ? value.bind(window) : value;
  };
  const getComputedStyle = computedStyles(window);
  const globals = {
    window,
    ImageData,
    reportError,
    getComputedStyle,
    ...Object.fromEntries(names.map((name) => [name, bound(name)])),
  };
  const before = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return {
    /** Resolves when nothing waits for a timer or a frame. */
    rest: () => window.happyDOM.waitUntilComplete(),
    async close() {
      await window.happyDOM.close();
      for (const [name, descriptor] of before)
        if (descriptor) Object.defineProperty(globalThis, name, descriptor);
        else Reflect.deleteProperty(globalThis, name);
    },
  };
}

/** What a figure cannot recover from ends the build. */
function reportError(error: unknown): void {
  throw error;
}

/** Selectors that ask where something stands among others. */
const placed = /:(?:first|last|nth|only)-|[+~]/;

/** What a drawing takes from style sheets. */
const drawn = /(?:^|[\s;{])(?:--|fill|stroke|paint-order|opacity|font|text-anchor|dominant-baseline|background)/;

/**
 * A style sheet with its imports, as the light theme has it: this document knows no light-dark(). Each rule takes time for
 * each part of a drawing, so others are left out.
 */
const sheet = (path: string): string =>
  readFileSync(path, "utf8")
    .replace(/@import "(.*?)";/g, (_, name: string) => sheet(join(dirname(path), name)))
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/([^{};]+)(\{[^{}]*\})/g, (rule, selector: string, body: string) => {
      if (!drawn.test(body)) return "";
      if (/\/(?:draw|panels)\//.test(path) && placed.test(selector))
        throw new Error(`${path}: ${selector.trim()}: parts that look alike share their style`);
      return rule;
    })
    .replace(/light-dark\(([^,]+),[^)]+\)/g, "$1");

/** Puts the style sheets that modules import into the document, in that order. */
export const styles: Plugin = {
  name: "styles",
  enforce: "pre",
  async resolveId(source, importer) {
    // Under another name, which other plugins leave alone.
    const found = source.endsWith(".css") ? await this.resolve(source, importer, { skipSelf: true }) : null;
    return found?.id.replace(/^(.*)\.css$/, "\0style:$1");
  },
  load(id) {
    if (!id.startsWith("\0style:")) return undefined;
    // Nor does it take a colour from a shorthand with a variable.
    const text = sheet(id.replace(/^.*?:(.*)$/, "$1.css")).replace(
      /background: (var\([^)]*\));/g,
      "background: $1; background-color: $1;",
    );
    return `const style = document.createElement("style");
      style.textContent = ${JSON.stringify(text)};
      document.head.append(style);`;
  },
};
