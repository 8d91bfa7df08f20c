import { pause, play, playing } from "../core/play";
import type { NumberRow } from "../core/state";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The figures that have played, or wait until they are in sight. */
const begun = new WeakSet<Element>();

/**
 * Plays a row by itself once through `span` and back to where it began, when the figure's `drawing` is first in sight, as
 * if the reader had pressed its player. It does not with reduced motion, while something else plays, or when the row was
 * set already; the reader's first move ends it.
 */
export function playOnce(
  figure: Element,
  drawing: string,
  row: NumberRow,
  [low, high]: readonly [number, number],
  interval: number,
): void {
  const drawn = figure.querySelector(drawing);
  if (calm.matches || !drawn || begun.has(figure)) return;
  begun.add(figure);
  const start = row.initial;
  let last = start;
  let steps = 0;
  let isStarted = false;

  function next(value: number): number {
    // A value other than the last one is the reader's.
    if (value !== last) {
      stopPlaying();
      return value;
    }
    steps++;
    last = value === high ? low : value + 1;
    if (steps > high - low) {
      stopPlaying();
      last = start;
    }
    return last;
  }

  // It waits for more than one report: figures above may still be drawn and move this one out of sight and back.
  const observer = new IntersectionObserver(
    (entries) => {
      const isSeen = entries[entries.length - 1].isIntersecting;
      if (isSeen && !isStarted && row.peek() === start && playing.peek() === undefined) {
        isStarted = true;
        last = start;
        steps = 0;
        play(row, next, interval, figure.querySelector(".player"));
      } else if (!isSeen && isStarted) {
        isStarted = false;
        if (playing.peek() === row) pause();
        // The reader did nothing, so the row gets its value back.
        if (row.peek() === last) row.value = start;
      }
    },
    { threshold: 0.6 },
  );

  /** The reader's first move ends the play; the player's buttons set the row themselves. */
  function touched({ target }: Event): void {
    if (!isStarted) return;
    if ((target as Element).closest(".player")) forget();
    else stopPlaying();
  }

  function forget(): void {
    observer.disconnect();
    for (const type of ["pointerdown", "keydown"]) figure.removeEventListener(type, touched, true);
  }

  function stopPlaying(): void {
    forget();
    if (isStarted && playing.peek() === row) pause();
  }

  observer.observe(drawn);
  for (const type of ["pointerdown", "keydown"]) figure.addEventListener(type, touched, true);
}
