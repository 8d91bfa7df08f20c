import { choice, defineState, number } from "../../core/state";

export const state = defineState({
  relativeMethod: choice("rel", ["alibi", "t5", "offset"]),
  relativeSize: number("rn", 20, 1, 32, true),
  t5Buckets: number("buckets", 32, 4, 64, true),
  t5MaxDistance: number("far", 128, 2, 512, true),
  // A decoder's mask hides the keys after the query; an encoder sees them.
  relativeKeys: choice("t5", ["past", "both"]),
  relativeHeads: number("heads", 8, 1, 64, true),
  relativeHead: number("head", 0, 0, 63, true),
});
