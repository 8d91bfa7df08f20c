import { choice, defineState, number } from "../../core/state";

export const state = defineState({
  methodLength: number("mn", 512, 2, 1024, true),
  methodDim: number("md", 64, 2, 256, true),
  methodHeads: number("mh", 8, 1, 32, true),
  methodAsked: choice("asked", ["relative", "trainable", "stored", "distinct", "beyond", "time"]),
  methodNamed: choice("method", ["sinusoid", "learned", "shaw", "t5", "alibi", "rope"]),
});
