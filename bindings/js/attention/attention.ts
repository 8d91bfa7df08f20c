// Attention in `posenc`, with the sum of embeddings and a table, and x Wᵀ.

import { define, inputsFirst, type Size } from "../base/call.js";
import { checkExtents, count, wrongShape, wrongType, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import { storedTensor } from "../base/stored.js";
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

export const weightsAndOutput = { output: Float32Array, weights: Float32Array };

/** Weights are returned where `weights` is true; without it an array for them is an error. */
export const wantedOf = <Sizes extends { weights: Size }>(
  { weights, ...others }: Sizes,
  wanted: boolean | undefined,
) => (wanted ? { ...others, weights } : others);

/** `biasScaled` needs a bias. */
export function checkBias({ bias, biasScaled }: { bias: unknown; biasScaled: unknown }): void {
  if (bias === undefined) {
    if (biasScaled !== undefined) throw wrongType("biasScaled", biasScaled, "nothing without a bias");
  } else if (biasScaled === undefined) {
    throw wrongType("biasScaled", biasScaled, "true or false; it has no default");
  }
}

/** The options of attention besides its tensors that every entry has. */
export const scoreFields = {
  scale: is.optional(is.number, expected.finite),
  bias: is.optional(is.tensor()),
  biasScaled: is.optional(is.flag),
  alibi: is.optional(is.flag),
  keyMask: is.optional(is.booleans),
  causal: is.optional(is.flag),
  queryOffset: is.optional(is.wholes),
  window: is.optional(is.whole),
} satisfies is.FieldsOf<t.ScoreTerms>;

/** Checks what the core does not know; that masks and a bias fit the pairs is checked there. */
export function checkTerms(terms: is.ReadOf<typeof scoreFields>, batch: number, keys: number): void {
  checkBias(terms);
  const { keyMask } = terms;
  const wanted = keyMask?.shape.length === 1 && batch === 1 ? [keys] : [batch, keys];
  if (keyMask && keyMask.shape.join() !== wanted.join()) throw wrongShape("keyMask", keyMask.shape, wanted);
  checkRows("queryOffset", terms.queryOffset, batch);
}

/** One number for all rows of a batch, or one for each. */
export function checkRows(argument: string, list: readonly number[] | undefined, batch: number): void {
  if (list && list.length !== 1 && list.length !== batch)
    throw wrongValue(argument, list, `one number, or ${batch}, one for each row of the batch`);
}

export const cacheOptions = is.group({
  length: is.optional(is.wholes),
  seqAxis: is.optional(is.whole),
  sequences: is.optional(is.wholes),
} satisfies is.FieldsOf<t.AttentionCache>);

/** Whether the sequence's axis is before that of heads. */
function isSequenceFirst(argument: string, seqAxis: number | undefined, rank: number): boolean {
  const fromEnd = seqAxis === undefined ? -2 : seqAxis < 0 ? seqAxis : seqAxis - rank;
  if (fromEnd !== -2 && (fromEnd !== -3 || rank === 2)) {
    const other = rank === 2 ? "" : " or -3, as in [..., seq, heads, d]";
    throw wrongValue(argument, seqAxis, `-2, as in [..., seq, d]${other}`);
  }
  return fromEnd === -3;
}

type Extents = Pick<is.ReadTensor, "shape">;

/** Throws for another number of axes and other extents; a name is an extent that is free. */
function checkAxes(argument: string, { shape }: Extents, wanted: readonly (number | string)[]): void {
  if (shape.length !== wanted.length) throw wrongValue(`${argument}.shape`, shape, `${wanted.length} axes, as query`);
  if (wanted.some((extent, axis) => typeof extent === "number" && extent !== shape[axis]))
    throw wrongShape(argument, shape, wanted);
}

/** Four extents with heads before the sequence as an array has them, or back. */
const ordered = <A>(isSwapped: boolean, [batch, heads, seq, dim]: readonly [A, A, A, A]): [A, A, A, A] =>
  isSwapped ? [batch, seq, heads, dim] : [batch, heads, seq, dim];

const fourOf = ({ shape }: Extents) => [1, 1, ...shape].slice(-4) as [number, number, number, number];

/** `sizesOf` reads these of tensors, whatever their dtype, and how they lie. */
interface Read extends is.ReadOf<typeof scoreFields> {
  query: Extents;
  key: Extents;
  value: Extents;
  seqAxis?: number | undefined;
  cache?: is.ReadOf<typeof cacheOptions.fields> | undefined;
}

/** Tensors of two to four axes, [batch, heads, rows, columns] or less; the core checks whether heads share keys. */
export function sizesOf({ query, key, value, seqAxis, cache, ...terms }: Read) {
  const { length: rank } = query.shape;
  if (rank < 2 || rank > 4) throw wrongValue("query.shape", query.shape, "two to four axes");
  const isSwapped = isSequenceFirst("seqAxis", seqAxis, rank);
  const areSwapped = cache?.seqAxis === undefined ? isSwapped : isSequenceFirst("cache.seqAxis", cache.seqAxis, rank);
  const last = (...shape: [number | string, number | string, number | string, number | string]) =>
    ordered<number | string>(areSwapped, shape).slice(-rank);
  const [batch, heads, queries, dim] = ordered(isSwapped, fourOf(query));
  checkRows("cache.sequences", cache?.sequences, batch);
  const rows = cache?.sequences ? (fourOf(key)[0] as number) : batch;
  checkAxes("key", key, last(rows, "kvHeads", cache ? "capacity" : "keys", dim));
  const [, kvHeads, capacity] = ordered(areSwapped, fourOf(key));
  if (seqAxis === undefined && rank > 2 && heads % kvHeads > 0)
    throw wrongValue(
      "kvHeads",
      kvHeads,
      `a divisor of ${heads} heads, or seqAxis: ${rank - 3} for [..., seq, heads, d]`,
    );
  checkAxes("value", value, last(rows, kvHeads, capacity, "dv"));
  const lengths = cache?.length;
  checkRows("cache.length", lengths, batch);
  const keys = lengths ? Math.max(...lengths) : capacity;
  for (const [i, length] of (lengths ?? []).entries()) {
    const name = lengths?.length === 1 ? "cache.length" : `cache.length[${i}]`;
    count(name, length);
    if (length > capacity) throw wrongValue(name, length, `at most the capacity, ${capacity}`);
  }
  checkTerms(terms, batch, keys);
  const [lead, dv] = [query.shape.slice(0, -2), value.shape.at(-1) as number];
  return {
    weights: { shape: [batch, heads, queries, keys].slice(-rank), what: "batch * heads * queries * keys" },
    output: { shape: [...lead, query.shape.at(-2) as number, dv], what: "batch * heads * queries * dv" },
  };
}

export const attentionFields = {
  query: is.tensor(),
  key: storedTensor,
  value: storedTensor,
  seqAxis: is.optional(is.whole),
  cache: is.optional(cacheOptions),
  ...scoreFields,
} satisfies is.FieldsOf<Omit<t.AttentionOptions, "weights">>;

const forwardFields = { ...attentionFields, weights: is.optional(is.flag) } satisfies is.FieldsOf<t.AttentionOptions>;

export const attention = define(
  {
    name: "attention",
    options: forwardFields,
    results: weightsAndOutput,
    inFull: ["mask", "maskMeaning", "biasForm", "dropout", "precision"],
  },
  ({ weights, ...inputs }) => {
    const sizes = sizesOf(inputs);
    const pairs = sizes.weights.shape.slice(-3);
    const wanted = inputs.bias?.shape.length === 2 && pairs[0] === 1 ? pairs.slice(1) : pairs;
    if (inputs.bias) checkExtents("bias", inputs.bias.shape, wanted);
    return wantedOf(sizes, weights);
  },
);
