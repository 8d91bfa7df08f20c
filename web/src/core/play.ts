import { signal } from "@preact/signals-core";
import { type NumberName, state } from "./state";

/** The row of the state that runs by itself now, if any: one at a time. */
export const playing = signal<NumberName | "">("");

const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** Milliseconds between steps for those who asked for little motion. */
const calmInterval = 1000;
let timer = 0;
/** The control that set it going. */
let control: Element | null = null;

export function pause(): void {
  clearInterval(timer);
  playing.value = "";
}

/** Whether something runs that was set going within `part` of the page. */
export const isPlayedIn = (part: Element) => playing.peek() !== "" && part.contains(control);

/** Sets the row to `next` of its value again and again, every `interval` milliseconds, until `pause`. */
export function play(name: NumberName, next: (value: number) => number, interval: number, by: Element | null): void {
  pause();
  playing.value = name;
  control = by;
  const every = calm.matches ? Math.max(calmInterval, interval) : interval;
  timer = window.setInterval(() => {
    state[name].value = next(state[name].value);
  }, every);
}
