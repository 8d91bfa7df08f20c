import { choice, defineState, number } from "../../core/state";

export const state = defineState({
  length: number("n", 128, 1, 2048, true),
  dim: number("d", 128, 1, 512, true),
  base: number("base", 10000, 0.01, 1e9),
  preset: choice("preset", ["paper", "tensor2tensor", "whisper", "diffusers", "ggml", "mlx"]),
  // Empty where the preset decides.
  order: choice("order", ["", "interleaved", "split", "cosines-first"]),
  exponent: choice("exponent", ["", "paper", "double-stepped", "half"]),
  exponentShift: choice("less", ["", "0", "1"]),
  timeScale: number("times", 1, 0.001, 10000),
  offset: number("offset", 0, -(2 ** 31), 2 ** 31),
});
