import { computed, signal } from "@preact/signals-core";
import { moved, orderOf, type Scene, sentenceWords } from "./model";
import { state } from "./state";

/*
 * The figure plays by itself once: the words change places, and their outputs follow them unchanged; then positions are
 * switched on, and the outputs change. Nothing of that is the reader's state or in the link.
 */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** Milliseconds between two scenes. */
const pace = 1600;

const played = signal<Scene | undefined>(undefined);
let timer = 0;
let hasPlayed = false;

/** Holds what is to be drawn: a scene of the play, or what the reader has made. */
export const scene = computed<Scene>(
  () =>
    played.value ?? {
      order: orderOf(sentenceWords().length),
      hasPositions: state.problemPositions.value === "on",
    },
);
export const isPlaying = computed(() => played.value !== undefined);

/** Ends the play and all that it changed: the sentence is another one now. */
export function startAnew(): void {
  clearTimeout(timer);
  hasPlayed = true;
  played.value = undefined;
  state.problemOrder.value = "";
}

/** Ends the play. What the reader changes then begins with what is on the screen. */
export function take(): void {
  clearTimeout(timer);
  hasPlayed = true;
  const last = played.peek();
  if (!last) return;
  played.value = undefined;
  state.problemOrder.value = last.order.join(".");
  state.problemPositions.value = last.hasPositions ? "on" : "off";
}

/** The scenes: two words change places one step at a time, positions come on, all is as it was. */
function* scenes(): Generator<Scene | undefined> {
  const { order } = scene.peek();
  const last = order.length - 1;
  const swapped = moved(order, 1, last);
  const both = swapped && moved(swapped, last - 1, 1);
  if (!both) return;
  yield { order: both, hasPositions: false };
  yield { order: both, hasPositions: true };
  yield { order, hasPositions: true };
  yield { order, hasPositions: false };
}

/** Plays once, unless the reader has begun, asks for little motion, or came by a link to something else. */
export function playOnce(redraw: () => void): void {
  const isReaders = state.problemOrder.value !== "" || state.problemPositions.value !== "off";
  if (hasPlayed || calm.matches || isReaders || location.hash.length > 1) return;
  hasPlayed = true;
  const rest = scenes();
  const next = () => {
    const { value, done } = rest.next();
    played.value = done ? undefined : value;
    redraw();
    if (!done) timer = window.setTimeout(next, pace);
  };
  timer = window.setTimeout(next, pace);
}

/** Stops it where the reader cannot see it. */
export function stop(redraw: () => void): void {
  if (!played.peek()) return;
  clearTimeout(timer);
  played.value = undefined;
  redraw();
}
