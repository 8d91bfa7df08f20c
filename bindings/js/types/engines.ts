import type { DType } from "./base.js";
import type { ArithmeticPreset, Certificate, CertifiedPlan, CertifyOptions } from "./certificate.js";
import type { Evidence, HubEncoding, HubPlan, Model } from "./hub.js";

/** An inference engine whose source was read. */
export type EngineName =
  | "transformers 4"
  | "transformers 5"
  | "vLLM"
  | "SGLang"
  | "llama.cpp"
  | "mlx-lm"
  | "candle"
  | "transformers.js"
  | "onnxruntime-genai";

/** The place where a fact was read. */
export interface EngineSource {
  /** "vllm-project/vllm" */
  project: string;
  /** A release, or a commit. */
  version: string;
  /** The file, and the line or the function in it. */
  file: string;
}

/** A fact that concerns every model. */
export interface EngineFact {
  /**
   * - `"angles"`: the types of frequencies, positions, angles, cosines and sines.
   * - `"caches"`: tables of cosines and sines, their type and length; whether kept keys are rotated again.
   * - `"factor"`: which keys its attention factor follows, and the scale of scores of DeepSeek's.
   * - `"layout"`: how half and interleaved are chosen.
   * - `"keys"`: keys of a config and rules that it knows, and what it does with others.
   */
  topic: "angles" | "caches" | "factor" | "layout" | "keys";
  /** The fact, in one or two sentences. */
  note: string;
  /** The place where it was read. */
  source: EngineSource;
}

/**
 * The ways in which an engine departs from a config:
 *
 * - `"model-unknown"`: refuses the model. `"rule-unknown"`: refuses the scaling rule, or goes on without it. `"keys-required"`: refuses a config without these.
 * - `"keys-unread"`: does not read `rope_parameters`. `"scaling-unread"`: does not read scaling for this model.
 * - `"attention-factor-unread"`, `"mscale-unread"`, `"truncate-unread"`, `"factor-unread"`, `"original-length-unread"`,
 *   `"head-dim-unread"`: one key. `"sections-unread"`: positions are one number, as for text they are in all sections.
 * - `"fraction-read"`: reads a `partial_rotary_factor` that the model's class ignores.
 * - `"truncate-read"`: reads it in a layer type's own dictionary, where transformers does not.
 * - `"attn-factor-read"`: multiplies by a key that transformers does not know.
 * - `"attention-factor-twice"`: multiplies by it and by what follows from the factor. `"keys-scaled-again"`: multiplies
 *   keys by it again when it shifts them.
 * - `"score-scale"`: leaves out DeepSeek's mscale².
 * - `"scaled-everywhere"`: scales layers that the model does not scale.
 * - `"by-limit"`, `"by-position"`, `"by-batch"`, `"always-long"`: what LongRoPE's factors are chosen by in place of the current length.
 * - `"inverted"`: multiplies frequencies by LongRoPE's factors, which divide them.
 * - `"fixed-base"`: the dynamic rule's base is that of the longest length at every length.
 * - `"types-disagree"`: `type` and `rope_type` name different rules: it goes by `type`, or refuses.
 * - `"ramp-unrounded"`: the ends of YaRN's ramp are not rounded where the model rounds them.
 * - `"rounded-angles"`: positions and frequencies are rounded to the model's dtype before they are multiplied.
 */
export type EngineDepartureCode =
  | "model-unknown"
  | "rule-unknown"
  | "keys-required"
  | "keys-unread"
  | "scaling-unread"
  | "attention-factor-unread"
  | "mscale-unread"
  | "truncate-unread"
  | "factor-unread"
  | "original-length-unread"
  | "head-dim-unread"
  | "dims-unread"
  | "base-unread"
  | "sections-unread"
  | "sections-by-dimension"
  | "truncate-read"
  | "fraction-read"
  | "attn-factor-read"
  | "attention-factor-twice"
  | "keys-scaled-again"
  | "score-scale"
  | "scaled-everywhere"
  | "by-limit"
  | "by-position"
  | "by-batch"
  | "always-long"
  | "inverted"
  | "fixed-base"
  | "types-disagree"
  | "ramp-unrounded"
  | "rounded-angles";

/** A way in which an engine departs from some configs. */
export interface KnownDeparture {
  /** The kind of departure. */
  code: EngineDepartureCode;
  /** The fact, in one sentence. */
  note: string;
  /** The place where it was read. */
  source: EngineSource;
  /** The project's threads about it, "vllm-project/vllm#48351": none where none was found. */
  threads: readonly string[];
  /** The versions that have it, as far as they were read or a thread names them. */
  versions: string;
  /** Whether the version that was read has it. */
  current: boolean;
}

/** The facts that were read of an engine, in one version. */
export interface Engine {
  /** Its name in reports. */
  name: EngineName;
  /** The version that `facts` and `current` departures are of. */
  version: string;
  /** Facts that concern every model. */
  facts: readonly EngineFact[];
  /** Departures from some configs, older versions included. */
  departures: readonly KnownDeparture[];
}

/** One departure from one config. */
export interface EngineDeparture extends KnownDeparture {
  /** The key of the config that leads to it, "rope_scaling.attention_factor"; null where no single one does. */
  path: string | null;
  /** The index of the plan that it concerns; null where it is the whole model. */
  plan: number | null;
  /** The value that the config asks for. */
  expected: number | string | boolean;
  /** The value that the engine uses. */
  instead: number | string | boolean;
}

/** All steps from a position to a rotated pair: what `certify` takes as `arithmetic` and `dtype`. */
export interface EngineArithmetic {
  /** Whose steps they are. */
  preset: ArithmeticPreset;
  /** The type of activations: the model's, or one that the engine converts them to. */
  dtype: DType;
}

/** An engine's understanding of a config. */
export interface EngineReport {
  /** The engine's name. */
  engine: EngineName;
  /** The version that was read. */
  version: string;
  /**
   * The config's plans as this version understands them: those of `pe.model`, with its current departures. A `layout` is
   * one of the same scores, and missing where the engine's file of this model was not read: then this is what its shared
   * layer for rotation does with them. `"refuses"` where it stops
   * with an error; `"not read"` where its source, or what it has for this model, was not read.
   */
  understands: HubPlan[] | "refuses" | "not read";
  /** The departures that this config meets, of older versions, too (`current` is false). */
  departures: EngineDeparture[];
  /**
   * Its arithmetic for this model, of vLLM and SGLang in PyTorch, of llama.cpp on the CPU; null where that was not read,
   * is that of no preset, or no bound of its sine is known. Of ulps it is assumed that powers, cosines and sines are within
   * one.
   */
  arithmetic: EngineArithmetic | null;
  /**
   * One for each plan that it understands, if `certify` and `length` were given: scores are taken for 1 / √dim. Null
   * where there is no arithmetic to certify.
   */
  certificates: Certificate[] | null;
}

/** The members of a model that `engines` reads: those that `pe.model` makes have them. */
export type ReadModel = Pick<Model, "config" | "encoding" | "plans">;

/** Options of `engines`. */
export interface EngineOptions {
  /** The model's dtype: by default the config's `dtype` or `torch_dtype`, and "float32" where it has none of these three. */
  dtype?: DType;
  /** `pe.certify`, for certificates. */
  certify?: (plan: CertifiedPlan, options: CertifyOptions) => Certificate;
  /** The sequence length of certificates. */
  length?: number;
  /** The language of notes: English by default; those in Chinese are there once `fetchNotes` has fetched them. */
  language?: "en" | "zh";
}

/** The subject of a finding; its `numbers` are those of its sentence. */
export type FindingCode =
  | HubEncoding["type"]
  | "layout"
  | "scaling"
  | "attention-factor"
  | "window"
  | "window-both"
  | "chunk"
  | "partial"
  | "split-head"
  | "inverse"
  | "sections"
  | "layers-without"
  | "several-bases"
  | "temperature"
  | "scale"
  | "norm"
  | "softcap"
  | "sinks"
  | "indexer"
  | "compression"
  | "rotates-outputs"
  | "ids"
  | "ids-unknown"
  | "layout-unknown"
  | "length-dependent"
  | "original-length-missing"
  | "factor-disagrees"
  | "factor-below-one"
  | "types-disagree"
  | "unscaled"
  | "too-long"
  | "unknown-key"
  | "other-code"
  | "second"
  | `known-${Evidence["known"]}`;

/** A statement on how a model uses positions. */
export interface Finding {
  /**
   * `"risk"`: it is or may be wrong; `"unusual"`: ports often miss it; `"does"`: the rest; `"evidence"`: how traits are
   * known, those known in the same way together. They come in this order.
   */
  kind: "risk" | "unusual" | "does" | "evidence";
  /** Its subject. */
  code: FindingCode;
  /** The key that it is about, or that is missing: "text_config.rope_scaling.factor". */
  path: string;
  /** The numbers and words of the sentence, by name. */
  numbers: { readonly [name: string]: number | string };
  /** The sentence, in the given language. */
  sentence: string;
}

/** The language of `explain`, and the intended length. */
export interface ExplainOptions {
  /** `"en"` by default. */
  language?: "en" | "zh";
  /** The sequence length; a finding reports if it is too large for the model. */
  length?: number;
}
