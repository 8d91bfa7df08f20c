import { pause, play, playing } from "../core/play";
import type { NumberRow } from "../core/state";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Plays a row by itself once through `span` and back to where it began, when `drawing` is first in sight, as if the
 * reader had pressed `player`. Not with reduced motion, not while something else plays, nor when the row was set
 * already; the reader's first move ends it. Returns how to give up.
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
    // Another value than the last one is the reader's.
    if (value !== last) {
      end();
      return value;
    }
    steps++;
    last = value === high ? low : value + 1;
    if (steps > high - low) {
      end();
      last = start;
    }
    return last;
  }

  // Not a single reading: figures above may still be drawn and move this one out of sight and back.
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
        // Nothing the reader did: it leaves no trace.
        if (row.peek() === last) row.value = start;
      }
    },
    { threshold: 0.6 },
  );

  /** The reader's first move ends it; the player's buttons say themselves what becomes of the row. */
  function touched({ target }: Event): void {
    if (!isStarted) return;
    if ((target as Element).closest(".player")) forget();
    else end();
  }

  function forget(): void {
    observer.disconnect();
    for (const type of ["pointerdown", "keydown"]) panel.removeEventListener(type, touched, true);
  }

  function end(): void {
    forget();
    if (isStarted && playing.peek() === row) pause();
  }

  observer.observe(drawing);
  for (const type of ["pointerdown", "keydown"]) panel.addEventListener(type, touched, true);
  return end;
}
