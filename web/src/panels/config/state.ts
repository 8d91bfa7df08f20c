import { choice, defineState, number, words } from "../../core/state";

const families = ["llama3", "gemma3", "phi3", "qwen2vl", "deepseek", "modernbert", "neox", "own"] as const;

export const state = defineState({
  configFamily: choice("model", families),
  configText: words("config", "", 8000),
  configPlan: number("plan", 0, 0, 15, true),
  configOther: choice("other", ["none", ...families]),
  configOtherText: words("config2", "", 8000),
  configLength: number("cl", 8192, 2, 2 ** 24, true),
});
