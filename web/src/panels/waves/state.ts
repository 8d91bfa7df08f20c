import { defineState, number, words } from "../../core/state";

export const state = defineState({
  waveLength: number("wn", 64, 2, 4096, true),
  waveDim: number("wdim", 32, 2, 512, true),
  waveBase: number("wbase", 10000, 0.01, 1e9),
  wavePairs: words("pairs", "0 2 4 8", 60),
});
