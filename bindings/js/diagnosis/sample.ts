// Tensors from elsewhere: their types, and which of their values are examined. A tensor may be larger than the module's
// memory, so that values are picked here, before they are copied.

import * as check from "../base/check.js";
import { convert, dtypeOf, typeOfStored } from "../base/dtype.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { checkAlive, checkUnmoved, listView, shaped, typeOf, type Values, type View, viewOf } from "../base/view.js";
import type { Picks } from "../types/files.js";
import type * as t from "../types/index.js";

/** Values as given, in a shape that they fit. */
export interface ReadSample {
  readonly argument: string;
  readonly view: View<ArrayLike<number>>;
  readonly shape: readonly number[];
  /** The type they are stored in, if that is known. */
  readonly dtype: string | undefined;
  /** Whether they are bits, of this type. */
  readonly bits: t.HalfDType | undefined;
}

const kinds = "an array of numbers, a Float32Array, Float64Array, Float16Array or Uint16Array";

/** Values with what they are, by themselves or in a tensor; bits have to be named. */
function valuesOf(argument: string, data: unknown, dtype: string | undefined): Omit<ReadSample, "argument" | "shape"> {
  const type = typeOfStored(data);
  if (type === undefined && check.isArray(data)) {
    return { view: is.numbers.read(argument, data as number[]), dtype, bits: undefined };
  }
  if (type === "Float64Array") {
    return { view: viewOf(argument, data as Float64Array), dtype, bits: undefined };
  }
  const view = type === undefined ? undefined : viewOf(argument, data as Values);
  if (view && type === "Float32Array") return { view, dtype, bits: undefined };
  if (view && (type === "Float16Array" || type === "Uint16Array")) {
    const bits = dtypeOf(argument, { type }, dtype) as t.HalfDType;
    return { view, dtype: bits, bits };
  }
  throw check.wrongType(argument, data, kinds);
}

/** Reads a tensor, once. */
export function readSample(argument: string, value: unknown): ReadSample {
  if (!check.isObject(value) || check.isArray(value) || typeOf(value)) {
    throw check.wrongType(argument, value, "a tensor { data, shape }");
  }
  const own = check.options<{ data?: unknown; shape?: unknown; dtype?: unknown }>(
    value,
    ["data", "shape", "dtype"],
    argument,
  );
  const dtype = own.dtype === undefined ? undefined : check.text(`${argument}.dtype`, own.dtype);
  const shape = check.shape(`${argument}.shape`, own.shape);
  const values = valuesOf(`${argument}.data`, own.data, dtype);
  const size = check.product(shape);
  if (values.view.length !== size) {
    const expected = `${size} values for shape [${shape.join(", ")}]`;
    throw check.wrongValue(`${argument}.data`, values.view.length, expected);
  }
  if (size === 0) throw check.wrongValue(`${argument}.shape`, shape, "extents of at least 1");
  return { argument, shape, ...values };
}

/** Reads a list of values, which has one axis, or a tensor. */
export function readList(argument: string, value: unknown): ReadSample {
  if (check.isObject(value) && !check.isArray(value) && !typeOf(value)) return readSample(argument, value);
  const values = valuesOf(argument, value, undefined);
  return { argument, shape: [values.view.length], ...values };
}

/** The values at the picked indices, as doubles, in their shape; bits become numbers as the core converts them. */
export function picked(
  module: Module,
  { argument, view, shape, bits }: ReadSample,
  picks: Picks[],
): View<Float64Array> {
  // A list has been copied already.
  if (typeOf(view.values)) {
    checkUnmoved(`${argument}.data`, view);
    checkAlive(`${argument}.data`, view);
  }
  const extents: number[] = [];
  for (let axis = 0; axis < shape.length; ++axis) extents[axis] = picks[axis]?.length ?? (shape[axis] as number);
  const size = check.product(extents);
  const values = view.values as ArrayLike<number>;
  const all = bits ? new Uint16Array(size) : new Float64Array(size);
  // Bits of a Float16Array are read as such.
  const from =
    bits && typeOf(values) === "Float16Array" ? new Uint16Array(view.buffer, view.byteOffset, view.length) : values;
  const at = extents.map(() => 0);
  for (let i = 0; i < size; ++i) {
    let place = 0;
    for (let axis = 0; axis < shape.length; ++axis) {
      const index = at[axis] as number;
      place = place * (shape[axis] as number) + (picks[axis]?.[index] ?? index);
    }
    all[i] = from[place] as number;
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      at[axis] = (at[axis] as number) + 1;
      if ((at[axis] as number) < (extents[axis] as number)) break;
      at[axis] = 0;
    }
  }
  const doubles = bits
    ? new Float64Array(
        convert(module, { data: all as Uint16Array, shape: [size], dtype: bits }, "float32").data as Float32Array,
      )
    : (all as Float64Array);
  return shaped(viewOf(`${argument}.data`, doubles), extents);
}

/** So many tokens suffice: eight or more positions near one another, and others far away. */
export const mostTokens = 64;

/** One head shows what the others repeat; several distinguish the axes. */
export const mostHeads = 8;

/** The tokens that are examined: where there are many the first sixteen, whose angles do not wrap, and others, evenly. */
export function tokensOf(count: number): Picks {
  if (count <= mostTokens) return undefined;
  const near = 16;
  const all: number[] = [];
  for (let i = 0; i < near; ++i) all[i] = i;
  for (let i = near; i < mostTokens; ++i) {
    all[i] = near + Math.floor(((i - near) * (count - 1 - near)) / (mostTokens - 1 - near));
  }
  return all;
}

/** Indices evenly over an axis. */
export function spread(count: number, most: number): Picks {
  if (count <= most) return undefined;
  const all: number[] = [];
  for (let i = 0; i < most; ++i) all[i] = most === 1 ? 0 : Math.floor((i * (count - 1)) / (most - 1));
  return all;
}

/** The picked elements of a part of a list. */
export function pickedList(list: ArrayLike<number>, picks: Picks, from = 0, length = list.length) {
  const all: number[] = [];
  for (let i = 0; i < (picks?.length ?? length); ++i) all[i] = list[from + (picks?.[i] ?? i)] as number;
  return listView(all);
}

/** The numbers of tokens and heads that were examined; null where all were. */
export const sampledOf = (tokens: number, ofTokens: number, heads: number, ofHeads: number): t.Diagnosis["sampled"] =>
  tokens === ofTokens && heads === ofHeads ? null : { tokens: [tokens, ofTokens], heads: [heads, ofHeads] };

/** So many values are examined whole, whatever their axes are. */
const mostValues = 65_536;

export const isLarge = (shape: readonly number[]): boolean => check.product(shape) > mostValues;

/** Pairs of axes that tokens and dimensions may have, the likeliest first: dimensions are usually the last, or the one before. */
export function axesOf(
  { shape, seqAxis, dimAxis }: { shape: readonly number[]; seqAxis: number | undefined; dimAxis: number | undefined },
  tokens: number,
  dim: number | undefined,
): [number, number][] {
  const all: [number, number][] = [];
  for (let dims = shape.length - 1; dims >= 0; --dims) {
    if (dimAxis !== undefined && dimAxis !== dims) continue;
    for (let axis = 0; axis < shape.length; ++axis) {
      const is = seqAxis === undefined ? shape[axis] === tokens : seqAxis === axis;
      if (is && axis !== dims && (shape[dims] as number) > 1) all.push([axis, dims]);
    }
  }
  if (dim === undefined) return all;
  const fits = all.filter(([, dims]) => shape[dims] === dim);
  return [...fits, ...all.filter(([, dims]) => shape[dims] !== dim)];
}

/** Picks the tokens and heads of vectors that are examined. */
export function vectorPicks(shape: readonly number[], tokens: number, dims: number) {
  const picks: Picks[] = [];
  let [left, heads, ofHeads] = [mostHeads, 1, 1];
  for (let axis = shape.length - 1; axis >= 0; --axis) {
    const extent = shape[axis] as number;
    if (axis === tokens) picks[axis] = tokensOf(extent);
    else if (axis !== dims) {
      picks[axis] = spread(extent, left);
      const taken = picks[axis]?.length ?? extent;
      left = Math.floor(left / taken);
      heads *= taken;
      ofHeads *= extent;
    }
  }
  const count = shape[tokens] as number;
  return { picks, sampled: sampledOf(picks[tokens]?.length ?? count, count, heads, ofHeads) };
}

/**
 * Picks the rows of a table that are examined: its shape as [leading, tokens, dimensions], or with complex numbers [leading, tokens,
 * pairs, 2], of which the first leading index is taken. Other axes of one index are left out.
 */
export function rowPicks(shape: readonly number[], kept: number) {
  const own: number[] = [];
  for (let missing = kept + 1 - shape.length; missing > 0; --missing) own[own.length] = 1;
  let left = shape.length - kept;
  for (let axis = 0; axis < shape.length; ++axis) {
    const extent = shape[axis] as number;
    const isLeftOut = left > 0 && extent === 1 && axis < shape.length - 1;
    if (isLeftOut) left -= 1;
    else own[own.length] = extent;
  }
  if (own.length === kept) own.unshift(1);
  const leading = check.product(own.slice(0, own.length - kept));
  const whole = [leading, ...own.slice(own.length - kept)];
  const count = whole[1] as number;
  const tokens = tokensOf(count);
  return { whole, tokens, sampled: sampledOf(tokens?.length ?? count, count, 1, leading) };
}

/** So many queries of a bias are examined, the last, and so many keys, the nearest: they have every distance there is. */
const mostQueries = 64;
const mostKeys = 1024;

/** The part of a bias that is examined, and the position of its first query relative to its first key. */
export function biasWindow(shape: readonly number[], first: number | undefined) {
  const [queries = 1, keys = 1] = shape.slice(-2);
  // A batch is sampled by its first entry; without heads there are two axes.
  const heads = shape.at(-3) ?? 1;
  const batch = check.product(shape.slice(0, -3));
  const flat = shape.length > 2 ? [batch, heads, queries, keys] : shape;
  const one = shape.length > 2 ? [[0], undefined] : [];
  const isWhole = shape.length < 2 || !isLarge([heads, queries, keys]);
  if (isWhole)
    return { picks: one, shape: flat, firstQuery: first, sampled: sampledOf(queries, queries, heads, batch * heads) };
  const run = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
  const queryCount = Math.min(queries, mostQueries);
  const keyCount = Math.min(keys, mostKeys);
  const position = first ?? keys - queries;
  // A bias of both sides shows most distances where the query stands in the middle of the keys.
  const from = Math.max(0, Math.min(queries - queryCount, Math.floor(keys / 2) - position));
  const fromKey = Math.max(0, Math.min(keys - keyCount, position + from - Math.floor(keyCount / 2)));
  const picks: Picks[] = [...one, run(from, queryCount), run(fromKey, keyCount)];
  const sampled = sampledOf(queryCount, queries, heads, batch * heads);
  return { picks, shape: flat, firstQuery: position + from - fromKey, sampled };
}
