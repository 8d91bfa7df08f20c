import type { Posenc, SinusoidalOptions } from "posenc";
import { wavelength } from "../../library";
import { state } from "../../state";

/** The encoding the state asks for. */
export function encodingOptions() {
  return {
    length: state.length.value,
    dim: state.dim.value,
    base: state.base.value,
    order: state.order.value,
    exponent: state.exponent.value,
    offset: state.offset.value,
  } satisfies SinusoidalOptions;
}

/** One cell of the table and the formula behind it. */
export interface Cell {
  /** Index in the table, and the position it stands for. */
  readonly index: number;
  readonly position: number;
  readonly lane: number;
  readonly wave: "sin" | "cos";
  /** Which frequency: the i of the formula. */
  readonly frequency: number;
  /** The exponent is `above` / dim. */
  readonly above: number;
}

/** The cell in the state, held inside the table. */
export function chosenCell(): Cell {
  const { length, dim, order, exponent, offset } = encodingOptions();
  const index = Math.min(state.cellPosition.value, length - 1);
  const lane = Math.min(state.cellLane.value, dim - 1);
  const sines = Math.ceil(dim / 2);
  const split = order === "split";
  const sine = split ? lane < sines : lane % 2 === 0;
  const frequency = split ? (sine ? lane : lane - sines) : Math.floor(lane / 2);
  const above = (exponent === "paper" ? 2 : 4) * frequency;
  return { index, position: offset + index, lane, wave: sine ? "sin" : "cos", frequency, above };
}

/** Frequency in radians a position and the wavelength in positions, of a cell. */
export function waveOf(pe: Posenc, cell: Cell): { omega: number; lambda: number } {
  const { dim, base, exponent } = encodingOptions();
  const omega = pe.frequencies({ dim, base, exponent }).data[cell.frequency];
  return { omega, lambda: wavelength(pe, { dim, base, exponent }, cell.frequency) };
}
