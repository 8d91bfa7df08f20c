import type { Tensor } from "posenc";
import type { PosencFull } from "posenc/full";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** Words and positions that are compared with one another. */
const count = 24;

export const parts = ["words", "wordPosition", "positionWord", "positions"] as const;

export type Model = ReturnType<typeof model>;

const size = ({ data }: Tensor) => Math.sqrt(data.reduce((sum, value) => sum + value * value, 0) / data.length);

export function model(pe: PosencFull) {
  const [query, key] = [selection.position, selection.otherPosition].map(({ value }) => Math.min(value, count - 1));
  const dim = 2 * state.mixPairs.value;
  // Drawn at random, as long on average as positions.
  const words = pe.learnedTable({ length: count, dim, seed: state.mixSeed.value, std: Math.SQRT1_2 });
  const positions = pe.sinusoidal({ length: count, dim });
  const at = (a: Tensor, b: Tensor) => pe.linear(a, b).data[query * count + key];
  const isAdded = state.mixWay.value === "add";
  return {
    query,
    key,
    isAdded,
    /** The four parts of one score; a concatenation has no part of a word with a position. */
    score: {
      words: at(words, words),
      wordPosition: isAdded ? at(words, positions) : 0,
      positionWord: isAdded ? at(positions, words) : 0,
      positions: at(positions, positions),
    },
    /** Numbers in W_q, W_k and W_v, whose outputs are as wide as a word. */
    parameters: 3 * dim * (isAdded ? dim : 2 * dim),
    /** The root mean square of a word with a position, as a share of that of two positions. */
    share: size(pe.linear(words, positions)) / size(pe.linear(positions, positions)),
  };
}

export const last = count - 1;
