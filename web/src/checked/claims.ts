import type { Claim, ClaimId } from "./claim";
import { relativeAttention } from "./relative-attention";
import { rotary } from "./rotary";
import { sinusoidAndRope } from "./sinusoid-and-rope";
import { sinusoidCode } from "./sinusoid-code";
import { wordOrder } from "./word-order";
import { wordPlusPosition } from "./word-plus-position";

/** All checks, by document: A, B, C (in two files, by subject), D and E. */
export const claims: Readonly<Record<ClaimId, Claim>> = {
  ...sinusoidCode,
  ...relativeAttention,
  ...wordOrder,
  ...rotary,
  ...sinusoidAndRope,
  ...wordPlusPosition,
};
