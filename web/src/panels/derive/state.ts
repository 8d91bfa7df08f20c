import { choice, defineState, number, numbers } from "../../core/state";

/** Positions that are compared, and the longest distance between two of them. */
export const count = 24;
export const farthest = 10;

export const state = defineState({
  deriveRule: choice("by", ["add", "scale", "rotate"]),
  queryAt: number("m", 5, 0, count - 1, true),
  deriveBack: number("back", 3, 0, farthest, true),
  planeAngle: number("deg", 24, -180, 180),
  planeQuery: numbers("qv", [1.15, 0.45], -100, 100),
  planeKey: numbers("key", [0.95, -0.35], -100, 100),
});
