import { choice, defineState, number, numbers } from "../../core/state";

export const state = defineState({
  relativeMethod: choice("rel", ["alibi", "offset", "clip", "t5", "kerple", "learned"]),
  relativeSize: number("rn", 12, 1, 32, true),
  relativeClip: number("rk", 3, 1, 31, true),
  t5Buckets: number("buckets", 8, 4, 64, true),
  t5MaxDistance: number("far", 16, 2, 512, true),
  t5Direction: choice("t5", ["both", "past"]),
  relativeHeads: number("heads", 8, 1, 64, true),
  relativeHead: number("head", 1, 1, 64, true),
  kerpleKernel: choice("kernel", ["logarithmic", "power"]),
  kerpleR1: number("r1", 1, 0.01, 10),
  kerpleR2: number("r2", 0.5, 0.01, 2),
  learnedBiases: numbers(
    "biases",
    [-0.8, -0.7, -0.6, -0.4, -0.1, 0.3, 0.9, 0.2, 0.6, 0.1, -0.3, -0.5, -0.6, -0.7, -0.7],
    -100,
    100,
  ),
});
