import type { Computation } from "../../core/computation";
import { exactly } from "../../core/format";
import type { Model } from "./model";

/** The figure's step: the row of the chosen position; known are sine and cosine of each wave that is drawn. */
export function computationOf({ dim, base, position, waves }: Model): Computation {
  const known = waves.flatMap(({ pair, sin, cos }) => [
    { of: "hands", at: [0, 2 * pair], is: exactly(sin) },
    // The last sine of an odd row has no cosine.
    ...(2 * pair + 1 < dim ? [{ of: "hands", at: [0, 2 * pair + 1], is: exactly(cos) }] : []),
  ]);
  return { steps: [{ name: "hands", does: "sinusoid", positions: [position], dim, base }], known };
}
