import type { Layout, RotaryOptions } from "./rotary.js";

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
  /** Pairs for time, height and width where positions have these three (M-RoPE); null elsewhere. */
  mropeSection: number[] | null;
  /** Whether the three alternate over the pairs (Qwen3-VL) or follow each other in runs (Qwen2-VL). */
  mropeInterleaved: boolean;
}

/** What a config says of rotation. */
export interface HubConfig {
  /** At least one; one for each layer type where they differ. */
  plans: HubPlan[];
  /** Keys of the rope dictionaries that had no effect, as paths: "rope_scaling.finetuned". */
  unknownKeys: string[];
}
