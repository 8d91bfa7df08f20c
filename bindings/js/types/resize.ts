import type { OutOption } from "./out.js";

/** How rows of a table are interpolated, and which of them are left alone. */
export interface ResizeOptions extends OutOption {
  /** Rows at the table's start that are kept as they are (class token, registers): 0 by default. */
  prefixTokens?: number;
  /**
   * `"linear"` along each axis (torch's "linear" and "bilinear") or `"cubic"` (torch's "bicubic": a = -0.75, or -0.5
   * with antialias).
   */
  interpolation?: "linear" | "cubic";
  /**
   * The first and last rows stay in place: new row i reads at i (from - 1) / (to - 1), and not at
   * (i + 1/2) from / to - 1/2. false by default; not with antialias.
   */
  alignCorners?: boolean;
  /** Where an axis becomes shorter its kernel becomes as much wider, so that every old row counts. */
  antialias?: boolean;
}

/** Without antialias and `"linear"` by default: torch.nn.functional.interpolate(mode="linear", size=length). */
export interface ResizeTableOptions extends ResizeOptions {
  /** The new number of rows, without the prefix. */
  length: number;
}

/** `"cubic"` by default, with antialias unless corners are aligned: timm's resample_abs_pos_embed. */
export interface ResizeGridOptions extends ResizeOptions {
  /** The table's grid, [height, width]; row y · width + x, after the prefix, is that of place (y, x). */
  from: readonly [number, number];
  /** The new one. */
  to: readonly [number, number];
}
