import { define, inputsFirst } from "../base/call.js";
import { flag as checkFlag, number as checkNumber, options as checkOptions, wrongType } from "../base/check.js";
import { count, type FieldsOf, flag, group, number, optional, tensor } from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { sinusoidalFull } from "../sinusoidal/sinusoidal-full.js";
import type { Dropout, OutOption, PositionalEncoding, PositionalEncodingOptions, Tensor } from "../types/index.js";
import { sumInputs, sumSize } from "./add.js";

export const dropoutOptions = group({
  p: number,
  seed: optional(count),
  offset: optional(count),
  training: optional(flag),
} satisfies FieldsOf<Dropout>);

/** Without training no seed is needed. */
export function checkSeed(dropout: { seed: number | undefined; training: boolean | undefined } | undefined): void {
  if (dropout && dropout.training !== false && dropout.seed === undefined) {
    throw wrongType("dropout.seed", dropout.seed, "a number");
  }
}

export const dropped = inputsFirst(
  define({ name: "dropout", inputs: { x: tensor(), dropout: dropoutOptions }, results: Float32Array }, (read) => {
    checkSeed(read.dropout);
    return { shape: read.x.shape, what: "x" };
  }),
);

export const dropout = (module: Module, x: Tensor, { out, ...options }: Dropout & OutOption): Tensor =>
  dropped(module, x, options, { out });

export const droppedSum = inputsFirst(
  define(
    {
      name: "positionalEncoding",
      inputs: { ...sumInputs, dropout: dropoutOptions },
      results: Float32Array,
    },
    ({ dropout, ...sum }) => {
      checkSeed(dropout);
      return sumSize(sum);
    },
  ),
);

/** Its defaults are those of the tutorial's module. */
export function positionalEncoding(module: Module, options: PositionalEncodingOptions): PositionalEncoding {
  const {
    dModel,
    dropout = 0.1,
    maxLen = 5000,
  } = checkOptions(options, ["dModel", "dropout", "maxLen"], "positionalEncoding");
  const p = checkNumber("dropout", dropout);
  const table = sinusoidalFull(module, { dim: dModel, length: maxLen });
  return {
    table,
    forward(x, mode) {
      const { out, seed, ...given } = checkOptions(mode, ["training", "seed", "out"], "forward");
      const training = checkFlag("training", given.training);
      return droppedSum(module, x, table, training ? { p, seed } : { p, training }, { out });
    },
  };
}
