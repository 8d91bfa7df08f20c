import { effect, untracked } from "@preact/signals-core";
import { html, render } from "lit-html";
import { language, text } from "../i18n";
import { put, type Row } from "../state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

/* A figure a screen, for a class: the page's own figures, in their state, with everything else out of sight. */

/** Where keys lead; clickers of lecturers send Page Up and Page Down. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  PageUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
  PageDown: 1,
};

/** A figure is at most so many times as large as on the page. */
const largest = 2;

/** Makes a figure as large as its part of the screen allows. What is drawn follows its width, so this is done step by step. */
function fit(slide: HTMLElement): () => void {
  const figure = slide.querySelector("figure");
  if (!figure) return () => {};
  let zoom = 1;
  let tries = 6;
  const again = new ResizeObserver(() => {
    const high = figure.getBoundingClientRect().bottom - slide.getBoundingClientRect().top + slide.scrollTop;
    const next = Math.max(1, Math.min(largest, (zoom * (slide.clientHeight - 16)) / high));
    if (Math.abs(next - zoom) < 0.02 || tries-- === 0) return;
    zoom = next;
    figure.style.setProperty("--zoom", String(zoom));
  });
  again.observe(figure);
  return () => {
    again.disconnect();
    figure.style.removeProperty("--zoom");
  };
}

interface Deck {
  /** Which slide is shown: an element's id, or none. */
  readonly row: Row<string>;
  readonly ids: readonly string[];
  /** Has a slide drawn, and those that may come next. */
  readonly open: (id: string) => Promise<unknown>;
  /** Leads to a figure on the page, once the slides have ended. */
  readonly leave: (id: string) => void;
}

/** Shows slides from now on, whenever the row names one of them. */
export function slides({ row, ids, open, leave }: Deck): void {
  const root = document.documentElement;
  const bar = document.createElement("nav");
  bar.className = "slide-bar";
  document.body.append(bar);
  const now = () => ids.indexOf(row.value);
  const go = (by: number) => put(row, ids[now() + by] ?? row.value);
  function end(): void {
    const id = row.value;
    row.value = "";
    leave(id);
  }

  addEventListener("keydown", (event) => {
    const { key, target, defaultPrevented, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (now() < 0 || defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return;
    // Arrow keys move sliders and choices; from the rest of a slide they lead on.
    if (key !== "Escape" && target instanceof Element && target.matches("input, textarea")) return;
    if (key === "Escape") end();
    else if (key in steps) go(steps[key]);
    else return;
    event.preventDefault();
  });

  function draw(): void {
    const words = { en, zh }[language.value];
    const at = now();
    bar.setAttribute("aria-label", text.value.slides);
    const button = (label: string, keys: string, sign: string, act: () => void, isOff = false) =>
      html`<button type="button" class="again" aria-keyshortcuts=${keys} ?disabled=${isOff} @click=${act}
        ><span aria-hidden="true">${sign}</span> ${label}</button>`;
    render(
      html`<span>${at + 1} / ${ids.length}</span>
        ${button(words.back, "ArrowLeft", "←", () => go(-1), at === 0)}
        ${button(words.next, "ArrowRight", "→", () => go(1), at === ids.length - 1)}
        ${button(words.end, "Escape", "✕", end)}`,
      bar,
    );
  }

  effect(() => {
    const at = now();
    root.classList.toggle("slides", at >= 0);
    bar.hidden = at < 0;
    if (at < 0) return undefined;
    draw();
    const id = ids[at];
    let stop = () => {};
    const slide = document.getElementById(id) as HTMLElement;
    slide.classList.add("slide");
    untracked(() => open(id)).then(() => {
      if (row.peek() !== id) return;
      stop = fit(slide);
      slide.scrollTop = 0;
      document.getElementById(`${id}-title`)?.focus({ preventScroll: true });
      if (ids[at + 1]) open(ids[at + 1]);
    });
    return () => {
      stop();
      slide.classList.remove("slide");
    };
  });
}
