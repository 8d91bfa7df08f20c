import type { DType } from "./base.js";
import type { Certificate } from "./certificate.js";
import type { EngineDeparture, EngineName, EngineOptions, EngineSource } from "./engines.js";
import type { HubPlan, Model } from "./hub.js";

/** An engine by the name that `settings` and `posenc explain --for` take; `"transformers"` is version 5, `"onnx"` the builder of onnxruntime-genai. */
export type SettingsTarget =
  | "llama.cpp"
  | "vllm"
  | "sglang"
  | "transformers"
  | "transformers-4"
  | "mlx"
  | "onnx"
  | "candle";

/** The members of a model that `settings` and `keyCache` read: those that `pe.model` makes have them. */
export type SettingsModel = Pick<
  Model,
  "config" | "encoding" | "plans" | "layers" | "length" | "originalLength" | "mask" | "path" | "type"
>;

/** Options of `settings`. */
export interface SettingsOptions extends Pick<EngineOptions, "dtype" | "certify" | "language"> {
  /** The engine. */
  for: SettingsTarget;
  /** The sequence length, in tokens; certificates need it. Without it the model stays as long as it is. */
  length?: number;
}

/** A model needs these to read a number of tokens. */
export interface LengthChange {
  /** The length that was asked for. */
  length: number;
  /** The length that the model reads with its own rule; null where the config does not have it. */
  own: number | null;
  /**
   * `"none"`: the model's own rule is enough. `"yarn"`, `"linear"`: that rule, with `factor` over `originalLength`. `"not known"`: no
   * factor of the model's own rule follows from a length (LongRoPE and Llama 3 have numbers that were fitted), or its
   * length is not known.
   */
  rule: "none" | "yarn" | "linear" | "not known";
  /** The rule's factor; null without a rule. */
  factor: number | null;
  /** The length that it extends; null where the rule has none. */
  originalLength: number | null;
  /** The place where the original length was read, if that is not the config. */
  source: EngineSource | null;
}

/** Settings that make an engine do what a model does. */
export interface EngineSettings {
  /** The engine's name in reports. */
  engine: EngineName;
  /** The version that was read. */
  version: string;
  /**
   * - `"as-is"`: the engine does what the model does, with the config as it is.
   * - `"write"`: it does with `keys` or `flags`.
   * - `"cannot"`: it does not, for the `departures`; nothing is to be written.
   * - `"not known"`: its source was not read for this model, or no rule is known for this length.
   */
  status: "as-is" | "write" | "cannot" | "not known";
  /**
   * Keys of config.json, nested as they are there; for llama.cpp of the GGUF file's metadata. They are complete: what the model
   * has is among them. Empty where nothing is to be written, or nothing is known.
   */
  keys: { readonly [key: string]: unknown };
  /** Whether `keys` are the GGUF file's. */
  isGguf: boolean;
  /** Arguments of the command line that do the same as `keys`, or limit the length. Some engines have none. */
  flags: readonly string[];
  /** The place where keys and flags were read. */
  source: EngineSource;
  /** A sentence on how keys or flags are used. */
  note: string;
  /** The plans that are meant: the model's, for `length` tokens. */
  plans: readonly HubPlan[];
  /** How the version that was read departs from these plans even then. */
  departures: readonly EngineDeparture[];
  /** Changes that the length needs; null without one. */
  change: LengthChange | null;
  /** A certificate for each plan, in the engine's arithmetic; null without `certify` and `length`, or where the arithmetic was not read. */
  certificates: readonly Certificate[] | null;
}

/** The length and the types of numbers of a cache. */
export interface KeyCacheOptions {
  /** The type of its numbers; the config's dtype by default, as in `engines`. */
  dtype?: DType;
  /** Tokens of a sequence. */
  length?: number;
}

/** The cache of like layers. */
export interface LayerCache {
  /** `"0-4, 6"` */
  layers: string;
  /** How many. */
  count: number;
  /**
   * `"keys-values"`: keys and values of each head. `"latent"`: one compressed vector and the rotated part of the keys, for all
   * heads (MLA). `"state"`: a state that does not grow with the tokens, and is not counted. `"shared"`: the cache of an earlier layer.
   */
  kind: "keys-values" | "latent" | "state" | "shared";
  /** Bytes a token and layer, before a window is full. */
  bytesPerToken: number;
  /** How many tokens are kept at most; null without a window or chunk. */
  most: number | null;
  /** Bytes of all these layers together at `length` tokens; null without it. */
  bytes: number | null;
}

/** The memory that kept keys and values take, for one sequence. */
export interface KeyCache {
  /** The type of its numbers. */
  dtype: DType;
  /** Like layers together; empty where a number that is needed is not in the config, and in encoders, which keep nothing. */
  layers: LayerCache[];
  /** Bytes a token, of all layers whose cache grows with every token. */
  bytesPerToken: number;
  /** Bytes of all layers at `length` tokens; null without it, where a number is missing, or where windows are not known. */
  bytes: number | null;
  /** Bytes where MLA's keys and values are kept expanded, as candle does; null where nothing is compressed. */
  expandedBytes: number | null;
  /** The key that is missing; null where nothing is. */
  missing: string | null;
}
