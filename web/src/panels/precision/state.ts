import { defineState, number } from "../../core/state";

export const state = defineState({
  precisionPairs: number("ap", 64, 1, 128, true),
  precisionBase: number("ab", 10000, 1.01, 1e9),
  precisionReach: number("an", 131072, 1024, 2 ** 20, true),
  precisionLimit: number("x0", 0.001, 1e-7, 3),
  precisionPosition: number("ax", 4096, 1, 2 ** 20 - 1, true),
});
