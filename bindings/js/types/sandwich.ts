import type { BiasOptions } from "./relative.js";

/** Sandwich (Chi et al. 2023): (Σᵢ cos(d · base^(-2i/dim)) - dim / 2) / (8 h / heads), h = 1 … heads. */
export interface SandwichOptions extends BiasOptions {
  /** How many heads, each with a divisor of its own. */
  heads: number;
  /** Lanes of the sinusoids whose dot product this is, an even number; 128 by default. */
  dim?: number;
  /** 10000 by default. */
  base?: number;
  /** `"paper"` (the default): i = 1 … dim / 2. `"sinusoidal"`: i = 0 … dim / 2 - 1, as the encoding itself counts. */
  indices?: "paper" | "sinusoidal";
}
