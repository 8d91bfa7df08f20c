import { defineState, number } from "../../core/state";

export const state = defineState({
  similarLength: number("sn", 64, 2, 128, true),
  similarPairs: number("sd", 64, 1, 256, true),
  similarBase: number("sb", 10000, 0.01, 1e9),
});
