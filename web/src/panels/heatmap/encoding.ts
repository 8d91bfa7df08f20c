import { computed, type ReadonlySignal } from "@preact/signals-core";
import type { Posenc, SinusoidalPlan, SinusoidOptions } from "posenc";
import { plain } from "../../core/format";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** One cell of the table and the formula behind it. */
export interface Cell {
  /** Index in the table, and the position of that row. */
  readonly index: number;
  readonly position: number;
  readonly dimension: number;
  /** Empty for the dimension that some implementations leave 0. */
  readonly wave: "sin" | "cos" | "";
  /** Which frequency: the i of the formula. */
  readonly frequency: number;
  /** The exponent is `above` / `below`. */
  readonly above: number;
  readonly below: number;
}

/** The options of the table: the encoding and its positions. */
export type TableOptions = SinusoidOptions & Record<"base" | "scale" | "length" | "offset", number>;

/** The encoding that the state asks for. */
export interface Encoding {
  /** A new object whenever one of them changes. */
  readonly options: ReadonlySignal<TableOptions>;
  /** The library's plan: the state's choices, and the preset's where those are open. */
  readonly plan: ReadonlySignal<SinusoidalPlan>;
  /** The chosen cell, clamped to the table. */
  readonly cell: ReadonlySignal<Cell>;
  /** The factors of the wave and of the position in the formula, empty where they are 1. */
  factors(): { readonly factor: string; readonly times: string };
}

/** The factor of the index i in the exponent of a frequency. */
const steps = { paper: 2, "double-stepped": 4, half: 1 } as const;

export function encodingOf(pe: Posenc): Encoding {
  const sinusoid = computed(() => {
    const chosen = {
      preset: state.preset.value,
      dim: state.dim.value,
      base: state.base.value,
      scale: state.timeScale.value,
      ...(state.order.value && { order: state.order.value }),
      ...(state.exponent.value && { exponent: state.exponent.value }),
    };
    const shift = state.exponentShift.value;
    const isOpen = shift === "" || pe.sinusoidalPlan(chosen).exponent !== "half";
    return isOpen ? chosen : { ...chosen, shift: Number(shift) };
  });
  const options = computed(() => ({ ...sinusoid.value, length: state.length.value, offset: state.offset.value }));
  const plan = computed(() => pe.sinusoidalPlan(sinusoid.value));
  const cell = computed((): Cell => {
    const { exponent, shift, sines, cosines } = plan.value;
    const { dim, length, offset } = options.value;
    const index = Math.min(selection.position.value, length - 1);
    const dimension = Math.min(selection.dimension.value, dim - 1);
    const [sine, cosine] = [sines.indexOf(dimension), cosines.indexOf(dimension)];
    const frequency = Math.max(0, sine, cosine);
    return {
      index,
      position: offset + index,
      dimension,
      wave: sine >= 0 ? "sin" : cosine >= 0 ? "cos" : "",
      frequency,
      above: steps[exponent] * frequency,
      below: exponent === "half" ? Math.floor(dim / 2) - shift : dim,
    };
  });
  return {
    options,
    plan,
    cell,
    factors() {
      const { dim, scale, amplitude } = plan.value;
      const root = Math.fround(Math.sqrt(2 / dim)) === Math.fround(amplitude);
      return {
        factor: amplitude === 1 ? "" : `${root ? `√(2/${dim})` : plain(amplitude)} · `,
        times: scale === 1 ? "" : `${plain(scale)} · `,
      };
    },
  };
}
