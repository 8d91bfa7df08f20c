import { choice, defineState, number } from "../../core/state";

export const state = defineState({
  decayPairs: number("dp", 64, 2, 128, true),
  decayBase: number("b1", 10000, 1.01, 1e9),
  decayOtherBase: number("b2", 500000, 1.01, 1e9),
  decayVectors: choice("qk", ["ones", "same", "random"]),
  decaySeed: number("seed", 1, 0, 2 ** 31 - 1, true),
  decayReach: number("reach", 100000, 10, 1e6, true),
  decayDistance: number("dm", 100, 1, 1e6, true),
});
