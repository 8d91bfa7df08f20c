// Attention in `posenc`, with the sum of embeddings and a table, and x Wᵀ.

import { define, inputsFirst, type Size } from "../base/call.js";
import { wrongType, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";

export const sumInputs = { x: is.tensor(), table: is.tensor(2) };

export const seqAxisField = { seqAxis: is.optional(is.whole) } satisfies is.FieldsOf<t.SequenceAxis>;

/** x + table, a row for each index of the sequence's axis. */
export function sumSize({ x, table }: is.ReadOf<typeof sumInputs>): Size {
  const dim = x.shape.at(-1);
  if (table.shape[1] !== dim) throw wrongValue("table.shape", table.shape, `[rows, ${dim}]`);
  return { shape: x.shape, what: "x" };
}

export const add = inputsFirst(
  { name: "add", inputs: sumInputs, options: seqAxisField, results: Float32Array },
  sumSize,
);

export const productInputs = { x: is.tensor(), weight: is.tensor(2) };

/** x Wᵀ of x [..., in] and weight [out, in]. */
export function productSize({ x, weight }: is.ReadOf<typeof productInputs>): Size {
  const [outputs, inputs] = weight.shape as [number, number];
  if (x.shape.at(-1) !== inputs) throw wrongValue("weight.shape", weight.shape, `[out, ${x.shape.at(-1)}]`);
  return { shape: [...x.shape.slice(0, -1), outputs], what: "x" };
}

export const linear = inputsFirst({ name: "linear", inputs: productInputs, results: Float32Array }, productSize);

/** A tensor of one head or of several, [rows, columns] or [heads, rows, columns]. */
export const headed: is.Kind<t.TensorInput, is.ReadTensor> = {
  ...is.tensor(),
  read(argument, value) {
    const read = is.tensor().read(argument, value);
    const { length } = read.shape;
    if (length !== 2 && length !== 3) throw wrongValue(`${argument}.shape`, read.shape, "two or three axes");
    return read;
  },
};

export const attentionFields = {
  query: headed,
  key: headed,
  value: headed,
  scale: is.optional(is.number, expected.finite),
} satisfies is.FieldsOf<t.AttentionTensors>;

export const weightsAndOutput = { output: Float32Array, weights: Float32Array };

/** Weights are returned where `weights` is true; without it an array for them is an error. */
export const wantedOf = <Sizes extends { weights: Size }>(
  { weights, ...others }: Sizes,
  wanted: boolean | undefined,
) => (wanted ? { ...others, weights } : others);

/** The shapes of the results, from queries, keys and values that fit together. */
export function attentionSizes({ query, key, value }: Omit<is.ReadOf<typeof attentionFields>, "scale">) {
  const lead = query.shape.slice(0, -2);
  const [queries, dim] = query.shape.slice(-2) as [number, number];
  const [keys, keyDim] = key.shape.slice(-2) as [number, number];
  const [values, valueDim] = value.shape.slice(-2) as [number, number];
  const heads = lead.map((count) => `${count}, `).join("");
  const fits = ({ shape }: is.ReadTensor) => shape.slice(0, -2).join() === lead.join();
  if (keyDim !== dim || !fits(key)) {
    throw wrongValue("key.shape", key.shape, `[${heads}keys, ${dim}], as wide as query`);
  }
  if (values !== keys || !fits(value)) {
    throw wrongValue("value.shape", value.shape, `[${heads}${keys}, dv], as long as key`);
  }
  return {
    weights: { shape: [...lead, queries, keys], what: "heads * queries * keys" },
    output: { shape: [...lead, queries, valueDim], what: "heads * queries * dv" },
  };
}

/** Results of these names. */
export const arraysOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Float32Array])) as Record<Name, Float32ArrayConstructor>;

const likeOf = (what: string, tensor: is.ReadTensor | undefined) => tensor && { shape: tensor.shape, what };

/** Their sizes: each is like the tensor of its name, if that was given. */
export const sizesLike = (read: { readonly [name: string]: unknown }, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, likeOf(name, read[name] as is.ReadTensor | undefined)]));

/** `biasScaled` needs a bias. */
export function checkBias({ bias, biasScaled }: { bias: unknown; biasScaled: unknown }): void {
  if (bias === undefined) {
    if (biasScaled !== undefined) throw wrongType("biasScaled", biasScaled, "nothing without a bias");
  } else if (biasScaled === undefined) {
    throw wrongType("biasScaled", biasScaled, "true or false; it has no default");
  }
}

const biasedFields = {
  ...attentionFields,
  bias: is.optional(is.tensor()),
  biasScaled: is.optional(is.flag),
  weights: is.optional(is.flag),
} satisfies is.FieldsOf<t.AttentionOptions>;

export const attention = define({ name: "attention", options: biasedFields, results: weightsAndOutput }, (read) => {
  const sizes = attentionSizes(read);
  checkBias(read);
  if (read.bias) {
    const { shape } = sizes.weights;
    const wanted = read.bias.shape.length === 3 && shape.length === 2 ? [1, ...shape] : shape;
    if (read.bias.shape.join() !== wanted.join()) {
      throw wrongValue("bias.shape", read.bias.shape, `[${wanted.join(", ")}]`);
    }
  }
  return wantedOf(sizes, read.weights);
});
