import type { IdsOut } from "./out.js";

/** An attention mask, [sequence] or [batch, sequence]: 1 or true for a token, 0 or false for padding. */
export interface AttentionMask {
  data: ArrayLike<number> | readonly boolean[];
  shape: readonly number[];
}

export interface MaskPositionsOptions extends IdsOut {
  /** The position of padding, where nothing should look: 1 by default, as in Hugging Face transformers; 0 elsewhere. */
  padding?: number;
}
