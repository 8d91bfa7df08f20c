import type { QueryTemperature } from "./attention.js";
import type { Releasable, TensorInput, WithoutShape } from "./base.js";
import type { PositionList, PositionOptions, TensorAxes } from "./frequencies.js";
import type { GridRotaryOptions, MropeOptions } from "./grid.js";
import type { AlibiOptions, T5Buckets } from "./relative.js";
import type { Layout, RotaryDifference, RotaryOptions } from "./rotary.js";

/** The encoding of a model with its numbers; a learned or sinusoidal table has row p + firstRow for position p. */
export type HubEncoding =
  /** Queries and keys rotate as in the plans. */
  | { type: "rotary" }
  /** Masks and recurrent layers alone distinguish positions. */
  | { type: "none" }
  /** Not known: the type is not listed, and no key of the config says how positions are encoded. */
  | { type: "unknown" }
  | { type: "learned"; rows: number; firstRow: number }
  | { type: "sinusoidal"; firstRow: number }
  /** Options of `alibi`. Falcon multiplies it by 1 / √head_dim together with the scores. */
  | ({ type: "alibi"; heads: number } & Required<Pick<AlibiOptions, "slopes" | "steepness" | "distance">>)
  /** Options of `t5Bias`, whose `bidirectional` is true in encoders and false in decoders. */
  | ({ type: "t5"; heads: number } & Required<Omit<T5Buckets, "bidirectional">>)
  /** Queries and keys rotate by the coordinates of a cell: options of `rotaryGrid`. */
  | ({ type: "grid" } & Pick<GridRotaryOptions, "preset" | "dim" | "base" | "dims" | "mergeSize">)
  /** Relative keys of Shaw et al. in place of a table: `shawAttention`'s keys; if `ofKeys`, each key times them, too. */
  | { type: "shaw"; maxDistance: number; ofKeys: boolean };

/** Layers that follow one another and are alike. */
export interface HubLayers {
  /** How many. */
  count: number;
  /** `"full_attention"`, `"linear_attention"`, …, as the model calls it; null where all are alike. */
  type: string | null;
  /**
   * Which of the plans they have; null where they do not rotate; `"unknown"` where their type has a name that is not the
   * model's, which `unknownKeys` then has, or where their types are not known.
   */
  plan: number | "unknown" | null;
}

/** The rotation of one kind of layer, as a model's config.json describes it. */
export interface HubPlan {
  /** `"full_attention"`, `"sliding_attention"`, …; null where all layers rotate alike. */
  layerType: string | null;
  /** The path of its dictionary in the config, `"rope_scaling."`; empty where there is none. */
  path: string;
  /**
   * Options for `rotary`. `layout` is missing where the config's `model_type` is not one whose layout is known: it has
   * to be named then. `length` is always missing: the rules "dynamic" and "longrope" need it.
   *
   * ```ts
   * const { plans } = pe.hubConfig(JSON.parse(text));
   * const rope = pe.rotary({ layout: "half", ...plans[0].rotary, length: 8192 });
   * ```
   */
  rotary: Omit<RotaryOptions, "layout"> & { layout?: Layout };
  /** The factor by which `rotary` will multiply cosines and sines. */
  attentionFactor: number;
  /** Whether it rotates by the opposite angle, as `inverse` does (NanoChat). */
  inverse: boolean;
  /** Where positions are those of time, height and width: what `mrope` takes beside `rotary`; null elsewhere. */
  mrope: (Pick<MropeOptions, "order"> & { sections: number[] }) | null;
}

/** A trait of a model of which `Evidence` says how it is known. */
export type KnownTrait =
  | "encoding"
  | "layers"
  | "rotating"
  | "base"
  | "dims"
  | "layout"
  | "scaling"
  | "reach"
  | "mask"
  | "scale"
  | "temperature"
  | "norm"
  | "softcap"
  | "sinks"
  | "ids";

/** How a trait of a model is known. */
export interface Evidence {
  /** Which one. */
  trait: KnownTrait;
  /** Index of the plan that has it; null for a trait of the whole model. */
  plan: number | null;
  /**
   * - `"numbers"`: the model's own code computed the same numbers, in the tests of this library;
   * - `"config"`: a key of the config says it;
   * - `"source"`: read in the model's code, what it fixes or its default;
   * - `"assumed"`: no key says it and the code was not read for it; it is what most models do;
   * - `"unknown"`: nothing is known of it, and no value is given.
   */
  known: "numbers" | "config" | "source" | "assumed" | "unknown";
  /** The key's path ("text_config.rope_theta"), or the file of the model's code; null where there is none. */
  from: string | null;
}

/** Everything that a config determines about positions. */
export interface HubConfig {
  /** The kind of encoding, with its numbers. */
  encoding: HubEncoding;
  /** One for each layer type where they differ; none unless the encoding is rotary. */
  plans: HubPlan[];
  /** The model's layers in order; empty where the config does not have their number. */
  layers: HubLayers[];
  /**
   * Paths of keys without effect: in rope dictionaries that were read all of them ("rope_scaling.finetuned"), elsewhere,
   * at every level, those whose name could concern positions or scores ("vision_config.rope_theta").
   */
  unknownKeys: string[];
  /**
   * Encodings beside that of tokens by their place, of what is named: `"boxes"`, `"distances"`, `"encoder"` beside a
   * decoder, …; `"unknown"` where this library has none like it.
   */
  secondEncodings: { of: string; encoding: HubEncoding }[];
  /**
   * Paths of the other configs inside the config ("vision_config", "thinker_config.audio_config"), each of a model of its
   * own: `model(config, { part })`.
   */
  parts: string[];
  /**
   * Paths of what names code that is not the one that was read for the type: `auto_map`, an architecture that is not the
   * type's own, keys of others' code of positions ("alibi_starting_size"). What the type's code does is assumed then.
   */
  otherCode: string[];
  /** How each trait is known, in the order in which they were read. */
  evidence: Evidence[];
}

/** The dimensions of a head that rotate: `count` of `dim`, from `first` on. */
export interface HeadDims {
  /** The first of them. */
  first: number;
  /** How many. */
  count: number;
  /** Dimensions of the head. */
  dim: number;
}

/** Consecutive layers that use positions alike. */
export interface ModelLayers extends HubLayers {
  /** The dimensions of a head that rotate; null where none does. In heads that are split a plan has these dimensions alone. */
  dims: HeadDims | null;
  /**
   * The keys that a query attends to, of those that the model's `mask` allows: all, the last `size` ones with its own
   * (where the mask is bidirectional as many after it too), or those in its own chunk of `size` positions. Unknown for
   * types of models that are not listed, unless their config says it.
   */
  reach: { type: "all" | "unknown" } | { type: "window" | "chunk"; size: number };
  /** The temperature by which queries are multiplied (Llama 4, Ministral 3); null where they are not. */
  temperature: Required<QueryTemperature> | null;
  /** The factor of scores q·k without attention factors; null for an unknown type of model. */
  scale: number | null;
  /**
   * Whether queries and keys are normalized, each by itself, before they rotate or after; null where they are not, and
   * where the code was not read (`evidence`, of this and the next two).
   */
  norm: "before" | "after" | null;
  /** c of c · tanh(s / c), which takes the place of scores s before the mask (Gemma 2); null where there is none. */
  softcap: number | null;
  /** Whether softmax counts a learned score of each head, of a key without a value (GPT-OSS). */
  sinks: boolean;
  /**
   * Heads that choose the layer's keys (DeepSeek-V3.2 and V4, GLM-5, MiniMax M3), rotated by the layer's frequencies,
   * often in another layout; null where there are none.
   */
  indexer: { dims: HeadDims; layout?: Layout; scale: number } | null;
  /** The number of positions that one compressed key represents (DeepSeek-V4), rotated at the first of them. */
  compression: number | null;
  /** Whether the attention's output is rotated back by its query's position (DeepSeek-V4). */
  rotatesOutputs: boolean;
}

/** The rule by which a model's code numbers its tokens. */
export interface ModelIds {
  /**
   * `"sequence"`: 0, 1, 2, …; or the preset for `mropePositions`; null where positions have several axes in a type of
   * model that is not known.
   */
  rule: string | null;
  /** `mergeSize` of `mropePositions`, if the config has it. */
  mergeSize?: number;
  /** `tokensPerSecond` of `mropePositions`, if the config has it. */
  tokensPerSecond?: number;
}

/** Options of a layer that a config does not have. */
export interface ModelLayerOptions {
  /** Replaces the model's layout, for permuted weights; required where the model's is not known. */
  layout?: Layout;
  /** The sequence length, which the rules "dynamic" and "longrope" need. */
  length?: number;
}

/** The tensors that a layer changes, and their tokens. */
export interface ModelLayerApply extends TensorAxes {
  /** The keys' shape, with the same axes; `shape`, the queries', by default. */
  keyShape?: readonly number[];
  /** The first token's position, 0 by default. */
  offset?: number;
  /**
   * A position for each token, [seq] or [batch, seq]. Where positions have several axes (M-RoPE) their ids, [axes, seq]
   * or [axes, batch, seq] as `mropePositions` makes them, or [seq] for text.
   */
  positions?: PositionList;
}

/** The attention's output, and its tokens. */
export interface ModelOutputs extends TensorAxes, PositionOptions {}

/** One layer of a model. */
export interface ModelLayer extends Releasable {
  /** Its index in the model, from 0. */
  readonly index: number;
  /** The run of like layers that it belongs to. */
  readonly layers: ModelLayers;
  /**
   * Rotates queries and keys, whole heads or the rotated dimensions alone, and gives queries their temperature, in place.
   * A layer that does not rotate leaves keys as they are. Gives back both arrays.
   *
   * Largest error: that of `Rotary.apply`; a temperature rounds once more. Throws a RangeError where shapes or positions do
   * not fit, before anything is changed.
   *
   * @example
   * ```ts
   * const config = { model_type: "llama", hidden_size: 64, num_attention_heads: 4, num_key_value_heads: 2, num_hidden_layers: 2 };
   * const layer = pe.model(config).layer(0);
   * const [heads, keyHeads, seq, dim] = [4, 2, 3, 16];
   * const q = new Float32Array(heads * seq * dim).fill(1);
   * const k = new Float32Array(keyHeads * seq * dim).fill(1);
   * layer.apply(q, k, { shape: [heads, seq, dim], keyShape: [keyHeads, seq, dim], seqAxis: 1, offset: 7 });
   * console.log(q[0] === k[0], q[0].toFixed(6)); // true 0.096916
   * ```
   */
  apply(q: Float32Array, k: Float32Array, options: ModelLayerApply): { q: Float32Array; k: Float32Array };
  /** Takes two tensors, which have their shapes and are given back. */
  apply<Q extends TensorInput, K extends TensorInput>(
    q: Q,
    k: K,
    options: WithoutShape<ModelLayerApply>,
  ): { q: Q; k: K };
  /** Rotates the attention's output back, where the layer does so, in place. */
  applyToOutputs(x: Float32Array, options: ModelOutputs): Float32Array;
  /** Takes a tensor, which has its shape and is given back; ONNX Runtime's and transformers.js's, too. */
  applyToOutputs<X extends TensorInput>(x: X, options: WithoutShape<ModelOutputs>): X;
}

/** Which part of a config `model` reads, and in which layout. */
export interface ModelOptions {
  /** The path of an object in it, one of `parts`: `"vision_config"`; by default the part for text. */
  part?: string;
  /**
   * Replaces the layout of all plans, for permuted weights: what `ggufOf` of posenc/files gives beside a config. `evidence`
   * has no layout then.
   */
  layout?: Layout;
}

/** The positional encoding of a model, layer by layer, from its config and the code of its type. */
export interface Model extends Omit<HubConfig, "layers"> {
  /** The config that was read; not enumerable, as `layer` is not. */
  readonly config: object;
  /** `model_type`, of the text part where there are several. */
  type: string | null;
  /** The path of the text's config, `"text_config."`; empty where it is the whole. */
  path: string;
  /** `max_position_embeddings`; null where it is not named. */
  length: number | null;
  /** `original_max_position_embeddings`, in a rope dictionary or beside it; null where it is not named. */
  originalLength: number | null;
  /**
   * The keys that a query attends to, windows aside: its own and those before it, or all of them; `"encoder-decoder"`
   * where these differ: all in the encoder, those before in the decoder.
   */
  mask: "causal" | "bidirectional" | "encoder-decoder" | "unknown";
  /** In runs of like layers; empty where the config does not have their number. */
  layers: ModelLayers[];
  /** The rule by which its tokens are numbered. */
  ids: ModelIds;
  /**
   * Makes a layer, which rotates queries and keys as the model does.
   *
   * @example
   * ```ts
   * const model = pe.model({ model_type: "llama", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4 });
   * const layer = model.layer(3, { length: 8192 }); // the length for the rules "dynamic" and "longrope"
   * console.log(layer.layers.dims); // { first: 0, count: 16, dim: 16 }
   * console.log(layer.layers.scale); // 0.25
   * ```
   */
  layer(index: number, options?: ModelLayerOptions): ModelLayer;
}

/** The traits of a layer that `compare` compares. */
export type ComparedTrait =
  | "encoding"
  | "base"
  | "scaling"
  | "attentionFactor"
  | "layout"
  | "inverse"
  | "mrope"
  | "dims"
  | "mask"
  | "reach"
  | "temperature"
  | "scale"
  | "norm"
  | "softcap"
  | "sinks"
  | "indexer"
  | "compression"
  | "rotatesOutputs"
  | "secondEncodings";

/** A trait that differs, with its values as `model` has them. */
export interface TraitDifference {
  /** Which trait. */
  what: ComparedTrait;
  /** The first model's. */
  a: unknown;
  /** The second one's. */
  b: unknown;
}

/** The difference of two rotations at these distances, as `rotaryDifference` measures it. */
export interface ComparedEffect extends RotaryDifference {
  /** Distances between queries and keys, in positions. */
  distances: number[];
}

/** Layers that differ in the same way. */
export interface LayerDifference {
  /** `"0-4, 6"` */
  layers: string;
  /** The traits that differ. */
  differences: TraitDifference[];
  /** Null where one of the two does not rotate, other dimensions do, or it rotates the other way. */
  effect: ComparedEffect | null;
}

/** The distances at which to compare. */
export interface CompareOptions {
  /** Between queries and keys; powers of 4 up to `length`, and length - 1, by default. */
  distances?: ArrayLike<number>;
  /** The sequence length; the smaller `max_position_embeddings` by default, 4096 where there is none. */
  length?: number;
}

/** The differences of two models; there are none where `differing` is empty and both have as many layers. */
export interface Comparison {
  /** How many layers each has; those that both have are compared. */
  layerCounts: [number, number];
  /** Each way of differing, and its layers. */
  differing: LayerDifference[];
  /** Traits of which it is not known whether they differ: of one of the models, or of a layer, they are not known. */
  notKnown: ComparedTrait[];
}
