import { defineState, number } from "../../core/state";

export const state = defineState({
  patchRows: number("ph", 12, 2, 24, true),
  patchColumns: number("pw", 12, 2, 24, true),
  patchPairs: number("pp", 8, 1, 32, true),
  patchBase: number("pb", 100, 1.1, 1e6),
  patchY: number("y", 5, 0, 23, true),
  patchX: number("px", 5, 0, 23, true),
  overY: number("y2", 3, 0, 23, true),
  overX: number("x2", 7, 0, 23, true),
});
