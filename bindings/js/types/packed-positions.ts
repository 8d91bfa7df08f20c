import type { IdsOut } from "./out.js";

/** An attention mask, [sequence] or [batch, sequence]: 1 or true for a token, 0 or false for padding. */
export interface AttentionMask {
  /** As many as the extents multiply to. */
  data: ArrayLike<number> | readonly boolean[];
  /** [sequence] or [batch, sequence] */
  shape: readonly number[];
}

/** What `maskPositions` gives padding, and where it writes. */
export interface MaskPositionsOptions extends IdsOut {
  /** The position of padding, where nothing should look: 1 by default, as in Hugging Face transformers; 0 elsewhere. */
  padding?: number;
}
