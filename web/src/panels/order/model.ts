import type { Tensor } from "posenc";
import type { PosencFull } from "posenc/full";
import { difference, largest } from "../../core/library";
import { reader } from "../../core/page-state";
import { letters, sameness, wordsOf } from "../../core/words";
import { state } from "./state";

export const encodings = ["none", "sinusoid", "learned", "rope", "alibi"] as const;
export type Encoding = (typeof encodings)[number];

export const mostWords = 12;
export const dim = 16;
/** Seed of the learned table, which is untrained; its values are as large as those of the word vectors. */
const seed = 1;

/** One word's output in both orders. */
export interface Change {
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** The lane where they differ most, and by how much. */
  readonly lane: number;
  readonly most: number;
}

export interface Model {
  readonly words: readonly string[];
  readonly reordered: readonly string[];
  /** Where each word of the first order stands in the second. */
  readonly places: readonly number[];
  /** For each encoding, each word of the first order. */
  readonly changes: readonly (readonly Change[])[];
}

/** Where each word stands in the other order, or nothing when the two do not hold the same words. */
function placesOf(words: readonly string[], other: readonly string[]): number[] | undefined {
  const free = other.map(sameness) as (string | undefined)[];
  const places = words.map((word) => {
    const at = free.indexOf(sameness(word));
    if (at >= 0) free[at] = undefined;
    return at;
  });
  return other.length === words.length && places.every((at) => at >= 0) ? places : undefined;
}

export function firstOrder(): string[] {
  return wordsOf(reader.sentence.value).slice(0, mostWords);
}

/** The second order in the state; the first one when it does not hold the same words. */
export function secondOrder(): string[] {
  const words = firstOrder();
  const other = wordsOf(state.orderOther.value).slice(0, mostWords);
  return placesOf(words, other) ? other : words;
}

/** Self-attention of a sentence whose word vectors are queries, keys and values at once. */
function attend(pe: PosencFull, words: readonly string[], encoding: Encoding): Tensor {
  const length = words.length;
  const bare = pe.sinusoidal({ positions: words.map((word) => letters(sameness(word))), dim });
  const table =
    encoding === "sinusoid"
      ? pe.sinusoidal({ length, dim })
      : encoding === "learned"
        ? pe.learnedTable({ length: mostWords, dim, seed, bound: 1 })
        : undefined;
  const x = table ? pe.add(bare, table) : bare;
  if (encoding === "alibi") {
    // The first of eight heads, whose slope is 1/2.
    const bias = pe.alibi({ heads: 8, queries: length, keys: length });
    return pe.attention({
      query: x,
      key: x,
      value: x,
      bias: { data: bias.data.slice(0, length * length), shape: [length, length] },
      biasScaled: false,
      precision: "exact",
    }).output;
  }
  if (encoding !== "rope") return pe.attention({ query: x, key: x, value: x, precision: "exact" }).output;
  const rope = pe.rotary({ dim, layout: "half" });
  try {
    const rotated = { data: rope.apply(x.data.slice(), { shape: x.shape }), shape: x.shape };
    return pe.attention({ query: rotated, key: rotated, value: x, precision: "exact" }).output;
  } finally {
    rope.delete();
  }
}

function change(pe: PosencFull, before: Float32Array, after: Float32Array): Change {
  const row = (data: Float32Array): Tensor => ({ data, shape: [1, data.length] });
  const gap = difference(pe, row(before), row(after));
  const most = largest(gap);
  const lane = Math.max(
    0,
    gap.data.findIndex((value) => Math.abs(value) === most),
  );
  return { before: Array.from(before), after: Array.from(after), lane, most };
}

export function model(pe: PosencFull): Model {
  const words = firstOrder();
  const reordered = secondOrder();
  const places = placesOf(words, reordered) ?? [];
  if (words.length === 0) return { words, reordered, places, changes: [] };
  const changes = encodings.map((encoding) => {
    const [one, other] = [attend(pe, words, encoding).data, attend(pe, reordered, encoding).data];
    const vector = (data: Float32Array, at: number) => data.slice(at * dim, (at + 1) * dim);
    return words.map((_, at) => change(pe, vector(one, at), vector(other, places[at])));
  });
  return { words, reordered, places, changes };
}
