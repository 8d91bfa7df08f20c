import { choice, defineState, number, words } from "../../core/state";

export const state = defineState({
  configFamily: choice("model", ["llama3", "gemma3", "phi3", "qwen2vl", "deepseek", "modernbert", "neox", "own"]),
  configText: words("config", "", 8000),
  configPlan: number("plan", 0, 0, 15, true),
  configLength: number("cl", 8192, 2, 2 ** 24, true),
});
