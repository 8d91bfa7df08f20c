import { choice, defineState, number, numbers } from "../../core/state";

export const state = defineState({
  pairCount: number("rp", 6, 1, 24, true),
  pairPositions: numbers("at5", [0, 1, 2, 5, 10], -(2 ** 31), 2 ** 31),
  pairValue: number("ones", 5, -1000, 1000),
  pairBase: number("rb", 10000, 0.01, 1e9),
  pairLayout: choice("layout", ["interleaved", "half"]),
  pairAt: number("which", 3, 0, 4, true),
});
