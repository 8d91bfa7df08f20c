import { choice, defineState, number, type Row, words } from "../../core/state";

const engines = [
  "none",
  "llama.cpp",
  "vllm",
  "sglang",
  "transformers",
  "transformers-4",
  "mlx",
  "onnx",
  "candle",
] as const;

const families = ["llama3", "gemma3", "phi3", "qwen2vl", "deepseek", "modernbert", "neox", "own"] as const;

/** The most characters of a text that links keep; they leave out a longer one. */
export const longestInLink = 8000;

/** A text of any length. */
const pasted = (key: string): Row<string> =>
  Object.assign(words(key, "", longestInLink), {
    format: (text: string) => (text.length > longestInLink ? "" : text),
  });

export const state = defineState({
  configFamily: choice("model", families),
  configText: pasted("config"),
  configPlan: number("plan", 0, 0, 15, true),
  configOther: choice("other", ["none", ...families]),
  configOtherText: pasted("config2"),
  configEngine: choice("engine", engines),
  configTokens: number("tokens", 131072, 1, 2 ** 24, true),
  configLength: number("cl", 8192, 2, 2 ** 24, true),
});
