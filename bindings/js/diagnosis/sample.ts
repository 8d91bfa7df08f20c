// Tensors from elsewhere, as the core takes them: all values, of the type that their array has.

import * as check from "../base/check.js";
import { convert } from "../base/dtype.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { dtypeNamed, dtypeOf, typeOfStored } from "../base/stored.js";
import { typeOf, type Values, type View, viewOf } from "../base/view.js";
import type * as t from "../types/index.js";

/** Values as given, in a shape that they fit. */
export interface ReadSample {
  readonly argument: string;
  /** With the type of the values in the array as its dtype. */
  readonly view: View;
  readonly shape: readonly number[];
  /** The type they were rounded to, if that is known. */
  readonly dtype: string | undefined;
  readonly quantized?: string | undefined;
}

type Given = { readonly [name: string]: unknown };

const quantizations: readonly string[] = ["q8_0", "fp8-e4m3", "fp8-e5m2"];

const kinds = "an array of numbers, a Float32Array, Float64Array, Float16Array or Uint16Array";

/** A view of values of one type. */
export function viewAs(argument: string, values: Values, dtype: string): View {
  const view = viewOf(argument, values);
  view.dtype = dtype;
  return view;
}

/** Values with what they are, by themselves or in a tensor; bits have to be named. */
function valuesOf(argument: string, data: unknown, named: string | undefined): Pick<ReadSample, "view" | "dtype"> {
  const type = typeOfStored(data);
  if (type === undefined && check.isArray(data)) {
    const copied = Float64Array.from(is.numbers.read(argument, data as number[]).values);
    // Numbers without a type are those of float32 where all are.
    const dtype = named ?? (copied.every((value) => Math.fround(value) === value) ? "float32" : "float64");
    return { view: viewAs(argument, copied, "float64"), dtype };
  }
  if (type === "Float64Array" || type === "Float32Array")
    return { view: viewAs(argument, data as Values, type === "Float64Array" ? "float64" : "float32"), dtype: named };
  if (type !== "Float16Array" && type !== "Uint16Array") throw check.wrongType(argument, data, kinds);
  const dtype = dtypeOf(argument, { type }, named);
  return { view: viewAs(argument, data as Values, dtype), dtype };
}

/** Reads a tensor, once. */
export function readSample(argument: string, value: unknown): ReadSample {
  if (!check.isObject(value) || check.isArray(value) || typeOf(value))
    throw check.wrongType(argument, value, "a tensor { data, shape }");
  const own = check.has(value, "dims")
    ? (value as Given)
    : check.names<Given>(value as Given, ["data", "shape", "dtype", "quantized"], argument);
  const { quantized } = own as Given;
  if (quantized !== undefined && !quantizations.includes(check.text(`${argument}.quantized`, quantized)))
    throw check.wrongValue(`${argument}.quantized`, quantized, expected.one_of, { names: quantizations.join(", ") });
  const named = dtypeNamed(own);
  const dtype = named === undefined ? undefined : check.text(`${argument}.dtype`, named);
  const shape = is.shapeOf(argument, own);
  const values = valuesOf(`${argument}.data`, own.data, dtype);
  const size = check.product(shape);
  if (values.view.length !== size) {
    const wanted = `${size} values for shape ${check.shownShape(shape)}`;
    throw check.wrongValue(`${argument}.data`, values.view.length, wanted);
  }
  if (size === 0) throw check.wrongValue(`${argument}.shape`, shape, "extents of at least 1");
  return { argument, shape, ...values, ...(quantized !== undefined && { quantized: quantized as string }) };
}

/** Reads a list of values, which has one axis, or a tensor. */
export function readList(argument: string, value: unknown): ReadSample {
  if (check.isObject(value) && !check.isArray(value) && !typeOf(value)) return readSample(argument, value);
  const values = valuesOf(argument, value, undefined);
  return { argument, shape: [values.view.length], ...values };
}

/** All values as numbers; bits as the core converts them. */
export function asNumbers(module: Module, { argument, view }: ReadSample): ArrayLike<number> {
  const { dtype, length } = view;
  if (dtype === "float64" || dtype === "float32") return view.values as ArrayLike<number>;
  const { buffer, byteOffset } = viewOf(`${argument}.data`, view.values);
  const data = new Uint16Array(buffer, byteOffset, length);
  return convert(module, { data, shape: [length], dtype: dtype as t.HalfDType }, "float32").data as Float32Array;
}

/** Says of a value that is refused, "after.data[1280]", whose it is: its token, head and dimension. */
export function placed<Made>(
  samples: readonly ReadSample[],
  { tokens, dims }: { tokens: number | undefined; dims: number },
  look: () => Made,
): Made {
  try {
    return look();
  } catch (error) {
    const { code, argument = "" } = error as Partial<t.ErrorFields>;
    const [, name, index] = /^(\w+)\.data\[(\d+)\]$/.exec(argument) ?? [];
    const shape = samples.find((each) => each.argument === name)?.shape;
    if (code !== "finite" || !shape || tokens === undefined) throw error;
    const heads = shape.findLastIndex((extent, axis) => extent > 1 && axis !== tokens && axis !== dims);
    const place = shape.flatMap((extent, axis) => {
      const name = axis === tokens ? "token" : axis === dims ? "dimension" : axis === heads ? "head" : "batch";
      const at = Math.floor(Number(index) / check.product(shape.slice(axis + 1))) % extent;
      return extent > 1 ? [`${name} ${at}`] : [];
    });
    throw check.wrongValue(`${argument} (${place.join(", ")})`, (error as t.ErrorFields).value, expected.finite);
  }
}
