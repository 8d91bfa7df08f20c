import type { ExpectedPlan, PosencTools, Samples } from "posenc/tools";
import type { ExampleName } from "../protocol";

const positions = [0, 1, 2, 3, 5, 8, 13, 21];

/** Vectors of a seed, [tokens, dim], before and after what was done to them. */
function rotated(pe: PosencTools, dim: number, done: Parameters<PosencTools["rotary"]>[0]) {
  const before = pe.learnedTable({ length: positions.length, dim, std: 1, seed: 17 });
  const after = pe.rotary(done).apply(before.data.slice(), { shape: before.shape, positions });
  return { before, after: { data: after, shape: before.shape }, positions };
}

/** Numbers that the library makes as the mistake makes them, and what was meant. */
export const examples: Readonly<
  Record<ExampleName, (pe: PosencTools) => { readonly samples: Samples; readonly expected: ExpectedPlan }>
> = {
  // DeepSeek-V3.2's indexer: 64 dimensions that rotate, pairs of halves; it was ported with neighbours.
  layout: (pe) => ({
    samples: rotated(pe, 64, { dim: 64, layout: "interleaved" }),
    expected: { dim: 64, layout: "half" },
  }),
  // A function that takes wavelengths was given frequencies.
  reciprocal: (pe) => {
    const { data } = pe.frequencies({ dim: 64 });
    const frequencies = data.map((frequency) => 1 / frequency);
    return {
      samples: rotated(pe, 64, { dim: 64, layout: "half", scaling: { type: "given", frequencies } }),
      expected: { dim: 64, layout: "half" },
    };
  },
  // Ministral 3: both mscale are 1, which makes the factor 1; what the rule has by default is 1.277.
  factor: (pe) => {
    const yarn = { type: "yarn", factor: 16, originalLength: 16384 } as const;
    const { cos, sin } = pe.rotary({ dim: 128, layout: "half", base: 1e6, scaling: yarn }).cache({ positions });
    const scaling = { ...yarn, mscale: 1, mscaleAllDim: 1 };
    return { samples: { cos, sin, positions }, expected: { dim: 128, base: 1e6, scaling } };
  },
  // Gemma 3: every sixth layer has another base and divides positions by 8.
  layers: (pe) => {
    const full = { dim: 256, layout: "half", base: 1e6, scaling: { type: "linear", factor: 8 } } as const;
    return {
      samples: rotated(pe, 256, full),
      expected: { dim: 256, layout: "half", base: 10000, others: [full] },
    };
  },
  // A sinusoidal table whose first row is that of position 1.
  first: (pe) => ({
    samples: { table: pe.sinusoidal({ length: 16, offset: 1, dim: 32 }) },
    expected: { type: "sinusoidal", dim: 32 },
  }),
};
