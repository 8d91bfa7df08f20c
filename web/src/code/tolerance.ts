import type { Computation } from "../core/computation";

/** The largest difference from the library that rounding to float32 explains, in sums of terms of this size. */
export function toleranceOf({ size = 1 }: Computation): string {
  return (1e-6 * Math.max(1, size)).toExponential(0);
}
