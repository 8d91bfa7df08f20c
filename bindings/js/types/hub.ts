import type { Releasable } from "./base.js";
import type { PositionList, PositionOptions, TensorAxes } from "./frequencies.js";
import type { MropeOptions } from "./grid.js";
import type { AlibiOptions, Ids, T5Buckets } from "./relative.js";
import type { Layout, RotaryDifference, RotaryOptions } from "./rotary.js";

/** What a model tells positions by, with its numbers; a learned or sinusoidal table has row p + firstRow for position p. */
export type HubEncoding =
  /** Queries and keys rotate as the plans say. */
  | { type: "rotary" }
  /** Nothing does: masks and recurrent layers alone tell positions apart. */
  | { type: "none" }
  | { type: "learned"; rows: number; firstRow: number }
  | { type: "sinusoidal"; firstRow: number }
  /** Options of `alibi`. Falcon multiplies it by 1 / √head_dim together with the scores. */
  | ({ type: "alibi"; heads: number } & Required<Pick<AlibiOptions, "slopes" | "steepness" | "distance">>)
  /** Options of `t5Bias`, whose `bidirectional` is true in encoders and false in decoders. */
  | ({ type: "t5"; heads: number } & Required<Omit<T5Buckets, "bidirectional">>);

/** Layers that follow one another and are alike. */
export interface HubLayers {
  /** How many. */
  count: number;
  /** `"full_attention"`, `"linear_attention"`, …, as the model calls it; null where all are alike. */
  type: string | null;
  /** Which of the plans they have; null where they do not rotate. */
  plan: number | null;
}

/** The rotation of one kind of layer, as a model's config.json describes it. */
export interface HubPlan {
  /** `"full_attention"`, `"sliding_attention"`, …; null where all layers rotate alike. */
  layerType: string | null;
  /** Where its dictionary stands in the config, `"rope_scaling."`; empty where there is none. */
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
  /** What `rotary` will multiply cosines and sines by. */
  attentionFactor: number;
  /** Whether it rotates by the opposite angle, as `inverse` does (NanoChat). */
  inverse: boolean;
  /** Where positions are those of time, height and width: what `mrope` takes beside `rotary`; null elsewhere. */
  mrope: (Pick<MropeOptions, "order"> & { sections: number[] }) | null;
}

/** What a config says of positions. */
export interface HubConfig {
  /** What it tells positions by. */
  encoding: HubEncoding;
  /** One for each layer type where they differ; none unless the encoding is rotary. */
  plans: HubPlan[];
  /** The model's layers in order; empty where the config does not say how many there are. */
  layers: HubLayers[];
  /**
   * Keys that had no effect, as paths: all of the rope dictionaries that were read ("rope_scaling.finetuned"), and of the
   * rest those whose name could concern positions, at every level ("vision_config.rope_theta").
   */
  unknownKeys: string[];
}

/** Which dimensions of a head rotate: `count` of `dim`, from `first` on. */
export interface HeadDims {
  /** The first of them. */
  first: number;
  /** How many. */
  count: number;
  /** Dimensions of the head. */
  dim: number;
}

/** The query at position p is multiplied by 1 + slope · ln(1 + ⌊(p + shift) / period⌋). */
export interface QueryTemperature {
  /** 0.1 in Llama 4 and Ministral 3. */
  slope: number;
  /** 0 by default; Llama 4 has 1. */
  shift?: number;
  /** In positions, > 0. */
  period: number;
}

/** What is multiplied, and by which temperature. */
export interface QueryTemperatureOptions extends QueryTemperature, TensorAxes, PositionOptions {}

/** What layers that follow one another and are alike do with positions. */
export interface ModelLayers extends HubLayers {
  /** Which dimensions of a head rotate; null where none does. A plan is of these dimensions alone in heads that are split. */
  dims: HeadDims | null;
  /**
   * Which keys a query reaches, besides what a causal mask leaves: all, the last `size` ones with its own (in an encoder
   * as many behind it too), or those in its own chunk of `size` positions.
   */
  reach: { type: "all" } | { type: "window" | "chunk"; size: number };
  /** What queries are multiplied by (Llama 4, Ministral 3); null where they are not. */
  temperature: Required<QueryTemperature> | null;
  /** What scores q·k are multiplied by, attention factors not included; null in a type of model that is not known. */
  scale: number | null;
  /**
   * What chooses the layer's keys (DeepSeek-V3.2 and V4, GLM-5, MiniMax M3): heads of its own, rotated by the layer's
   * frequencies, often in another layout; null where nothing does.
   */
  indexer: { dims: HeadDims; layout?: Layout; scale: number } | null;
  /** Positions that one compressed key stands for (DeepSeek-V4); it is rotated at the first of them. */
  compression: number | null;
  /** Whether the attention's output is rotated back by its query's position (DeepSeek-V4). */
  rotatesOutputs: boolean;
}

/** How a model's code numbers its tokens. */
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

/** What a config leaves open about a layer. */
export interface ModelLayerOptions {
  /** In the place of the model's own, for weights that were permuted; has to be named where that is not known. */
  layout?: Layout;
  /** How many positions the model reads: the rules "dynamic" and "longrope" need it. */
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
  positions?: PositionList | Ids;
}

/** The attention's output, and its tokens. */
export interface ModelOutputs extends TensorAxes, PositionOptions {}

/** One layer of a model. */
export interface ModelLayer extends Releasable {
  /** Which layer it is, from 0 on. */
  readonly index: number;
  /** The run of like layers that it belongs to. */
  readonly layers: ModelLayers;
  /**
   * Rotates queries and keys, whole heads or the rotated dimensions alone, and gives queries their temperature, in place.
   * A layer that does not rotate leaves keys as they are. Gives back both arrays.
   *
   * Largest error: that of `Rotary.apply`; a temperature rounds once more.
   */
  apply(q: Float32Array, k: Float32Array, options: ModelLayerApply): { q: Float32Array; k: Float32Array };
  /** Rotates the attention's output back, where the layer does so, in place. */
  applyToOutputs(x: Float32Array, options: ModelOutputs): Float32Array;
}

/** What a model does with positions, layer by layer: read in its config, and in the code of its type. */
export interface Model extends Omit<HubConfig, "layers"> {
  /** The object that it was read in; not enumerable, as `layer` is not. */
  readonly config: object;
  /** `model_type`, of the text part where there are several. */
  type: string | null;
  /** Where the config of its text stands, `"text_config."`; empty where it is the whole. */
  path: string;
  /** `max_position_embeddings`; null where it is not named. */
  length: number | null;
  /** `original_max_position_embeddings`, in a rope dictionary or beside it; null where it is not named. */
  originalLength: number | null;
  /** In runs of like layers; empty where the config does not say how many there are. */
  layers: ModelLayers[];
  /** How its tokens are numbered. */
  ids: ModelIds;
  /**
   * A layer that does to queries and keys what the model does.
   *
   * ```ts
   * const model = pe.model(JSON.parse(text));
   * const layer = model.layer(3, { length: 8192 });
   * layer.apply(q, k, { shape: [seq, heads, dim], keyShape: [seq, keyHeads, dim] });
   * ```
   */
  layer(index: number, options?: ModelLayerOptions): ModelLayer;
}

/** What a finding is about; `numbers` of each are those of its sentence. */
export type FindingCode =
  | HubEncoding["type"]
  | "layout"
  | "scaling"
  | "attention-factor"
  | "window"
  | "chunk"
  | "partial"
  | "split-head"
  | "inverse"
  | "sections"
  | "layers-without"
  | "several-bases"
  | "temperature"
  | "scale"
  | "indexer"
  | "compression"
  | "rotates-outputs"
  | "ids"
  | "ids-unknown"
  | "layout-unknown"
  | "length-dependent"
  | "original-length-missing"
  | "factor-disagrees"
  | "unscaled"
  | "too-long"
  | "unknown-key";

/** Something to be said of what a model does with positions. */
export interface Finding {
  /** `"risk"`: what will go wrong, or may; `"unusual"`: where ports fail; `"does"`: the rest. They come in this order. */
  kind: "risk" | "unusual" | "does";
  /** What it is about. */
  code: FindingCode;
  /** The key that it is about, or that is missing: "text_config.rope_scaling.factor". */
  path: string;
  /** What the sentence says in numbers and words, by name. */
  numbers: { readonly [name: string]: number | string };
  /** In the language asked for. */
  sentence: string;
}

/** How `explain` speaks, and what is to be done with the model. */
export interface ExplainOptions {
  /** `"en"` by default. */
  language?: "en" | "zh";
  /** How many positions it is to read; a finding says if these are too many. */
  length?: number;
}

/** What `compare` compares of a layer. */
export type ComparedTrait =
  | "encoding"
  | "base"
  | "scaling"
  | "attentionFactor"
  | "layout"
  | "inverse"
  | "mrope"
  | "dims"
  | "reach"
  | "temperature"
  | "scale"
  | "indexer"
  | "compression"
  | "rotatesOutputs";

/** A trait, as `model` has it of each of the two. */
export interface TraitDifference {
  /** Which trait. */
  what: ComparedTrait;
  /** The first model's. */
  a: unknown;
  /** The second one's. */
  b: unknown;
}

/** How far queries and keys at these distances are rotated apart, as `rotaryDifference` says. */
export interface ComparedEffect extends RotaryDifference {
  /** Between queries and keys. */
  distances: number[];
}

/** Layers that differ in the same way. */
export interface LayerDifference {
  /** `"0-4, 6"` */
  layers: string;
  /** In what. */
  differences: TraitDifference[];
  /** Null where one of the two does not rotate, other dimensions do, or it rotates the other way. */
  effect: ComparedEffect | null;
}

/** Where to compare. */
export interface CompareOptions {
  /** Between queries and keys; powers of 4 up to `length`, and length - 1, by default. */
  distances?: ArrayLike<number>;
  /** How many positions they read; the smaller `max_position_embeddings` by default, 4096 where there is none. */
  length?: number;
}

/** What differs between two models; nothing does where `differing` is empty and both have as many layers. */
export interface Comparison {
  /** How many layers each has; those that both have are compared. */
  layerCounts: [number, number];
  /** Each way of differing, and its layers. */
  differing: LayerDifference[];
}
