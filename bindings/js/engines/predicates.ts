// The conditions that the rules of engines (*.json) name: whether a config asks for what an engine does not do. Each
// gives the departure that it found. `onPlan` is tested for each plan, `onModel` once.

import { dictionary, type Json, own, type ParsedConfig, type Rotation } from "../hub/parsed-config.js";
import type { EngineDeparture } from "../types/engines.js";
import type { Scaling, YarnScaling } from "../types/frequencies.js";
import type { HubPlan } from "../types/hub.js";
import { type Lists, modelSet } from "./model-lists.js";

/** A new plan, or the fate of all of them. */
export type Change = ((plan: HubPlan) => HubPlan) | "refuses" | "not read";

/** A departure, at a key of its rotation's dictionary or at a path. */
export interface Found extends Pick<EngineDeparture, "expected" | "instead"> {
  key?: string;
  path?: string;
  change?: Change;
}

type Maybe = Found | false | undefined;

/**
 * Holds what a rule's condition needs besides its arguments: `type` is the model's, by the name that the engine looks
 * at.
 */
export interface Context {
  config: ParsedConfig;
  type: string;
  lists: Lists;
}

/** YaRN's g: 0.1 m ln f + 1. */
export const growth = (factor: number, m = 1): number => (factor <= 1 ? 1 : 0.1 * m * Math.log(factor) + 1);

/** YaRN's factor of cosines and sines in transformers, unless one is given. */
export const yarnFactor = (factor: number, { mscale, mscaleAllDim }: Partial<YarnScaling> = {}): number =>
  mscale && mscaleAllDim ? growth(factor, mscale) / growth(factor, mscaleAllDim) : growth(factor);

export const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.abs(b);

const first = (keys: Json, ...names: string[]) => names.find((name) => own(keys, name) !== undefined);

const withScaling = (scaling: Scaling, attentionFactor = 1): Change => {
  return (plan) => ({ ...plan, attentionFactor, rotary: { ...plan.rotary, scaling } });
};

const unscaled = withScaling({ type: "default" });

/** The plan of a class that knows only its own base. */
const based = (base: number): Change => {
  const scaling: Scaling = { type: "default" };
  return (plan) => ({ ...plan, attentionFactor: 1, rotary: { ...plan.rotary, base, scaling } });
};

/** The number by which some engines multiply YaRN's factor; transformers does not know the key. */
const multiplierOf = (keys: Json): number => {
  const given = own(keys, "attn_factor");
  return typeof given === "number" ? given : 1;
};

/** How an engine computes YaRN's factor. */
interface FactorRule {
  of: keyof typeof yarnFactors;
  /** Whether `attn_factor` multiplies it. */
  isMultiplied?: boolean;
  /** Types whose converted factor is 1, and those for which mscale_all_dim divides. */
  one?: string;
  divided?: string;
}

const yarnFactors = {
  /** 0.1 ln f + 1 */
  log: ({ factor }: YarnScaling) => growth(factor),
  /** g(mscale) / g(mscale_all_dim), 1 and 0 by default */
  ratio: ({ factor, mscale, mscaleAllDim = 0 }: YarnScaling) => growth(factor, mscale) / growth(factor, mscaleAllDim),
  /** Divides them if both keys are there, even with 0. */
  "ratio-of-both": (scaling: YarnScaling) =>
    scaling.mscale === undefined || scaling.mscaleAllDim === undefined
      ? yarnFactors.log(scaling)
      : yarnFactors.ratio(scaling),
  /** Divides the two where both are above 0; mscale itself where it is alone. */
  direct: (scaling: YarnScaling) =>
    !scaling.mscale ? yarnFactors.log(scaling) : !scaling.mscaleAllDim ? scaling.mscale : yarnFactors.ratio(scaling),
  /** Takes the factor of transformers times the one that is given */
  product: (scaling: YarnScaling, { plan }: Rotation) => plan.attentionFactor * yarnFactor(scaling.factor, scaling),
  /**
   * Computes what llama.cpp's context does from the file, for which mscale_all_dim is converted for some types alone
   */
  file: (
    { factor, mscaleAllDim }: YarnScaling,
    _: Rotation,
    { one = "", divided = "" }: FactorRule,
    { type, lists }: Context,
  ) => {
    if (mscaleAllDim && modelSet(one, lists).has(type)) return 1;
    return growth(factor) / (mscaleAllDim && modelSet(divided, lists).has(type) ? growth(factor, mscaleAllDim) : 1);
  },
};

/** YaRN's factor where the engine ignores `key`. */
function yarnFactorWithout(key: string | undefined, rotation: Rotation, rule: FactorRule, context: Context): Maybe {
  const { scaling, plan, keys } = rotation;
  if (scaling.type !== "yarn" || key === undefined) return;
  const factor = yarnFactors[rule.of](scaling, rotation, rule, context);
  const instead = rule.isMultiplied ? factor * multiplierOf(keys) : factor;
  return isNear(instead, plan.attentionFactor) ? undefined : factorFound(rotation, key, instead);
}

/** YaRN's or LongRoPE's factor as the engine has it, in place of the plan's. */
const factorFound = ({ scaling, plan }: Rotation, key: string, instead: number): Found => ({
  key,
  expected: plan.attentionFactor,
  instead,
  change: withScaling({ ...scaling, attentionFactor: instead } as Scaling, instead),
});

const truncated = ({ scaling, plan }: Rotation, truncate: boolean): Maybe =>
  scaling.type === "yarn" && {
    key: "truncate",
    expected: !truncate,
    instead: truncate,
    change: withScaling({ ...scaling, truncate }, plan.attentionFactor),
  };

const inverses = (factors: ArrayLike<number>): number[] => Array.from(factors, (factor) => 1 / factor);

// biome-ignore lint/suspicious/noExplicitAny: each condition has arguments of its own, which the data writes
type Arguments = any;
type OnModel = (context: Context, given: Arguments) => Maybe;
type OnPlan = (rotation: Rotation, context: Context, given: Arguments) => Maybe;

export const onModel = {
  /** The engine refuses the type, for its name or for the value of another key. */
  refused: ({ type }, { path, expected = type }: { path: string; expected?: string }) => ({
    path,
    expected,
    instead: "error",
    change: "refuses",
  }),

  /** The base and the rule are in `rope_parameters` alone, which is ignored. */
  keysUnread({ config, type, lists }, { bases, refuses = "", unread = "", otherwise }: Arguments) {
    let change: Change = otherwise;
    if (Object.hasOwn(bases, type)) change = based(bases[type]);
    else if (modelSet(refuses, lists).has(type)) change = "refuses";
    else if (modelSet(unread, lists).has(type)) change = "not read";
    const instead = change === "refuses" ? "error" : change === "not read" ? change : "class default";
    return config.isNew && { path: "rope_parameters", expected: "rope_parameters", instead, change };
  },

  /** Dictionaries of layer types are ignored. */
  nestedUnread: ({ config: { rotations } }) =>
    rotations.some(({ isNested }) => isNested) && {
      path: "rope_parameters",
      expected: "rope_parameters",
      instead: "class default",
      change: "not read",
    },

  /** Dimensions are those of hidden_size / num_attention_heads. */
  headDimUnread({ config: { text } }) {
    const [dims, hidden, heads] = ["head_dim", "hidden_size", "num_attention_heads"].map((key) => own(text, key));
    if (typeof dims !== "number" || typeof hidden !== "number" || typeof heads !== "number") return;
    const instead = Math.floor(hidden / heads);
    return instead !== dims && { path: "head_dim", expected: dims, instead, change: "refuses" };
  },

  /** Angles are computed in the model's dtype. */
  anglesRounded: ({ config: { dtype } }) =>
    dtype !== "float32" && { path: "dtype", expected: "float32", instead: dtype },
} satisfies Record<string, OnModel>;

export const onPlan = {
  /** The engine does not have the scaling rule: it refuses it, or rotates without it. */
  ruleUnknown({ scaling }, { type }, { known, knownBy, then }: Arguments) {
    if (known.split(" ").includes(scaling.type) || knownBy?.[type] === scaling.type) return;
    const change = then === "unscaled" ? unscaled : then;
    return { key: "rope_type", expected: scaling.type, instead: then === "unscaled" ? "default" : "error", change };
  },

  /** The engine does not read scaling for this type, or (`refuses`) refuses all rules but the known ones. */
  scalingUnread({ scaling }, { type }, { refuses, known }: Arguments = {}) {
    if (scaling.type === "default") return;
    const isRefused = type === refuses && scaling.type !== known;
    const instead = isRefused ? "error" : "default";
    return { key: "rope_type", expected: scaling.type, instead, change: isRefused ? "refuses" : unscaled };
  },

  /** `type` and `rope_type` name different rules: the engine goes by `type`, or (`isRefused`) refuses. */
  typesDisagree({ scaling, plan, keys }, _, { same, isRefused = false }: Arguments) {
    const [newer, older] = ["rope_type", "type"].map((key) => own(keys, key));
    const named = (name: unknown) => (Object.hasOwn(same, String(name)) ? same[String(name)] : name);
    if (newer === undefined || older === undefined || newer === older || (named(older) === newer && isRefused)) return;
    if (!isRefused && named(older) === named(newer)) return;
    const factor = own(keys, "factor");
    let change: Change = isRefused ? "refuses" : "not read";
    if (!isRefused && named(older) === "default") change = unscaled;
    if (!isRefused && older === "linear" && typeof factor === "number")
      change = withScaling({ type: "linear", factor });
    if (plan.attentionFactor === 1 && scaling.type === named(older)) return;
    return { key: "type", expected: String(newer), instead: isRefused ? "error" : String(older), change };
  },

  /** YaRN without this key is ignored. */
  yarnUnreadWithout: ({ scaling, keys }, _, { key }: { key: string }) =>
    scaling.type === "yarn" &&
    own(keys, key) === undefined && { key, expected: "yarn", instead: "default", change: unscaled },

  /** A fraction that the model's class ignores is read: fewer dimensions rotate, or (`isRefused`) shapes do not fit. */
  fractionRead({ plan, keys, scaling }, { config: { text } }, { isRefused = false }: Arguments = {}) {
    const key = "partial_rotary_factor";
    const { dim, rotaryDim = dim } = plan.rotary;
    const fraction = own(keys, key) ?? own(text, key);
    if (typeof fraction !== "number" || fraction === 1 || rotaryDim !== dim || scaling.type !== "default") return;
    if (first(text, "qk_rope_head_dim", "rotary_dim") !== undefined) return;
    const instead = Math.floor(dim * fraction);
    const change: Change = isRefused ? "refuses" : (of) => ({ ...of, rotary: { ...of.rotary, rotaryDim: instead } });
    const at = own(keys, key) === undefined ? { path: key } : { key };
    return { ...at, expected: dim, instead: isRefused ? "error" : instead, change };
  },

  /** The ends of YaRN's ramp are never rounded. */
  rampUnrounded: (rotation) =>
    rotation.scaling.type === "yarn" && rotation.scaling.truncate !== false && truncated(rotation, false),

  /** The engine refuses a dictionary without these keys. */
  keysRequired({ scaling, keys }, { type }, given: { keys: { [type: string]: string } }) {
    if (scaling.type === "default") return;
    const key = own(given.keys, type)
      ?.split(" ")
      .find((name) => own(keys, name) === undefined);
    return key !== undefined && { key, expected: true, instead: "error", change: "refuses" };
  },

  /** YaRN's `attention_factor` is ignored. */
  yarnFactorUnread: (rotation, context, rule: FactorRule) =>
    yarnFactorWithout(first(rotation.keys, "attention_factor"), rotation, rule, context),

  /** YaRN's `mscale` or `mscale_all_dim` is ignored, or read otherwise. */
  mscaleUnread(rotation, context, rule: FactorRule) {
    const { keys } = rotation;
    const key = first(keys, "attention_factor") ? undefined : first(keys, "mscale", "mscale_all_dim");
    return yarnFactorWithout(key, rotation, rule, context);
  },

  /** `attn_factor` multiplies YaRN's factor. */
  attnFactorRead(rotation) {
    const { attentionFactor } = rotation.plan;
    const instead = attentionFactor * multiplierOf(rotation.keys);
    if (rotation.scaling.type === "yarn" && instead !== attentionFactor)
      return factorFound(rotation, "attn_factor", instead);
  },

  /** The ends of YaRN's ramp are always rounded. */
  truncateUnread: (rotation) =>
    rotation.scaling.type === "yarn" && rotation.scaling.truncate === false && truncated(rotation, true),

  /** `truncate` is read in a layer type's dictionary, where transformers ignores it. */
  truncateRead: (rotation) =>
    rotation.isNested && own(rotation.keys, "truncate") === false && truncated(rotation, false),

  /** DeepSeek's scores are not multiplied by g(mscale_all_dim)². */
  scoreScaleMissing({ scaling, keys }) {
    const m = own(keys, "mscale_all_dim");
    if (scaling.type !== "yarn" || typeof m !== "number") return;
    return { key: "mscale_all_dim", expected: growth(scaling.factor, m) ** 2, instead: 1 };
  },

  /** LongRoPE's factor follows the two lengths, unless there are mscales of its own. */
  longFactorUnread(rotation, { config: { text } }) {
    const { scaling, plan, keys } = rotation;
    const longest = own(text, "max_position_embeddings");
    const key = first(keys, "attention_factor", "factor");
    if (scaling.type !== "longrope" || typeof longest !== "number" || key === undefined) return;
    if (first(keys, "short_mscale", "long_mscale")) return;
    const ratio = longest / scaling.originalLength;
    const instead = ratio <= 1 ? 1 : Math.sqrt(1 + Math.log(ratio) / Math.log(scaling.originalLength));
    return isNear(instead, plan.attentionFactor) ? undefined : factorFound(rotation, key, instead);
  },

  /** LongRoPE has no attention factor. */
  longFactorMissing: ({ scaling, plan }) =>
    scaling.type === "longrope" &&
    plan.attentionFactor !== 1 && {
      expected: plan.attentionFactor,
      instead: 1,
      change: withScaling({ ...scaling, attentionFactor: 1 }, 1),
    },

  /** LongRoPE's lists are not chosen by the current length. */
  longListBy({ scaling, plan }, _, { instead, isLongAlways }: Arguments) {
    if (scaling.type !== "longrope") return;
    const change = withScaling(
      isLongAlways ? { ...scaling, shortFactor: scaling.longFactor } : scaling,
      plan.attentionFactor,
    );
    return { key: "long_factor", expected: "current length", instead, change };
  },

  /** Frequencies are multiplied by LongRoPE's factors. */
  longListInverted({ scaling, plan }) {
    if (scaling.type !== "longrope") return;
    const { shortFactor, longFactor } = scaling;
    const inverted = { ...scaling, shortFactor: inverses(shortFactor), longFactor: inverses(longFactor) };
    const change = withScaling(inverted, plan.attentionFactor);
    return { key: "long_factor", expected: "divisors", instead: "multipliers", change };
  },

  /** LongRoPE's original length is ignored in the dictionary, and not given beside it. */
  innerLengthUnread({ scaling, keys }, { config: { text } }) {
    const key = "original_max_position_embeddings";
    if (scaling.type !== "longrope" || own(keys, key) === undefined || own(text, key) !== undefined) return;
    return { key, expected: scaling.originalLength, instead: "max_position_embeddings", change: "not read" };
  },

  /** Llama 3's original length is the one beside the dictionary, or a fixed one. */
  llama3LengthUnread({ scaling }, { config: { text } }, { length }: { length: number }) {
    const key = "original_max_position_embeddings";
    const originalLength = own(text, key) ?? length;
    if (scaling.type !== "llama3" || typeof originalLength !== "number") return;
    if (originalLength === scaling.originalLength) return;
    const change: Change = (plan) => ({ ...plan, rotary: { ...plan.rotary, scaling: { ...scaling, originalLength } } });
    return { key, expected: scaling.originalLength, instead: originalLength, change };
  },

  /** The dynamic rule has the base of factor times the trained length at every length. */
  fixedBase: ({ scaling }) =>
    scaling.type === "dynamic" && {
      key: "factor",
      expected: "dynamic",
      instead: "ntk",
      change: withScaling({ type: "ntk", factor: scaling.factor * scaling.factor - scaling.factor + 1 }),
    },

  /** The proportional rule has no factor. */
  proportionalFactorUnread: ({ scaling }) =>
    scaling.type === "proportional" &&
    (scaling.factor ?? 1) !== 1 && {
      key: "factor",
      expected: scaling.factor ?? 1,
      instead: 1,
      change: withScaling({ ...scaling, factor: 1 }),
    },

  /** Keys that a context shift rotates again are multiplied by the attention factor again. */
  keysScaledAgain: ({ plan }) =>
    plan.attentionFactor !== 1 && { expected: plan.attentionFactor, instead: plan.attentionFactor ** 2 },

  /** M-RoPE sections are ignored, or misread. */
  sectionsUnread({ plan }, _, { change, ...found }: Arguments) {
    const withoutSections: Change = (one) => ({ ...one, mrope: null });
    return plan.mrope !== null && { key: "mrope_section", ...found, change: change ?? withoutSections };
  },

  /** All dimensions of a head rotate. */
  dimsUnread({ plan }, { type }, { paths }: { paths: { [type: string]: string } }) {
    const { dim, rotaryDim = dim } = plan.rotary;
    const path = own(paths, type);
    const change: Change = (one) => ({ ...one, rotary: { ...one.rotary, rotaryDim: dim } });
    return path !== undefined && rotaryDim !== dim && { path, expected: rotaryDim, instead: dim, change };
  },

  /** The base in `attn_config` is ignored. */
  attentionBaseUnread({ plan }, { config: { text } }, { base }: { base: number }) {
    const given = own(dictionary(own(text, "attn_config")) ?? {}, "rope_theta");
    if (given === undefined || plan.rotary.base !== given) return;
    return { path: "attn_config.rope_theta", expected: Number(given), instead: base, change: based(base) };
  },

  /** Sliding layers are scaled as the others are. */
  scaledEverywhere({ scaling, plan }, { config: { rotations } }) {
    const other = rotations.find((one) => one.scaling.type !== "default");
    if (plan.layerType !== "sliding_attention" || scaling.type !== "default" || !other) return;
    const change = withScaling(other.scaling, other.plan.attentionFactor);
    return { key: "rope_type", expected: "default", instead: other.scaling.type, change };
  },
} satisfies Record<string, OnPlan>;
