import { define } from "../base/call.js";
import { wrongType, wrongValue } from "../base/check.js";
import { type FieldsOf, flag, type Kind, number, optional, type ReadTensor, tensor } from "../base/kinds.js";
import type { AttentionOptions, AttentionTensors, Tensor } from "../types/index.js";

/** A tensor of one head or of several, [rows, columns] or [heads, rows, columns]. */
export const headed: Kind<Tensor, ReadTensor> = {
  ...tensor(),
  read(argument, value) {
    const read = tensor().read(argument, value);
    const { length } = read.shape;
    if (length !== 2 && length !== 3) throw wrongValue(`${argument}.shape`, read.shape, "two or three axes");
    return read;
  },
};

export const attentionFields = {
  query: headed,
  key: headed,
  value: headed,
  scale: optional(number, "a finite number"),
} satisfies FieldsOf<AttentionTensors>;

export const weightsAndOutput = { output: Float32Array, weights: Float32Array };

/** What the results of queries, keys and values that fit together are like. */
export function attentionSizes({ query, key, value }: { query: ReadTensor; key: ReadTensor; value: ReadTensor }) {
  const lead = query.shape.slice(0, -2);
  const [queries, dim] = query.shape.slice(-2) as [number, number];
  const [keys, keyDim] = key.shape.slice(-2) as [number, number];
  const [values, valueDim] = value.shape.slice(-2) as [number, number];
  const heads = lead.map((count) => `${count}, `).join("");
  const fits = ({ shape }: ReadTensor) => shape.slice(0, -2).join() === lead.join();
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

/** `biasScaled` stands beside a bias or not at all. */
export function checkBias({ bias, biasScaled }: { bias: unknown; biasScaled: unknown }): void {
  if (bias === undefined) {
    if (biasScaled !== undefined) throw wrongType("biasScaled", biasScaled, "nothing without a bias");
  } else if (biasScaled === undefined) {
    throw wrongType("biasScaled", biasScaled, "true or false; it has no default");
  }
}

const biasedFields = {
  ...attentionFields,
  bias: optional(tensor()),
  biasScaled: optional(flag),
} satisfies FieldsOf<AttentionOptions>;

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
  return sizes;
});
