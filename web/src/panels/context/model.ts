import type { Posenc, Scaling } from "posenc";
import { wavelength } from "../../core/library";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** One pair of lanes before and after a rule for longer texts. */
export interface Pair {
  readonly before: number;
  readonly after: number;
  /** Positions that one full rotation takes: 2π / frequency. */
  readonly waveBefore: number;
  readonly waveAfter: number;
  /** Rotations within the training length, before the rule. */
  readonly rotations: number;
  /** How many times slower the rule makes it. */
  readonly stretch: number;
}

export interface Model {
  readonly dim: number;
  readonly trained: number;
  readonly reach: number;
  readonly pairs: readonly Pair[];
  readonly chosen: number;
  readonly attentionFactor: number;
  /** How many pairs do not complete one rotation within the training length. */
  readonly unfinished: number;
}

/**
 * A ramp from 1 to the factor at equal ratios: the published factors of LongRoPE are found by a search for each model.
 */
export function longFactors(count: number, factor: number): number[] {
  return Array.from({ length: count }, (_, i) => (count === 1 ? factor : factor ** (i / (count - 1))));
}

export function scaling(count: number): Scaling {
  const type = state.contextRule.value;
  const factor = state.contextFactor.value;
  const originalLength = state.contextTrained.value;
  switch (type) {
    case "default":
      return { type };
    case "linear":
    case "ntk":
      return { type, factor };
    case "yarn":
    case "llama3":
      return { type, factor, originalLength };
    case "longrope": {
      const shortFactor = Array.from({ length: count }, () => 1);
      return { type, factor, originalLength, shortFactor, longFactor: longFactors(count, factor) };
    }
  }
}

export function model(pe: Posenc): Model {
  const count = state.contextPairs.value;
  const dim = 2 * count;
  const base = state.contextBase.value;
  const trained = state.contextTrained.value;
  const plain = pe.frequencies({ dim, base }).data;
  // One position more than the training length: LongRoPE uses its long factors from there on.
  const scaled = pe.frequencies({ dim, base, scaling: scaling(count), length: trained + 1 });
  const pairs = Array.from(plain, (before, i): Pair => {
    const after = scaled.data[i];
    const waveBefore = wavelength(before);
    return {
      before,
      after,
      waveBefore,
      waveAfter: wavelength(after),
      rotations: trained / waveBefore,
      stretch: before / after,
    };
  });
  const factor = state.contextRule.value === "default" ? 1 : state.contextFactor.value;
  return {
    dim,
    trained,
    reach: trained * factor,
    pairs,
    chosen: Math.min(selection.headPair.value, count - 1),
    attentionFactor: scaled.attentionFactor,
    unfinished: pairs.filter(({ rotations }) => rotations < 1).length,
  };
}
