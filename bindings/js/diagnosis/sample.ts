// Tensors from elsewhere, as the core takes them: all values, as doubles.

import * as check from "../base/check.js";
import { convert, dtypeNamed, dtypeOf, typeOfStored } from "../base/dtype.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { checkUnmoved, shaped, typeOf, type Values, type View, viewOf } from "../base/view.js";
import type * as t from "../types/index.js";

/** Values as given, in a shape that they fit. */
export interface ReadSample {
  readonly argument: string;
  readonly view: View;
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
    const copied = Float64Array.from(is.numbers.read(argument, data as number[]).values);
    return { view: viewOf(argument, copied), dtype, bits: undefined };
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
  const own = check.has(value, "dims")
    ? (value as object as { data?: unknown })
    : check.options<{ data?: unknown; shape?: unknown; dtype?: unknown }>(value, ["data", "shape", "dtype"], argument);
  const named = dtypeNamed(own);
  const dtype = named === undefined ? undefined : check.text(`${argument}.dtype`, named);
  const shape = is.shapeOf(argument, own);
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

/** All values in their shape; bits become numbers as the core converts them. */
export function allValues(module: Module, { argument, view, shape, bits }: ReadSample): View {
  if (!bits) return shaped(view, shape);
  checkUnmoved(`${argument}.data`, view);
  const data = new Uint16Array(view.buffer, view.byteOffset, view.length);
  const numbers = convert(module, { data, shape: [view.length], dtype: bits }, "float32").data as Float32Array;
  return shaped(viewOf(`${argument}.data`, numbers), shape);
}
