import type { Tensor } from "posenc";
import type { PosencFull } from "posenc/full";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** Words and positions that are compared with one another. */
const count = 24;

export const parts = ["words", "wordPosition", "positionWord", "positions"] as const;
export type Part = (typeof parts)[number];

export interface Model {
  readonly query: number;
  readonly key: number;
  /** The four parts of one score; a concatenation has no part of a word with a position. */
  readonly score: Readonly<Record<Part, number>>;
  readonly isAdded: boolean;
  /** Numbers in W_q, W_k and W_v, whose outputs are as wide as a word. */
  readonly parameters: number;
  /** The root mean square of a word with a position, as a share of that of two positions. */
  readonly share: number;
}

/** Words drawn at random, as long on average as positions, and the positions. */
function tables(pe: PosencFull, pairs: number): { words: Tensor; positions: Tensor } {
  const dim = 2 * pairs;
  return {
    words: pe.learnedTable({ length: count, dim, seed: state.mixSeed.value, std: Math.SQRT1_2 }),
    positions: pe.sinusoidal({ length: count, dim }),
  };
}

const size = ({ data }: Tensor) => Math.sqrt(data.reduce((sum, value) => sum + value * value, 0) / data.length);

export function model(pe: PosencFull): Model {
  const [query, key] = [selection.position, selection.otherPosition].map(({ value }) => Math.min(value, count - 1));
  const { words, positions } = tables(pe, state.mixPairs.value);
  const at = (a: Tensor, b: Tensor) => pe.linear(a, b).data[query * count + key];
  const isAdded = state.mixWay.value === "add";
  const dim = 2 * state.mixPairs.value;
  return {
    query,
    key,
    isAdded,
    score: {
      words: at(words, words),
      wordPosition: isAdded ? at(words, positions) : 0,
      positionWord: isAdded ? at(positions, words) : 0,
      positions: at(positions, positions),
    },
    parameters: 3 * dim * (isAdded ? dim : 2 * dim),
    share: size(pe.linear(words, positions)) / size(pe.linear(positions, positions)),
  };
}

export const last = count - 1;
