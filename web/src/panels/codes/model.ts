import type { Posenc, Tensor } from "posenc";
import { tensor } from "../../core/arithmetic";
import { rows } from "../../core/format";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** Dimensions of the waves and of a word's vector, and bits of the binary code of the longest text. */
const dim = 12;
const bits = 7;

/** The codes of a text's positions: how long each is, and how far it is from that of the next position. */
export interface Codes {
  readonly table: Tensor;
  readonly lengths: readonly number[];
  readonly steps: readonly number[];
}

export interface Model {
  readonly length: number;
  readonly position: number;
  /** The text, and one twice as long. */
  readonly short: Codes;
  readonly long: Codes;
  /** The length of a word's vector. */
  readonly word: number;
}

function table(pe: Posenc, length: number): Tensor {
  const positions = Array.from({ length }, (_, position) => position);
  switch (state.codesRule.value) {
    case "count":
      return tensor(positions, 1);
    case "share":
      return tensor(
        positions.map((position) => position / (length - 1)),
        1,
      );
    case "bits":
      return tensor(
        positions.flatMap((position) => Array.from({ length: bits }, (_, bit) => (position >> bit) & 1)),
        bits,
      );
    case "waves":
      return pe.sinusoidal({ length, dim });
  }
}

function measured(pe: Posenc, codes: Tensor): Codes {
  const [length, width] = codes.shape;
  const norms = (x: Tensor) =>
    rows(x.data, x.shape[1]).map((row) =>
      Math.sqrt(pe.linear(tensor(row, row.length), tensor(row, row.length)).data[0]),
    );
  const next = codes.data.slice(width).map((value, at) => value - codes.data[at]);
  return {
    table: codes,
    lengths: norms(codes),
    steps: length > 1 ? norms({ data: next, shape: [length - 1, width] }) : [],
  };
}

export function model(pe: Posenc): Model {
  const length = state.codesLength.value;
  const [short, long] = [length, 2 * length].map((each) => measured(pe, table(pe, each)));
  // A vector that is made of letters has as much in each pair of dimensions as a position's.
  const [word] = measured(pe, pe.sinusoidal({ length: 1, dim })).lengths;
  return { length, position: Math.min(selection.position.value, length - 2), short, long, word };
}
