import { batch } from "@preact/signals-core";
import { selection } from "../../core/page-state";
import { moved, speak } from "../../draw/cursor";
import type { Cell } from "./encoding";
import { state } from "./state";
import { keepInSight, visible } from "./view";

const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));

export function choose(index: number, dimension: number): void {
  batch(() => {
    selection.position.value = within(index, state.length.value);
    selection.dimension.value = within(dimension, state.dim.value);
    keepInSight(selection.position.value, selection.dimension.value);
  });
}

/** Chooses the cell under a pointer. */
export function point(event: PointerEvent, rows: readonly number[]): void {
  // A finger that scrolls the page chooses nothing.
  if (event.pointerType === "touch" && event.type === "pointermove" && event.buttons === 0) return;
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const { left, right } = visible();
  const at = (share: number, first: number, end: number) =>
    Math.max(first, Math.min(end - 1, first + Math.floor(share * (end - first))));
  choose(
    at((event.clientX - box.left) / box.width, left, right),
    rows[at((event.clientY - box.top) / box.height, 0, rows.length)],
  );
}

/** Moves the chosen cell by keys; once they come to rest, `sentence` is announced. */
export function press(event: KeyboardEvent, { index, dimension }: Cell, sentence: () => string): void {
  const next = moved(event, { row: dimension, column: index }, state.dim.value, state.length.value, 16);
  if (!next) return;
  choose(next.column, next.row);
  speak(event, sentence);
}
