import type { Posenc, Scaling } from "posenc";
import { wavelength } from "../../core/arithmetic";
import { selection } from "../../core/page-state";
import { storedValue, tasks } from "../../training/results";
import { state } from "./state";

export type Rule = typeof state.contextRule.value;

/** The methods that are drawn beside the chosen one, and those that the lab has measured, by the names of its tests. */
export const drawnRules = ["default", "linear", "ntk", "yarn"] as const satisfies readonly Rule[];
const testOf = { default: "RoPE", linear: "RoPE, PI", ntk: "RoPE, NTK", yarn: "RoPE, YaRN" } as const;

/** A pair of dimensions that completes as many rotations in training tells neighbours apart; the borders are YaRN's. */
const fastest = 32;
/** A method that makes a pair slower by less leaves it alone: frequencies are rounded. */
const touched = 1.05;

/** One pair of dimensions before and after a method for longer texts. */
export interface Pair {
  readonly before: number;
  readonly after: number;
  /** Rotations within the training length, before the method. */
  readonly rotations: number;
  /** How many times slower the method makes it. */
  readonly slower: number;
  /** Whether it is fast and yet slower, or slow and not slow enough: it meets angles that it never had in training. */
  readonly isSqueezed: boolean;
  readonly isNew: boolean;
}

export interface Model {
  readonly dim: number;
  readonly trained: number;
  readonly factor: number;
  readonly pairs: readonly Pair[];
  readonly chosen: number;
  readonly attentionFactor: number;
  /** The first pair that is not fast, and the first that completes no rotation in training. */
  readonly borders: readonly [fast: number, slow: number];
  /** How many times slower each method makes each pair. */
  readonly slower: Readonly<Record<(typeof drawnRules)[number], readonly number[]>>;
  readonly counts: { readonly squeezed: number; readonly unseen: number };
  /** Perplexities of the lab's models at so many times their training length, and at that length itself. */
  readonly measured: {
    readonly stretch: number;
    readonly longest: number;
    readonly within: number;
    readonly at: Readonly<Record<(typeof drawnRules)[number], number>>;
  };
}

function scaling(type: Rule): Scaling {
  const factor = state.contextFactor.value;
  switch (type) {
    case "default":
      return { type };
    case "linear":
    case "ntk":
      return { type, factor };
    case "yarn":
    case "llama3":
      return { type, factor, originalLength: state.contextTrained.value };
  }
}

export const chosenScaling = () => scaling(state.contextRule.value);

/** What the lab measured at the stretch nearest to the factor. */
function measuredAt(factor: number): Model["measured"] {
  const { stretches, longest } = tasks.text;
  const far = (stretch: number) => Math.abs(Math.log(stretch / factor));
  // At the training length itself all methods are one.
  const stretch = stretches.slice(1).reduce((best, each) => (far(each) < far(best) ? each : best));
  const value = (rule: keyof typeof testOf) => storedValue("text", "RoPE", stretch, testOf[rule]);
  return {
    stretch,
    longest,
    within: storedValue("text", "RoPE", 1),
    at: { default: value("default"), linear: value("linear"), ntk: value("ntk"), yarn: value("yarn") },
  };
}

export function model(pe: Posenc): Model {
  const count = state.contextPairs.value;
  const [dim, base] = [2 * count, state.contextBase.value];
  const trained = state.contextTrained.value;
  const factor = state.contextFactor.value;
  const plain = pe.frequencies({ dim, base }).data;
  const by = (rule: Rule) => pe.frequencies({ dim, base, scaling: scaling(rule) });
  const slowerBy = (rule: Rule) => Array.from(by(rule).data, (after, i) => plain[i] / after);
  const scaled = by(state.contextRule.value);
  const pairs = Array.from(plain, (before, i): Pair => {
    const after = scaled.data[i];
    const rotations = trained / wavelength(before);
    const slower = before / after;
    return {
      before,
      after,
      rotations,
      slower,
      isSqueezed: rotations >= fastest && slower > touched,
      // Rounded to float32, f times as slow can be a little less.
      isNew: rotations < 1 && slower < factor * (1 - 1e-6),
    };
  });
  const first = (holds: (pair: Pair) => boolean) => {
    const at = pairs.findIndex(holds);
    return at < 0 ? count : at;
  };
  return {
    dim,
    trained,
    factor,
    pairs,
    chosen: Math.min(selection.headPair.value, count - 1),
    attentionFactor: scaled.attentionFactor,
    borders: [first(({ rotations }) => rotations < fastest), first(({ rotations }) => rotations < 1)],
    slower: {
      default: slowerBy("default"),
      linear: slowerBy("linear"),
      ntk: slowerBy("ntk"),
      yarn: slowerBy("yarn"),
    },
    counts: {
      squeezed: pairs.filter(({ isSqueezed }) => isSqueezed).length,
      unseen: pairs.filter(({ isNew }) => isNew).length,
    },
    measured: measuredAt(factor),
  };
}
