import type { Posenc, SinusoidalOptions } from "posenc";
import { plain } from "../../core/format";
import { largest, wavelength } from "../../core/library";
import { selection } from "../../core/page-state";
import type { Value } from "../../core/state";
import { state } from "./state";

type Order = Exclude<Value<typeof state.order>, "">;
type Exponent = Exclude<Value<typeof state.exponent>, "">;

/** What the library's presets stand for, where it shows in the formula. */
const presets: Readonly<Record<Value<typeof state.preset>, { order: Order; exponent: Exponent; shift: number }>> = {
  paper: { order: "interleaved", exponent: "paper", shift: 0 },
  tensor2tensor: { order: "split", exponent: "half", shift: 1 },
  whisper: { order: "split", exponent: "half", shift: 1 },
  diffusers: { order: "split", exponent: "half", shift: 1 },
  ggml: { order: "cosines-first", exponent: "half", shift: 0 },
  mlx: { order: "split", exponent: "half", shift: 1 },
};

/** The convention in force: the state's, and the preset's where that leaves it open. */
export function convention(): { order: Order; exponent: Exponent; shift: number } {
  const preset = presets[state.preset.value];
  const exponent = state.exponent.value || preset.exponent;
  const half = Math.floor(state.dim.value / 2);
  // As the library: of another exponent than its own a preset's shift is not kept, nor where it would divide by zero.
  const own = exponent !== preset.exponent || (state.preset.value === "tensor2tensor" && half === 1) ? 0 : preset.shift;
  const given = exponent === "half" ? state.exponentShift.value : "";
  return { order: state.order.value || preset.order, exponent, shift: given === "" ? own : Number(given) };
}

/** The encoding the state asks for. */
export function encodingOptions() {
  const { exponent } = convention();
  return {
    preset: state.preset.value,
    length: state.length.value,
    dim: state.dim.value,
    base: state.base.value,
    offset: state.offset.value,
    scale: state.timeScale.value,
    ...(state.order.value && { order: state.order.value }),
    ...(state.exponent.value && { exponent: state.exponent.value }),
    ...(exponent === "half" && state.exponentShift.value && { shift: Number(state.exponentShift.value) }),
  } satisfies SinusoidalOptions;
}

/** What sines and cosines are multiplied by: at position 0 the cosines are as large as that. */
export function amplitude(pe: Posenc): number {
  if (state.preset.value !== "mlx") return 1;
  return largest(pe.sinusoidal({ ...encodingOptions(), length: 1, offset: 0 }));
}

/** One cell of the table and the formula behind it. */
export interface Cell {
  /** Index in the table, and the position it stands for. */
  readonly index: number;
  readonly position: number;
  readonly lane: number;
  /** Nothing for the lane that some implementations leave 0. */
  readonly wave: "sin" | "cos" | "";
  /** Which frequency: the i of the formula. */
  readonly frequency: number;
  /** The exponent is `above` / `below`. */
  readonly above: number;
  readonly below: number;
}

/** Wave and frequency of a lane. */
function waveIn(lane: number, dim: number, order: Order, exponent: Exponent): Pick<Cell, "wave" | "frequency"> {
  const sines = exponent === "half" ? Math.floor(dim / 2) : Math.ceil(dim / 2);
  const cosines = Math.min(sines, dim - sines);
  if (lane >= sines + cosines) return { wave: "", frequency: 0 };
  if (order === "interleaved") return { wave: lane % 2 === 0 ? "sin" : "cos", frequency: Math.floor(lane / 2) };
  const first = order === "split" ? sines : cosines;
  const early = lane < first;
  return { wave: early === (order === "split") ? "sin" : "cos", frequency: early ? lane : lane - first };
}

/** The cell in the state, held inside the table. */
export function chosenCell(): Cell {
  const [length, dim] = [state.length.value, state.dim.value];
  const { order, exponent, shift } = convention();
  const index = Math.min(selection.position.value, length - 1);
  const lane = Math.min(selection.lane.value, dim - 1);
  const { wave, frequency } = waveIn(lane, dim, order, exponent);
  const times = { paper: 2, "double-stepped": 4, half: 1 }[exponent];
  const below = exponent === "half" ? Math.floor(dim / 2) - shift : dim;
  return { index, position: state.offset.value + index, lane, wave, frequency, above: times * frequency, below };
}

/** Frequency in radians a position and the wavelength in positions, of a cell. */
export function waveOf(pe: Posenc, cell: Cell): { omega: number; lambda: number } {
  const { dim, base, scale } = encodingOptions();
  const { exponent, shift } = convention();
  const options = { dim, base, exponent, shift };
  const omega = pe.frequencies({ ...options, scale }).data[cell.frequency];
  // The inverse frequencies are those of the inverse base and scale.
  return { omega, lambda: wavelength(pe, { ...options, scale: 1 / scale }, cell.frequency) };
}

/** What stands before the wave and before the position in the formula, where that is not 1. */
export function factors(): { factor: string; times: string } {
  const scale = state.timeScale.value;
  return {
    factor: state.preset.value === "mlx" ? `√(2/${state.dim.value}) · ` : "",
    times: scale === 1 ? "" : `${plain(scale)} · `,
  };
}
