import { choice, defineState, number } from "../../core/state";

export const state = defineState({
  source: choice("source", ["E", "C", "own"]),
  sentenceDim: number("wd", 2, 1, 8, true),
  sumScale: number("ws", 1, 0, 32),
});
