// Arrays of the caller's that results are written to: `out`, or `out.cos` and `out.sin`.

import type { Module } from "posenc-module";
import { addressInside } from "./buffer.js";
import { wrongType } from "./check.js";

/** The arrays that results are made in. */
export type Values = Float32Array | Int32Array | Uint16Array | Float64Array;

/** One of them as it was when the call began: a view of a buffer becomes empty when the module's memory grows. */
export interface Out {
  readonly name: string;
  readonly values: Values;
  /** In a buffer of the module. */
  readonly isInside: boolean;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly length: number;
}

/** What was given under the names that a function knows; whether it fits is asked when its result's size is known. */
export function outsOf(module: Module, names: readonly string[], given: unknown, name = "out"): Out[] {
  if (given === undefined) return [];
  if (names.includes(name)) {
    const values = (given ?? {}) as Values;
    const { buffer, byteOffset, byteLength, length } = values;
    const isInside = addressInside(module, name, values) !== undefined;
    return [{ name, values, isInside, buffer, byteOffset, byteLength, length }];
  }
  const known = names.filter((other) => other.startsWith(`${name}.`));
  if (known.length === 0 || typeof given !== "object" || given === null || ArrayBuffer.isView(given)) {
    throw wrongType(name, given, (known.length === 0 ? names : known).join(", "));
  }
  return Object.entries(given).flatMap(([key, inner]) => outsOf(module, names, inner, `${name}.${key}`));
}
