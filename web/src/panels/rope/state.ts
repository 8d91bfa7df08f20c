import { choice, defineState, number, numbers } from "../../core/state";

export const state = defineState({
  tokens: numbers("x", [1, 0.2, 0.3, 1, -0.9, 0.5], -1000, 1000),
  weightQuery: numbers("wq", [1, 0.8, -0.8, 1], -1000, 1000),
  weightKey: numbers("wk", [-1, 0.6, 0.6, 1], -1000, 1000),
  weightValue: numbers("wv", [1, 0, 0, 1], -1000, 1000),
  angles: numbers("angles", [10, 20, 30], -360, 360),
  ropeValues: choice("values", ["kept", "rotated"]),
  shift: number("shift", 0, -360, 360),
});
