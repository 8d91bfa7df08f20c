import { batch } from "@preact/signals-core";
import type { View } from "../../draw/raster";
import { state } from "./state";

/** The cells from `first` to `last`, which may be in either order or beyond the end. */
function stretch(first: number, last: number, count: number): [number, number] {
  const inside = (at: number) => Math.min(count - 1, at);
  return [inside(Math.min(first, last)), inside(Math.max(first, last)) + 1];
}

/** The cells that the state shows. */
export function visible(): View {
  const [left, right] = stretch(state.firstColumn.value, state.lastColumn.value, state.length.value);
  const [top, bottom] = stretch(state.firstDim.value, state.lastDim.value, state.dim.value);
  return { left, right, top, bottom };
}

/** Shows these cells. A view that reaches the end of the table still does when the table grows. */
export function show({ left, right, top, bottom }: View): void {
  batch(() => {
    state.firstColumn.value = left;
    state.lastColumn.value = right >= state.length.value ? state.lastColumn.initial : right - 1;
    state.firstDim.value = top;
    state.lastDim.value = bottom >= state.dim.value ? state.lastDim.initial : bottom - 1;
  });
}

/** How far a stretch has to move to contain `at`. */
const shiftTo = (at: number, first: number, end: number) => (at < first ? at - first : at >= end ? at - end + 1 : 0);

/** Moves the view so that it contains a cell. */
export function keepInSight(index: number, dimension: number): void {
  const { left, right, top, bottom } = visible();
  const [across, down] = [shiftTo(index, left, right), shiftTo(dimension, top, bottom)];
  if (across || down) show({ left: left + across, right: right + across, top: top + down, bottom: bottom + down });
}
