import type { MropeOptions } from "./grid.js";
import type { AlibiOptions, T5Buckets } from "./relative.js";
import type { Layout, RotaryOptions } from "./rotary.js";

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
