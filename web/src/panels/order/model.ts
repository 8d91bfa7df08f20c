import type { Tensor } from "posenc";
import type { PosencFull } from "posenc/full";
import { rows } from "../../core/format";
import { letters, sameness } from "../../core/words";
import { firstOrder, isSameOrder, mostWords, placesOf, secondOrder } from "./orders";

export const encodings = ["none", "sinusoid", "learned", "rope", "alibi"] as const;
export type Encoding = (typeof encodings)[number];

export const dim = 16;
/** The learned table is untrained; its values are as large as those of the word vectors. */
export const learned = { length: mostWords, dim, seed: 1, bound: 1 } as const;
/** A smaller share of attention is rounding. */
export const rounding = 1e-6;

/** One word's attention in both orders. */
export interface Change {
  /** Its weight for each word, named in the first order. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** How much of its attention goes to other words than before: half the sum of all differences, at most 1. */
  readonly share: number;
}

export interface Model {
  readonly words: readonly string[];
  readonly reordered: readonly string[];
  /** The index in the second order of each word of the first. */
  readonly places: readonly number[];
  /** Whether both orders are the same, so that nothing can change. */
  readonly same: boolean;
  /** Whether all words are as far from one another as before. */
  readonly mirrored: boolean;
  /** For each encoding, each word of the first order. */
  readonly changes: readonly (readonly Change[])[];
}

/** The softmax of a sentence whose word vectors are queries and keys at once. */
function weights(pe: PosencFull, words: readonly string[], encoding: Encoding): Tensor {
  const length = words.length;
  const bare = pe.sinusoidal({ positions: words.map((word) => letters(sameness(word))), dim });
  const table =
    encoding === "sinusoid"
      ? pe.sinusoidal({ length, dim })
      : encoding === "learned"
        ? pe.learnedTable(learned)
        : undefined;
  const x = table ? pe.add(bare, table) : bare;
  const softmax = { weights: true, precision: "exact" } as const;
  if (encoding === "alibi") {
    // The first of eight heads, whose slope is 1/2.
    const { data } = pe.alibi({ heads: 8, queries: length, keys: length });
    const bias = { data: data.slice(0, length * length), shape: [length, length] };
    return pe.attention({ query: x, key: x, value: x, bias, biasScaled: false, ...softmax }).weights;
  }
  if (encoding !== "rope") return pe.attention({ query: x, key: x, value: x, ...softmax }).weights;
  const rope = pe.rotary({ dim, layout: "half" });
  try {
    const rotated = { data: rope.apply(x.data.slice(), { shape: x.shape }), shape: x.shape };
    return pe.attention({ query: rotated, key: rotated, value: x, ...softmax }).weights;
  } finally {
    rope.delete();
  }
}

function changesOf(one: Tensor, other: Tensor, places: readonly number[]): Change[] {
  const then = rows(other.data, places.length);
  return rows(one.data, places.length).map((before, word) => {
    // The second order's weights, with its words named in the first order.
    const after = places.map((place) => then[places[word]][place]);
    const moved = before.reduce((sum, weight, at) => sum + Math.abs(weight - after[at]), 0);
    return { before, after, share: Math.fround(moved / 2) };
  });
}

export function model(pe: PosencFull): Model {
  const words = firstOrder();
  const reordered = secondOrder();
  const places = placesOf(words, reordered) ?? [];
  const same = isSameOrder(words, reordered);
  const mirrored = places.every((place, at) =>
    places.every((other, column) => Math.abs(place - other) === Math.abs(at - column)),
  );
  const orders = { words, reordered, places, same, mirrored };
  if (words.length === 0) return { ...orders, changes: [] };
  const changes = encodings.map((encoding) =>
    changesOf(weights(pe, words, encoding), weights(pe, reordered, encoding), places),
  );
  return { ...orders, changes };
}

/** The largest share of each encoding. */
export const largestShares = ({ changes }: Model) => changes.map((line) => Math.max(...line.map(({ share }) => share)));
