import { effect, signal } from "@preact/signals-core";
import { playing } from "./play";
import { linkRows, type Row, readLink, writeLink } from "./state";

/** Milliseconds without a change after which the link is written: browsers limit the rate of such changes. */
const settled = 200;
/** Milliseconds within which further changes belong to the same entry: typing, or a key pressed again. */
const together = 1000;

/** The link of the state as it last came to rest. */
export const link = signal("");

/**
 * Keeps link and state equal from now on; links hold the rows in this order. Each action of the reader becomes one
 * entry of the browser's history: its first settled change adds the entry, and as long as a pointer is down, something
 * plays or further keys follow, the entry is replaced.
 */
export function followLink(rows: readonly Row[]): void {
  linkRows(rows);
  let held = false;
  let going = false;
  let last = 0;
  const follow = () => {
    readLink(location.hash);
    link.value = writeLink();
    going = false;
  };
  follow();
  addEventListener("hashchange", follow);

  const grip = () => {
    held = true;
    going = false;
  };
  const release = () => {
    held = false;
  };
  addEventListener("pointerdown", grip, true);
  addEventListener("pointerup", release, true);
  addEventListener("pointercancel", release, true);

  function write(hash: string): void {
    // A link that means the same state stays as it is: the reader may be on the way back through the history.
    if (hash === link.peek()) return;
    const now = performance.now();
    const same = going && (held || playing.peek() !== undefined || now - last < together);
    if (same) history.replaceState(null, "", hash);
    else history.pushState(null, "", hash);
    going = true;
    link.value = hash;
    last = now;
  }

  let timer = 0;
  effect(() => {
    for (const row of rows) row.value;
    clearTimeout(timer);
    timer = window.setTimeout(() => write(writeLink()), settled);
  });
}
