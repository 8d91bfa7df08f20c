import { choice, defineState, number } from "../../core/state";

export const state = defineState({
  contextRule: choice("rule", ["ntk", "default", "linear", "yarn", "llama3"]),
  contextPairs: number("cp", 64, 2, 128, true),
  contextBase: number("cb", 10000, 2, 1e9),
  contextFactor: number("f", 8, 1, 128),
  contextTrained: number("trained", 4096, 16, 2 ** 20, true),
});
