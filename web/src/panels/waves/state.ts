import { defineState, number, words } from "../../core/state";

export const state = defineState({
  waveLength: number("wn", 100, 2, 4096, true),
  waveDim: number("wdim", 16, 1, 512, true),
  waveBase: number("wbase", 10000, 0.01, 1e9),
  wavePairs: words("pairs", "0 1 2 3 4 5 6 7", 60),
});
