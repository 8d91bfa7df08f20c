import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Element, Window } from "happy-dom";
import type { Plugin } from "vite";
import { png } from "../png";

/* A document for Node in which figures can be drawn: with style sheets, and canvases that store one image. */

/** The properties of the global object that figures use. */
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
  /** Styles of the children, by tag name and attributes. */
  readonly alike: Map<string, Style>;
  readonly backgroundColor: string;
  getPropertyValue(name: string): string;
}

/** Attributes that no selector of a style sheet mentions. */
const geometry = /^(?:d|points|transform|viewBox|[cr]?[xy][12]?|r|width|height|aria-.*)$/;

/**
 * Computes styles. Each takes a millisecond, and a drawing has hundreds of similar elements: children of one parent with
 * the same name and attributes share theirs until the current task ends, that is while one drawing is written.
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

/** Makes a new document the global one; `close` restores the global object. */
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
    /** Resolves when no timer or frame is pending. */
    rest: () => window.happyDOM.waitUntilComplete(),
    async close() {
      await window.happyDOM.close();
      for (const [name, descriptor] of before)
        if (descriptor) Object.defineProperty(globalThis, name, descriptor);
        else Reflect.deleteProperty(globalThis, name);
    },
  };
}

/** Ends the build when a figure reports an error. */
function reportError(error: unknown): void {
  throw error;
}

/** Matches selectors that depend on an element's siblings. */
const placed = /:(?:first|last|nth|only)-|[+~]/;

/** Matches declarations that change a drawing. */
const drawn = /(?:^|[\s;{])(?:--|fill|stroke|paint-order|opacity|font|text-anchor|dominant-baseline|background)/;

/**
 * Reads a style sheet with its imports in the light theme, since happy-dom does not support light-dark(). Rules that change
 * no drawing are left out: each rule costs time for each element.
 */
const sheet = (path: string): string =>
  readFileSync(path, "utf8")
    .replace(/@import "(.*?)";/g, (_, name: string) => sheet(join(dirname(path), name)))
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/([^{};]+)(\{[^{}]*\})/g, (rule, selector: string, body: string) => {
      if (!drawn.test(body)) return "";
      if (/\/(?:draw|panels)\//.test(path) && placed.test(selector))
        throw new Error(`${path}: ${selector.trim()}: elements with the same attributes share their style`);
      return rule;
    })
    .replace(/light-dark\(([^,]+),[^)]+\)/g, "$1");

/** Puts the style sheets that modules import into the document, in that order. */
export const styles: Plugin = {
  name: "styles",
  enforce: "pre",
  async resolveId(source, importer) {
    // Another name keeps the plugins for .css files away.
    const found = source.endsWith(".css") ? await this.resolve(source, importer, { skipSelf: true }) : null;
    return found?.id.replace(/^(.*)\.css$/, "\0style:$1");
  },
  load(id) {
    if (!id.startsWith("\0style:")) return undefined;
    // happy-dom takes no colour from a shorthand with a variable.
    const text = sheet(id.replace(/^.*?:(.*)$/, "$1.css")).replace(
      /background: (var\([^)]*\));/g,
      "background: $1; background-color: $1;",
    );
    return `const style = document.createElement("style");
      style.textContent = ${JSON.stringify(text)};
      document.head.append(style);`;
  },
};
