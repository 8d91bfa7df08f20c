import type { Claim, ClaimId } from "../claim";
import { comparisonTable } from "./comparison-table";
import { learnedPositions } from "./learned-positions";
import { relativeAttention } from "./relative-attention";
import { rotary } from "./rotary";
import { sinusoidAndRope } from "./sinusoid-and-rope";
import { sinusoidCode } from "./sinusoid-code";
import { wordOrder } from "./word-order";
import { wordPlusPosition } from "./word-plus-position";

/** All checks by subject: posts A, B (in two files), C (in three), D and E. */
export const claims: Readonly<Record<ClaimId, Claim>> = {
  ...sinusoidCode,
  ...relativeAttention,
  ...learnedPositions,
  ...wordOrder,
  ...rotary,
  ...comparisonTable,
  ...sinusoidAndRope,
  ...wordPlusPosition,
};
