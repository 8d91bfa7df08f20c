import type { Posenc, Scaling } from "posenc";
import { wavelength } from "../../core/arithmetic";
import { selection } from "../../core/page-state";
import { state } from "./state";

/** One pair of dimensions before and after a rule for longer texts. */
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
  /** The wavelengths that each of the other rules gives. */
  readonly others: readonly { readonly rule: Rule; readonly waves: readonly number[] }[];
  /**
   * For each pair the wavelengths with which it meets angles, within the extended length, that it did not meet in
   * training: from its own one to f times that. NaN for pairs that completed a rotation, which have met all.
   */
  readonly unseen: { readonly from: readonly number[]; readonly to: readonly number[] };
  /** How many pairs meet such angles with the chosen rule. */
  readonly surprised: number;
}

export type Rule = typeof state.contextRule.value;
export const ruleNames = ["default", "linear", "ntk", "yarn", "longrope", "llama3"] as const satisfies readonly Rule[];

/**
 * A ramp from 1 to the factor at equal ratios: the published factors of LongRoPE are found by a search for each model.
 */
export function longFactors(count: number, factor: number): number[] {
  return Array.from({ length: count }, (_, i) => (count === 1 ? factor : factor ** (i / (count - 1))));
}

export function scaling(type: Rule, count: number): Scaling {
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
  const by = (rule: Rule) => pe.frequencies({ dim, base, scaling: scaling(rule, count), length: trained + 1 });
  const chosen = state.contextRule.value;
  const scaled = by(chosen);
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
  const factor = state.contextFactor.value;
  const from = pairs.map(({ waveBefore }) => (waveBefore > trained ? waveBefore : Number.NaN));
  // Rounded to float32, f times as long can be a little less.
  const surprised = pairs.filter(({ waveAfter }, i) => waveAfter < from[i] * factor * (1 - 1e-6)).length;
  return {
    dim,
    trained,
    reach: trained * factor,
    pairs,
    chosen: Math.min(selection.headPair.value, count - 1),
    attentionFactor: scaled.attentionFactor,
    unfinished: pairs.filter(({ rotations }) => rotations < 1).length,
    others: ruleNames
      .filter((rule) => rule !== chosen && rule !== "default")
      .map((rule) => ({ rule, waves: Array.from(by(rule).data, wavelength) })),
    unseen: { from, to: from.map((wave) => wave * factor) },
    surprised,
  };
}
