import type { Computation } from "../core/computation";

/** How far a result may be from the library's: roundings of float32, in sums of such terms. */
export function toleranceOf({ size = 1 }: Computation): string {
  return (1e-6 * Math.max(1, size)).toExponential(0);
}
