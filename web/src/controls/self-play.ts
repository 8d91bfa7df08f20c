import { pause, play, playing } from "../core/play";
import type { NumberRow } from "../core/state";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Plays a row by itself once through `span` and back to where it began, when `drawing` is first in sight, as if the
 * reader had pressed `player`. It does not with reduced motion, while something else plays, or when the row was set
 * already; the reader's first move ends it. Returns a function that cancels it.
 */
export function playOnce(
  drawing: Element,
  player: Element | null,
  row: NumberRow,
  [low, high]: readonly [number, number],
  interval: number,
): () => void {
  const start = row.initial;
  if (calm.matches) return () => {};
  let last = start;
  let steps = 0;
  let isStarted = false;
  const panel = player?.closest("section") ?? drawing;

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
        play(row, next, interval, player);
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
    for (const type of ["pointerdown", "keydown"]) panel.removeEventListener(type, touched, true);
  }

  function stopPlaying(): void {
    forget();
    if (isStarted && playing.peek() === row) pause();
  }

  observer.observe(drawing);
  for (const type of ["pointerdown", "keydown"]) panel.addEventListener(type, touched, true);
  return stopPlaying;
}
