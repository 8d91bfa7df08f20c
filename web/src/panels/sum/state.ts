import { choice, defineState, number, words } from "../../core/state";

export const state = defineState({
  source: choice("doc", ["004", "002", "own"]),
  sentence: words("text", "to be or not to be", 200),
  sentenceDim: number("wd", 2, 1, 8, true),
  sumScale: number("ws", 1, 0, 32),
});
