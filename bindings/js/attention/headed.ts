// Queries, keys and values of one head or of several, without a batch: of the kinds of attention beside `attention`.

import { wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";

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

export const headedFields = {
  query: headed,
  key: headed,
  value: headed,
  scale: is.optional(is.number, expected.finite),
} satisfies is.FieldsOf<t.AttentionTensors>;

/** The shapes of the results, from queries, keys and values that fit together. */
export function headedSizes({ query, key, value }: Omit<is.ReadOf<typeof headedFields>, "scale">) {
  const lead = query.shape.slice(0, -2);
  const [queries, dim] = query.shape.slice(-2) as [number, number];
  const [keys, keyDim] = key.shape.slice(-2) as [number, number];
  const [values, valueDim] = value.shape.slice(-2) as [number, number];
  const heads = lead.map((count) => `${count}, `).join("");
  const fits = ({ shape }: is.ReadTensor) => shape.slice(0, -2).join() === lead.join();
  if (keyDim !== dim || !fits(key))
    throw wrongValue("key.shape", key.shape, `[${heads}keys, ${dim}], as wide as query`);
  if (values !== keys || !fits(value))
    throw wrongValue("value.shape", value.shape, `[${heads}${keys}, dv], as long as key`);
  return {
    weights: { shape: [...lead, queries, keys], what: "heads * queries * keys" },
    output: { shape: [...lead, queries, valueDim], what: "heads * queries * dv" },
  };
}
