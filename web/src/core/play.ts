import { signal } from "@preact/signals-core";
import { type NumberRow, put } from "./state";

/** The row of the state that is playing, if any: one at a time. */
export const playing = signal<NumberRow | undefined>(undefined);

const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** Milliseconds between steps with reduced motion. */
const calmInterval = 1000;
let timer = 0;
/** The control that started it. */
let control: Element | null = null;

export function pause(): void {
  clearInterval(timer);
  playing.value = undefined;
}

/** Whether something plays that was started within `part` of the page. */
export const isPlayedIn = (part: Element) => playing.peek() !== undefined && part.contains(control);

/** Sets the row to `next` of its value every `interval` milliseconds until `pause`. */
export function play(row: NumberRow, next: (value: number) => number, interval: number, by: Element | null): void {
  pause();
  playing.value = row;
  control = by;
  const every = calm.matches ? Math.max(calmInterval, interval) : interval;
  timer = window.setInterval(() => put(row, next(row.value)), every);
}
