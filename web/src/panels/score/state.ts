import { defineState, number, numbers } from "../../core/state";

export const state = defineState({
  planeQuery: numbers("qv", [1.16, -0.6], -1000, 1000),
  planeKey: numbers("key", [1.2, -0.04], -1000, 1000),
  planeAngle: number("deg", 10, -180, 180),
  queryAt: number("m", 1, -10000, 10000, true),
  keyAt: number("to", 3, -10000, 10000, true),
  slide: number("slide", 0, -10000, 10000, true),
});
