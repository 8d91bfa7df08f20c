import { inputsFirst } from "../base/call.js";
import { flag as checkFlag, number as checkNumber, options as checkOptions, wrongType } from "../base/check.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { sinusoidal } from "../sinusoidal/sinusoidal-full.js";
import type * as t from "../types/index.js";
import { seqAxisField, sumInputs, sumSize } from "./attention.js";

export const dropoutOptions = is.group({
  p: is.number,
  seed: is.optional(is.count),
  offset: is.optional(is.count),
  training: is.optional(is.flag),
} satisfies is.FieldsOf<t.Dropout>);

/** Without training no seed is needed. */
export function checkSeed(dropout: is.ReadOf<{ of: typeof dropoutOptions }>["of"] | undefined): void {
  if (dropout && dropout.training !== false && dropout.seed === undefined)
    throw wrongType("dropout.seed", dropout.seed, "a number");
}

export const dropped = inputsFirst(
  { name: "dropout", inputs: { x: is.tensor(), dropout: dropoutOptions }, results: Float32Array },
  ({ x, dropout }) => {
    checkSeed(dropout);
    return { shape: x.shape, what: "x" };
  },
);

export function dropout(module: Module, x: t.TensorInput, options: t.Dropout & t.OutOption): t.Tensor {
  const { out, ...given } = checkOptions(options, ["p", "seed", "offset", "training", "out"], "dropout");
  return dropped(module, x, given, { out });
}

export const droppedSum = inputsFirst(
  {
    name: "positionalEncoding",
    inputs: { ...sumInputs, dropout: dropoutOptions },
    options: seqAxisField,
    results: Float32Array,
  },
  ({ dropout, ...sum }) => {
    checkSeed(dropout);
    return sumSize(sum);
  },
);

/** The defaults are those of the PyTorch tutorial's module. */
export function positionalEncoding(module: Module, options: t.PositionalEncodingOptions): t.PositionalEncoding {
  const own = checkOptions(options, ["dModel", "dropout", "maxLen"], "positionalEncoding");
  const { dModel, dropout = 0.1, maxLen = 5000 } = own;
  const p = checkNumber("dropout", dropout);
  const table = sinusoidal(module, { dim: dModel, length: maxLen });
  return {
    table,
    forward(x, mode) {
      const { seed, training, ...given } = checkOptions(mode, ["training", "seed", "seqAxis", "out"], "forward");
      const dropout = checkFlag("training", training) ? { p, seed } : { p, training };
      return droppedSum(module, x, table, dropout, given);
    },
  };
}
