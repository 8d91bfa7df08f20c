import type { PosencFull } from "posenc/full";
import type { Computation } from "../../core/computation";
import { exactly } from "../../core/format";
import { state } from "./state";

/** The figure's steps: cosine and sine of the pair with the largest error, by angles in float32 and by exact ones. */
export function computationOf(pe: PosencFull, position: number, pair: number): Computation {
  const dim = 2 * state.precisionPairs.value;
  const base = state.precisionBase.value;
  const ways = { rounded: "float32", exact: "exact" } as const;
  return {
    steps: (["rounded", "exact"] as const).map((name) => ({
      name,
      does: "angles",
      dim,
      base,
      position,
      precision: ways[name],
    })),
    known: (["rounded", "exact"] as const).flatMap((of) => {
      const rope = pe.rotary({ dim, layout: "interleaved", base, precision: ways[of] });
      try {
        const { cos, sin } = rope.cache({ positions: [position] });
        return [cos, sin].map(({ data }, part) => ({ of, at: [part, pair], is: exactly(data[pair]) }));
      } finally {
        rope.delete();
      }
    }),
  };
}
