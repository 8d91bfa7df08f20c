import type { Posenc, Tensor } from "posenc";
import { tensor } from "../../core/arithmetic";
import { rows } from "../../core/format";
import { state } from "./state";

/** Dimensions of the waves and of a word's vector. */
export const dim = 16;
/** Words of the text that is compared with the reader's. */
export const otherLength = 6;

export const codeNames = ["count", "share", "bits", "waves"] as const;
export type CodeName = (typeof codeNames)[number];

export type Model = ReturnType<typeof model>;

function table(pe: Posenc, name: CodeName, length: number): Tensor {
  const positions = Array.from({ length }, (_, position) => position);
  const bits = Math.ceil(Math.log2(length));
  switch (name) {
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

/** The codes of a text's positions: how long each is, and how far it is from that of the next position. */
function measured(pe: Posenc, codes: Tensor) {
  const [length, width] = codes.shape;
  const norms = (x: Tensor) =>
    rows(x.data, x.shape[1]).map((row) =>
      Math.sqrt(pe.linear(tensor(row, row.length), tensor(row, row.length)).data[0]),
    );
  const next = codes.data.slice(width).map((value, at) => value - codes.data[at]);
  return { table: codes, lengths: norms(codes), steps: norms({ data: next, shape: [length - 1, width] }) };
}

export function model(pe: Posenc) {
  const length = state.codesLength.value;
  const of = (name: CodeName) => measured(pe, table(pe, name, length));
  const codes = { count: of("count"), share: of("share"), bits: of("bits"), waves: of("waves") };
  // A vector that is made of letters has as much in each pair of dimensions as a position's.
  const [word] = codes.waves.lengths;
  // A step of the bits is the root of how many flip.
  const flips = codes.bits.steps.map((step) => Math.round(step ** 2));
  const at = flips.indexOf(Math.max(...flips));
  const tooLong = codes.count.lengths.findIndex((each) => each > word);
  return {
    length,
    codes,
    /** The step of the share in the other text. */
    otherStep: measured(pe, table(pe, "share", otherLength)).steps[0],
    /** The length of a word's vector, and the first position whose count is longer; undefined where there is none. */
    word,
    tooLong: tooLong < 0 ? undefined : tooLong,
    /** The position after which most bits flip, and how many do there and at the next step. */
    flip: [at, flips[at], flips[at + 1] ?? flips[at - 1]] as const,
  };
}
