import { define } from "../base/call.js";
import { type FieldsOf, flag, optional, whole } from "../base/kinds.js";
import { positionList } from "../frequencies/positions.js";
import { rotaryOption } from "../rotary/rotary.js";
import type { LinearAttentionOptions } from "../types/index.js";
import { attentionSizes, headed } from "./attention.js";

/** Messages call both lists positions. */
const positions: typeof positionList = {
  ...positionList,
  read: (_, value) => positionList.read("positions", value),
};

export const linearAttention = define(
  {
    name: "linearAttention",
    options: {
      rotary: rotaryOption,
      query: headed,
      key: headed,
      value: headed,
      causal: optional(flag),
      queryOffset: optional(whole),
      queryPositions: optional(positions),
      keyPositions: optional(positions),
    } satisfies FieldsOf<LinearAttentionOptions>,
    results: Float32Array,
  },
  (read) => attentionSizes(read).output,
);
