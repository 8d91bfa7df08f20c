import { buffer } from "./base/buffer.js";
import { bind } from "./base/call.js";
import { loader } from "./base/load.js";
import { train } from "./learning/run.js";
import { training } from "./learning/training.js";
import type { PosencLab, TrainOptions } from "./types/index.js";

export { hasSimd } from "./base/compile.js";

/** The API of the entry of the lab. */
const functions = { training, buffer };

type All = { [Name in keyof Omit<PosencLab, "train">]: unknown };

/** Loads it, with the .wasm that an entry brings; its workers are given the same, compiled. */
export const loadFrom = (own: () => unknown) =>
  loader(
    (module, compiled) =>
      Object.freeze({
        ...bind(module, functions satisfies All),
        train: (options: TrainOptions) => train(compiled, options),
      }) as unknown as PosencLab,
    own,
  );
