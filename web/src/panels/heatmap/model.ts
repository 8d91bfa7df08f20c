import type { Posenc, SinusoidalOptions } from "posenc";
import { wavelength } from "../../library";
import { state } from "../../state";

/** Where a preset's lanes go, how its exponent grows and what it multiplies by, as far as the paper's differ. */
const presets = {
  tensor2tensor: { order: "split", shift: 1 },
  whisper: { order: "split", shift: 1 },
  diffusers: { order: "split", shift: 1 },
  ggml: { order: "cosines-first", shift: 0 },
  mlx: { order: "split", shift: 1 },
} as const;

/** The encoding the state asks for. Order and exponent are the reader's for the paper's alone. */
export function encodingOptions() {
  const preset = state.preset.value;
  const common = {
    length: state.length.value,
    dim: state.dim.value,
    base: state.base.value,
    offset: state.offset.value,
    preset,
  };
  return (
    preset === "paper"
      ? { ...common, order: state.order.value, exponent: state.exponent.value, shift: 0 }
      : { ...common, exponent: "half" as const, ...presets[preset] }
  ) satisfies SinusoidalOptions;
}

/** What sines and cosines are multiplied by: where colours end. */
export const amplitude = () => (state.preset.value === "mlx" ? Math.sqrt(2 / state.dim.value) : 1);

/** The part of the table that is seen: where it begins, and how many columns and lanes it has. */
export interface View {
  readonly index: number;
  readonly lane: number;
  readonly columns: number;
  readonly lanes: number;
}

/** The part in the state, held inside the table. */
export function view(): View {
  const [first, top, columns, lanes] = state.view.value.map(Math.floor);
  const index = Math.min(first, state.length.value - 1);
  const lane = Math.min(top, state.dim.value - 1);
  const most = (count: number, room: number) => Math.max(1, Math.min(count, room));
  return {
    index,
    lane,
    columns: most(columns, state.length.value - index),
    lanes: most(lanes, state.dim.value - lane),
  };
}

/** The values of a part of the table, row by row; the table itself when all of it is seen. */
export function partOf(table: Float32Array, dim: number, seen: View): Float32Array {
  if (seen.columns * seen.lanes === table.length) return table;
  const part = new Float32Array(seen.columns * seen.lanes);
  for (let column = 0; column < seen.columns; column++) {
    const from = (seen.index + column) * dim + seen.lane;
    part.set(table.subarray(from, from + seen.lanes), column * seen.lanes);
  }
  return part;
}

/** One cell of the table and the formula behind it. */
export interface Cell {
  /** Index in the table, and the position it stands for. */
  readonly index: number;
  readonly position: number;
  readonly lane: number;
  /** Nothing in the lane that an odd dim leaves over. */
  readonly wave: "sin" | "cos" | "";
  /** Which frequency: the i of the formula. */
  readonly frequency: number;
  /** The exponent of the base. */
  readonly exponent: string;
}

/** The cell in the state, held inside the table. */
export function chosenCell(): Cell {
  const { length, dim, order, exponent, shift, offset } = encodingOptions();
  const index = Math.min(state.cellPosition.value, length - 1);
  const lane = Math.min(state.cellLane.value, dim - 1);
  const half = Math.floor(dim / 2);
  // The paper's exponents give an odd dim one more sine, the others a lane of zeros.
  const firsts = exponent === "half" ? half : dim - half;
  const interleaved = order === "interleaved";
  const first = interleaved ? lane % 2 === 0 : lane < firsts;
  const frequency = interleaved ? Math.floor(lane / 2) : first ? lane : lane - firsts;
  const wave = frequency >= firsts ? "" : first === (order === "cosines-first") ? "cos" : "sin";
  const fraction =
    exponent === "half" ? `${frequency}/${half - shift}` : `${(exponent === "paper" ? 2 : 4) * frequency}/${dim}`;
  return { index, position: offset + index, lane, wave, frequency, exponent: fraction };
}

/** Frequency in radians a position and the wavelength in positions, of a cell. */
export function waveOf(pe: Posenc, cell: Cell): { omega: number; lambda: number } {
  const { dim, base, exponent, shift } = encodingOptions();
  const ladder = { dim, base, exponent, ...(exponent === "half" ? { shift } : {}) };
  const omega = pe.frequencies(ladder).data[cell.frequency];
  return { omega, lambda: wavelength(pe, ladder, cell.frequency) };
}
