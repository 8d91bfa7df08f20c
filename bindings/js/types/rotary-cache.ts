import type { OutOption, Outs } from "./out.js";
import type { PositionList, PositionOptions, Positions, TensorAxes } from "./positions.js";
import type { Layout, Rotary, RotaryOuts } from "./rotary.js";
import type { Tensor } from "./tensor.js";

/**
 * How cosines and sines of r rotated lanes, r/2 pairs, stand in memory, for n positions:
 *
 * - `"onnx"`: cos and sin [n, r/2]: ONNX's RotaryEmbedding (cos_cache, sin_cache), flash-attention.
 * - `"huggingface"`: cos and sin [1 or batch, n, r], all pairs and then all again: Llama in transformers.
 * - `"huggingface-interleaved"`: the same with each pair twice in a row: GPT-J, Cohere in transformers.
 * - `"ggml"`: one array [n, r], cosine and sine of each pair in turn.
 *
 * A form says nothing of the layout of the lanes that are rotated.
 */
export type CacheForm = "onnx" | "huggingface" | "huggingface-interleaved" | "ggml";

/** Whose cosines and sines are written, for which positions, in the form of which implementation. */
export interface RotaryCacheOptions<F extends CacheForm = CacheForm> extends Omit<Positions, "positions"> {
  /** Whose frequencies and attention factor. */
  rotary: Rotary;
  /** In place of `length`: a list, or with its shape [batch, sequence]. */
  positions?: PositionList;
  /** Has no default. */
  form: F;
}

/** Two arrays, or with the form `"ggml"` one for both. */
export type RotaryCache<F extends CacheForm = CacheForm> = F extends "ggml"
  ? { cosSin: Tensor }
  : { cos: Tensor; sin: Tensor };

/** Arrays for the cache: `cos` and `sin`, or with the form `"ggml"` `cosSin`. */
export type CacheOut<F extends CacheForm, T = Float32Array> = OutOption<
  F extends "ggml" ? Outs<"cosSin", T> : RotaryOuts<T>
>;

/** How a cache of any form is applied. */
export interface RotateWithAnyCache extends TensorAxes, PositionOptions {
  /** Of the lanes that are rotated; has no default. */
  layout: Layout;
  /** As in `apply`. */
  inverse?: boolean;
}

/**
 * A cache that came from elsewhere, and how to rotate by it. A cache [rows, …] or [1, rows, …] is a table: `positions`
 * are the rows that tokens take, whole numbers; `offset`, `offset + 1`, … by default. A cache [batch, sequence, …] has
 * a row for each token. The number of rotated lanes is the cache's.
 */
export type RotateWithCacheOptions = RotateWithAnyCache &
  ({ form: Exclude<CacheForm, "ggml">; cos: Tensor; sin: Tensor } | { form: "ggml"; cosSin: Tensor });
