import { choice, defineState, number } from "../../core/state";

export const state = defineState({
  mixWay: choice("joined", ["add", "concatenate"]),
  mixPairs: number("mp", 8, 1, 256, true),
  mixSeed: number("ms", 1, 1, 999, true),
});
