import type { Posenc } from "posenc";
import { wavelength } from "../../core/arithmetic";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** The most rows that are drawn. */
export const mostPairs = 4;

/** One pair of dimensions: its wave, and its hand at the chosen position. */
export interface Wave {
  readonly pair: number;
  /** Radians per position, and positions per rotation. */
  readonly omega: number;
  readonly lambda: number;
  /** The angle at the chosen position, in radians and in degrees, not reduced modulo one rotation. */
  readonly radians: number;
  readonly degrees: number;
  readonly sin: number;
  readonly cos: number;
  /** Whether the text ends before the first rotation is complete. */
  readonly longer: boolean;
}

export interface Model {
  readonly dim: number;
  readonly base: number;
  readonly length: number;
  readonly position: number;
  readonly waves: readonly Wave[];
  /** The whole encoding, [length, dim]. */
  readonly table: Float32Array;
  /** How many pairs complete a rotation within the text, and the longest wavelength. */
  readonly finished: number;
  readonly slowest: number;
  /** Index in `waves` of the chosen one. */
  readonly chosen: number;
}

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
export function model(pe: Posenc): Model {
  const [dim, base, length] = [state.waveDim.value, state.waveBase.value, state.waveLength.value];
  const position = Math.min(selection.position.value, length - 1);
  const ladder = { dim, base };
  const omegas = pe.frequencies(ladder).data;
  // An angle is a frequency scaled by the position; in degrees, by 180/π more.
  const radians = pe.frequencies({ ...ladder, scale: position }).data;
  const degrees = pe.frequencies({ ...ladder, scale: (position * 180) / Math.PI }).data;
  const chosenPair = Math.min(selection.pair.value, omegas.length - 1);
  const waves = pairsIn(state.wavePairs.value, omegas.length, chosenPair).map((pair): Wave => {
    const omega = omegas[pair];
    const lambda = wavelength(omega);
    const [sin, cos] = samples(pe, omega, [position]);
    const longer = lambda > length;
    return { pair, omega, lambda, radians: radians[pair], degrees: degrees[pair], sin, cos, longer };
  });
  const lambdas = Array.from(omegas, wavelength);
  const ladderOf = { finished: lambdas.filter((each) => each <= length).length, slowest: Math.max(...lambdas) };
  const chosen = waves.findIndex(({ pair }) => pair === chosenPair);
  return { dim, base, length, position, waves, chosen, table: pe.sinusoidal({ length, dim, base }).data, ...ladderOf };
}
