import { batch } from "@preact/signals-core";
import type { View } from "../../draw/raster";
import { state } from "./state";

/** From `first` to `last` of `count`, in whatever order and however far beyond the end they are. */
function stretch(first: number, last: number, count: number): [number, number] {
  const inside = (at: number) => Math.min(count - 1, at);
  return [inside(Math.min(first, last)), inside(Math.max(first, last)) + 1];
}

/** What the state shows of its table. */
export function visible(): View {
  const [left, right] = stretch(state.firstColumn.value, state.lastColumn.value, state.length.value);
  const [top, bottom] = stretch(state.firstLane.value, state.lastLane.value, state.dim.value);
  return { left, right, top, bottom };
}

/** Shows these cells. What reaches to the end of the table goes on doing so when the table grows. */
export function show({ left, right, top, bottom }: View): void {
  batch(() => {
    state.firstColumn.value = left;
    state.lastColumn.value = right >= state.length.value ? state.lastColumn.initial : right - 1;
    state.firstLane.value = top;
    state.lastLane.value = bottom >= state.dim.value ? state.lastLane.initial : bottom - 1;
  });
}

/** The stretch moved by as little as brings `at` into it. */
const holding = (at: number, first: number, end: number) => (at < first ? at - first : at >= end ? at - end + 1 : 0);

/** Moves what is in sight so that a cell is. */
export function keepInSight(index: number, lane: number): void {
  const { left, right, top, bottom } = visible();
  const [across, down] = [holding(index, left, right), holding(lane, top, bottom)];
  if (across || down) show({ left: left + across, right: right + across, top: top + down, bottom: bottom + down });
}
