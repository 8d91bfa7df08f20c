import type { Posenc, Scaling } from "posenc";
import { wavelength } from "../../core/arithmetic";
import { plain } from "../../core/format";
import { selection } from "../../core/page-state";
import { short } from "../../draw/rounded";
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

export type Model = ReturnType<typeof model>;

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

/** Perplexities of the lab's models at the stretch of their training length nearest to the factor, and at that length itself. */
function measuredAt(factor: number) {
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

export function model(pe: Posenc) {
  const count = state.contextPairs.value;
  const [dim, base] = [2 * count, state.contextBase.value];
  const trained = state.contextTrained.value;
  const factor = state.contextFactor.value;
  const unscaled = pe.frequencies({ dim, base }).data;
  const by = (rule: Rule) => pe.frequencies({ dim, base, scaling: scaling(rule) });
  const slowerBy = (rule: Rule) => Array.from(by(rule).data, (after, i) => unscaled[i] / after);
  const scaled = by(state.contextRule.value);
  // Pairs of dimensions before and after the method.
  const pairs = Array.from(unscaled, (before, i) => {
    const after = scaled.data[i];
    const rotations = trained / wavelength(before);
    const slower = before / after;
    return {
      before,
      after,
      /** Rotations within the training length, before the method. */
      rotations,
      /** How many times slower the method makes it. */
      slower,
      /** Whether it is fast and yet slower, or slow and not slow enough: it meets angles that it never had in training. */
      isSqueezed: rotations >= fastest && slower > touched,
      // Rounded to float32, f times as slow can be a little less.
      isNew: rotations < 1 && slower < factor * (1 - 1e-6),
    };
  });
  const first = (holds: (pair: (typeof pairs)[number]) => boolean) => {
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
    /** The first pair that is not fast, and the first that completes no rotation in training. */
    borders: [first(({ rotations }) => rotations < fastest), first(({ rotations }) => rotations < 1)],
    /** How many times slower each method makes each pair. */
    slower: {
      default: slowerBy("default"),
      linear: slowerBy("linear"),
      ntk: slowerBy("ntk"),
      yarn: slowerBy("yarn"),
    },
    measured: measuredAt(factor),
  };
}

/** What the caption says of it. */
export const facts = ({ pairs, trained, factor, attentionFactor, measured }: Model) => ({
  pairs: pairs.length,
  squeezed: pairs.filter(({ isSqueezed }) => isSqueezed).length,
  unseen: pairs.filter(({ isNew }) => isNew).length,
  trained: plain(trained),
  reach: plain(Math.round(trained * factor)),
  attentionFactor: attentionFactor === 1 ? "" : short(attentionFactor),
  within: short(measured.within),
});
