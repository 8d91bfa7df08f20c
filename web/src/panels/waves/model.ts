import type { Posenc } from "posenc";
import { wavelength } from "../../core/arithmetic";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** The most rows that are drawn. */
export const mostPairs = 4;

export type Model = ReturnType<typeof model>;
/** One pair of dimensions: its wave, and its hand at the chosen position. */
export type Wave = Model["waves"][number];

/**
 * Returns the pairs that a text names: whole numbers below `count`, each once, at most `mostPairs`, and the chosen one, in
 * place of the nearest where there are as many.
 */
export function pairsIn(text: string, count: number, chosen: number): number[] {
  const named = text
    .split(/[^\d]+/)
    .filter(Boolean)
    .map(Number);
  const all = [...new Set(named)].filter((pair) => pair < count).slice(0, mostPairs);
  const far = (pair: number) => Math.abs(pair - chosen);
  const nearest =
    all.length < mostPairs ? undefined : all.reduce((best, pair) => (far(pair) < far(best) ? pair : best));
  return [...new Set([...all.filter((pair) => pair !== nearest), chosen])].sort((a, b) => a - b);
}

/** Sine and cosine of one frequency at these positions, [positions, 2]: the library's table of two dimensions. */
export function samples(pe: Posenc, omega: number, positions: ArrayLike<number>): Float32Array {
  return pe.sinusoidal({ positions, dim: 2, scale: omega }).data;
}

/** Everything the panel shows, from the state. */
export function model(pe: Posenc) {
  const [dim, base, length] = [state.waveDim.value, state.waveBase.value, state.waveLength.value];
  const position = Math.min(selection.position.value, length - 1);
  const ladder = { dim, base };
  const omegas = pe.frequencies(ladder).data;
  // An angle is a frequency scaled by the position.
  const radians = pe.frequencies({ ...ladder, scale: position }).data;
  const chosenPair = Math.min(selection.pair.value, omegas.length - 1);
  const waves = pairsIn(state.wavePairs.value, omegas.length, chosenPair).map((pair) => {
    const omega = omegas[pair];
    const lambda = wavelength(omega);
    const [sin, cos] = samples(pe, omega, [position]);
    return {
      pair,
      /** Radians per position, and positions per rotation. */
      omega,
      lambda,
      /** The angle at the chosen position, not reduced modulo one rotation. */
      radians: radians[pair],
      sin,
      cos,
      /** Whether the text ends before the first rotation is complete. */
      longer: lambda > length,
    };
  });
  const lambdas = Array.from(omegas, wavelength);
  return {
    ...ladder,
    length,
    position,
    waves,
    /** The whole encoding, [length, dim]. */
    table: pe.sinusoidal({ length, dim, base }).data,
    /** How many pairs complete a rotation within the text, and the longest wavelength. */
    finished: lambdas.filter((each) => each <= length).length,
    slowest: Math.max(...lambdas),
    /** Index in `waves` of the chosen one. */
    chosen: waves.findIndex(({ pair }) => pair === chosenPair),
  };
}
