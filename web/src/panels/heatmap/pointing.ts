import { batch } from "@preact/signals-core";
import { selection } from "../../core/page-state";
import { moved, speak } from "../../draw/cursor";
import type { Cell } from "./encoding";
import { state } from "./state";

const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));

export function choose(index: number, dimension: number): void {
  batch(() => {
    selection.position.value = within(index, state.length.value);
    selection.dimension.value = within(dimension, state.dim.value);
  });
}

/** Chooses the cell under a pointer. */
export function point(event: PointerEvent, rows: readonly number[]): void {
  // A finger that scrolls the page chooses nothing.
  if (event.pointerType === "touch" && event.type === "pointermove" && event.buttons === 0) return;
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const at = (share: number, count: number) => within(Math.floor(share * count), count);
  choose(
    at((event.clientX - box.left) / box.width, state.length.value),
    rows[at((event.clientY - box.top) / box.height, rows.length)],
  );
}

/** Moves the chosen cell by keys; once they come to rest, `sentence` is announced. */
export function press(event: KeyboardEvent, { index, dimension }: Cell, sentence: () => string): void {
  const next = moved(event, { row: dimension, column: index }, state.dim.value, state.length.value, 16);
  if (!next) return;
  choose(next.column, next.row);
  speak(event, sentence);
}
