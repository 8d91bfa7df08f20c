// Finds arrays that a checkpoint stores for positions: by their names in transformers' models, and their shapes.

import type { FileArray, PositionArrays } from "../types/files.js";

/** What names of halves of a cache end in. */
const halves = /(^|[._])(cos|sin)(_cached|_cache)?$/;

/** A name of an array, its kind, and what it is called in samples of `diagnose`. */
const kinds = [
  { pattern: /(^|[._])inv_freq$/, kind: "frequencies", axes: [1] },
  { pattern: halves, kind: "cache", axes: [2, 3, 4] },
  { pattern: /(^|[._])(freqs_cis|cos_sin_cache|rope_cache)$/, kind: "cache", axes: [2, 3, 4] },
  {
    pattern: /(^|[._])(embed_positions|position_embeddings?|positional_embedding|wpe|pos_embed)(\.weight)?$/,
    kind: "table",
    axes: [2, 3],
  },
] as const;

/** The layer in a name: the number behind what layers are called. */
function layerOf(name: string): number | null {
  const number = /(?:^|\.)(?:layers?|h|blocks?)\.(\d{1,4})\./.exec(name)?.[1];
  return number === undefined ? null : Number(number);
}

export function findPositionArrays(arrays: Iterable<FileArray>): PositionArrays[] {
  const found = new Map<
    string,
    { name: string; kind: PositionArrays["kind"]; samples: { [sample: string]: FileArray } }
  >();
  for (const array of arrays) {
    const { name, shape } = array;
    const row = kinds.find(
      ({ pattern, axes }) => pattern.test(name) && (axes as readonly number[]).includes(shape.length),
    );
    if (!row) continue;
    const { kind } = row;
    const half = halves.exec(name)?.[2];
    const sample = kind === "cache" ? (half ?? "cosSin") : kind;
    // The two halves are one by the name of the first.
    const key = name.replace(halves, "$1cos$3");
    const known = found.get(key) ?? { name: key, kind, samples: {} };
    found.set(key, known);
    known.samples[sample] = array;
  }
  // Cosines without sines say nothing of the sign.
  return [...found.values()].flatMap(({ name, kind, samples }) => {
    const isPair = Boolean(samples.cos || samples.sin);
    const isWhole = samples.cos && samples.sin?.shape.join() === samples.cos.shape.join();
    return isPair && !isWhole ? [] : [{ kind, samples, layer: layerOf(name), name }];
  });
}
