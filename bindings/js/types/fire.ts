import type { BiasOptions, Perceptron } from "./relative.js";

/**
 * FIRE (Li et al. 2024): perceptron(ln(|c d| + 1) / (ln(|c max(i, threshold)| + 1) + epsilon)) for query position i.
 * It depends on i: the compact form serves only while no query stands beyond the threshold.
 */
export interface FireOptions extends BiasOptions {
  /** One input, one output a head. */
  perceptron: Perceptron;
  /** Learned; 0.1 by default. */
  c?: number;
  /** L times its learned multiplier; 512 by default. */
  threshold?: number;
  /** 1e-6 by default. */
  epsilon?: number;
}
