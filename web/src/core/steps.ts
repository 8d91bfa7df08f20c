import { effect } from "@preact/signals-core";
import { follow, link } from "./history";
import { pause, playing } from "./play";
import { linkRows, type Row, rowsOfLinks, writeLink } from "./state";

/** Milliseconds without a change after which the link is written: browsers limit the rate of such changes. */
const settled = 200;
/** Milliseconds within which further changes belong to the same entry: typing, or a key pressed again. */
const together = 1000;

/** Whether a button of the pointer is down. */
let isDown = false;
/** Whether the reader was last pointing or scrolling, and has pressed or typed nothing since. */
let idle = true;
/** Whether something has changed since the link was written that the reader pressed or typed for. */
let isStep = false;
/** Whether further changes belong to the entry that was added last, and when that changed. */
let going = false;
let last = 0;
let timer = 0;

/** Writes the link if the state has changed since; first `leave` is called, as an entry may be about to be left. */
export function settle(leave?: () => void): void {
  clearTimeout(timer);
  const hash = writeLink();
  // A link that means the same state stays as it is: the reader may be on the way back through the history.
  if (hash !== link.peek()) {
    leave?.();
    const now = performance.now();
    // In a frame the history is another page's.
    const same =
      self !== top || !isStep || (going && (isDown || playing.peek() !== undefined || now - last < together));
    history[same ? "replaceState" : "pushState"](history.state, "", hash);
    link.value = hash;
    if (isStep) {
      going = true;
      last = now;
    }
  }
  isStep = false;
}

/**
 * Keeps link and state equal from now on; links hold the rows in this order, those to other pages without `own`. Each step
 * that the reader takes becomes one entry of the browser's history: its first settled change adds the entry, and as long as a pointer is down, something
 * plays or further keys follow, the entry is replaced. Pointing adds no entry, and in a frame nothing does.
 */
export function followLink(common: readonly Row[], own: readonly Row[] = []): void {
  const rows = [...common, ...own];
  const early = new Set(rowsOfLinks());
  linkRows(common, own);
  follow(rows.filter((row) => !early.has(row)));
  addEventListener("hashchange", () => {
    pause();
    follow();
    going = false;
  });

  const on = (types: string, then: () => void) => {
    for (const type of types.split(" ")) addEventListener(type, then, { capture: true, passive: true });
  };
  on("pointerover pointermove scroll", () => {
    idle = !isDown;
  });
  on("keydown click input change paste drop", () => {
    idle = false;
  });
  on("pointerdown", () => {
    isDown = true;
    idle = going = false;
  });
  on("pointerup pointercancel", () => {
    isDown = false;
  });

  effect(() => {
    for (const row of rows) row.value;
    isStep ||= !idle || playing.peek() !== undefined;
    clearTimeout(timer);
    timer = window.setTimeout(() => settle(), settled);
  });
}
