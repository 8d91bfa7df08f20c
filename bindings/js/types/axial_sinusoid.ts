import type { BooleanTensor } from "./masked-attention.js";
import type { Order } from "./sinusoidal.js";

/**
 * The options of an implementation of grid encodings:
 *
 * - `"detr"`: DETR's PositionEmbeddingSine: [h, w], indices counted from 1, divided by
 *   (extent + 1e-6) and multiplied by 2π, y's lanes then x's, interleaved. `normalised: false` leaves the counts.
 * - `"mae"`: MAE's get_2d_sincos_pos_embed: [h, w], the column's lanes first, [sin | cos] each.
 * - `"timm"`: timm's build_sincos2d_pos_embed: [h, w], sin h, sin w, cos h, cos w.
 * - `"positional-encodings"`: PositionalEncoding1D, 2D and 3D of the PyPI package: interleaved per axis; lanes are
 *   rounded up to 2 for each axis and what is too many cut off.
 */
export type GridPreset = "detr" | "mae" | "timm" | "positional-encodings";

/** Sinusoids of a grid's coordinates: each axis has dim / axes lanes (c of them), frequencies base^(-2i/c). */
export interface SinusoidalGridOptions {
  /** Extents of the grid, slowest axis first: [h, w], or [length], [x, y, z] where the preset knows them. */
  shape: readonly number[];
  /** Lanes of a cell: a multiple of twice the number of axes, but for `"positional-encodings"`. */
  dim: number;
  /** Has no default: the conventions differ, and a wrong one gives no error. */
  preset: GridPreset;
  /** 10000 by default (DETR's and timm's temperature). */
  base?: number;
  /** Among an axis's lanes; the preset's by default. */
  order?: Order;
  /** Whose lanes come first, the first axis's of the shape or the last one's; the preset's by default. */
  axes?: "first-first" | "last-first";
  /**
   * `"by-axis"`: all lanes of an axis, then the next axis's. `"by-function"`: the sines of every axis, then their
   * cosines, which needs the order `"split"` or `"cosines-first"`. The preset's by default.
   */
  arrangement?: "by-axis" | "by-function";
  /** Whether index i of n is encoded as (start + i) / (n + epsilon) * extent rather than start + i. */
  normalised?: boolean;
  /** The coordinate of index 0: 1 for `"detr"`, otherwise 0. */
  start?: number;
  /** 2π by default; only beside normalised coordinates. */
  extent?: number;
  /** 1e-6 by default; only beside normalised coordinates. */
  epsilon?: number;
  /**
   * Rows of zeros before the grid's; 0 by default. With any, the result is [prefixTokens + cells, dim]: MAE's `cls_token`
   * is 1.
   */
  prefixTokens?: number;
  /**
   * Of the grid's shape, false where there is padding: indices then count what is no padding, as DETR does with its
   * `pixel_mask`. Padding has the coordinate of what stands before it.
   */
  mask?: BooleanTensor;
}
