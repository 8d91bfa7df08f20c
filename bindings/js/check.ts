// What a JavaScript value must be before it can become an argument of the core. What it may mean is checked in the
// core, once; its answer is thrown here, once.

import type { Failure } from "posenc-module";
import type { Tensor } from "./types/index.js";

/** How a value is shown in a message: short, whatever it is. */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value) && value.length <= 8) return `[${value.join(", ")}]`;
  if (typeof value === "object" && value !== null) return Object.prototype.toString.call(value);
  return String(value);
}

/** Where a choice is expected, its names are quoted, here as in the core: the likeliest leads. */
function message(argument: string, value: string, expected: string): string {
  const names = /^one of "/.test(expected) ? expected.slice(7).split(", ") : [];
  return `${argument}: ${value}, expected ${suggesting(value, names, expected)}`;
}

export function wrongType(argument: string, value: unknown, expected: string): TypeError {
  return new TypeError(message(argument, shown(value), expected));
}

export function wrongValue(argument: string, value: unknown, expected: string): RangeError {
  return new RangeError(message(argument, shown(value), expected));
}

/** What was expected, led by the name that a misspelt one is most like, by the pairs of letters both have. */
function suggesting(given: string, names: readonly string[], expected: string): string {
  const likeness = (name: string) =>
    [...given].filter((_, i) => name.includes(given.slice(i, i + 2))).length / (given.length + name.length);
  const best = names.reduce((one, other) => (likeness(other) > likeness(one) ? other : one), "");
  return likeness(best) >= 0.2 ? `${best} (or ${expected})` : expected;
}

/** Throws what the core found wrong; gives back anything else. The core quotes its strings itself. */
export function unwrap<T>(result: T | Failure): T {
  const failure = result as Failure | undefined;
  if (!failure?.expected) return result as T;
  throw new RangeError(message(failure.argument, String(failure.value), failure.expected));
}

/**
 * The options, read once: what a getter says later has no say. Unknown keys are named, since a misspelt one would
 * otherwise be lost in silence.
 */
export function options<T extends object>(value: T, known: readonly (keyof T & string)[], where: string): T {
  if (typeof value !== "object" || value === null) throw wrongType(where, value, "an object of options");
  const given = { ...value };
  for (const key in given) {
    if (!(known as readonly string[]).includes(key)) {
      throw wrongType(`${where}.${key}`, given[key], suggesting(key, known, `one of ${known.join(", ")}`));
    }
  }
  return given;
}

export function number(argument: string, value: unknown): number {
  if (typeof value !== "number") throw wrongType(argument, value, "a number");
  return value;
}

/** A whole number a double holds exactly; how large it may be is for the core to say. */
export function whole(argument: string, value: unknown): number {
  if (!Number.isSafeInteger(number(argument, value))) throw wrongValue(argument, value, "a whole number");
  return value as number;
}

/** A whole number that counts something. */
export function count(argument: string, value: unknown): number {
  if (whole(argument, value) < 0) throw wrongValue(argument, value, "a whole number >= 0");
  return value as number;
}

export function text(argument: string, value: unknown, expected = "a string"): string {
  if (typeof value !== "string") throw wrongType(argument, value, expected);
  return value;
}

/** For options that have a default in the core: NaN stands for one that was not given. */
export function numberIfGiven(argument: string, value: unknown): number {
  if (value === undefined) return Number.NaN;
  if (Number.isNaN(number(argument, value))) throw wrongValue(argument, value, "a number, or nothing in its place");
  return value as number;
}

/** The same for names: the empty one stands for nothing. */
export function nameIfGiven(argument: string, value: unknown): string {
  if (value === undefined) return "";
  if (text(argument, value) === "") throw wrongValue(argument, value, "a name, or nothing in its place");
  return value as string;
}

/** The same for flags, as 0 or 1. */
export function flagIfGiven(argument: string, value: unknown): number {
  return value === undefined ? Number.NaN : Number(flag(argument, value));
}

export function flag(argument: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw wrongType(argument, value, "true or false");
  return value;
}

/** The type of a typed array. By tag and not by instanceof: arrays may come from another frame or realm. */
export function typeOf(value: unknown): string | undefined {
  return ArrayBuffer.isView(value) ? (value as Float32Array)[Symbol.toStringTag] : undefined;
}

export function float32Array(argument: string, value: unknown): Float32Array {
  if (typeOf(value) !== "Float32Array") {
    throw wrongType(argument, value, "a Float32Array");
  }
  return value as Float32Array;
}

export function int32Array(argument: string, value: unknown): Int32Array {
  if (typeOf(value) !== "Int32Array") {
    throw wrongType(argument, value, "an Int32Array");
  }
  return value as Int32Array;
}

/** A list of numbers: a copy of an array, since a proxy may say another length later, or a typed array but of bigints. */
export function numbers(argument: string, value: unknown): ArrayLike<number> {
  const list = value as ArrayLike<number> | null | undefined;
  const isTyped = ArrayBuffer.isView(list) && !(list instanceof DataView);
  if (!Array.isArray(list) && !isTyped) throw wrongType(argument, value, "an array of numbers");
  const wrong = Array.prototype.findIndex.call(list, (item: unknown) => typeof item !== "number");
  if (wrong >= 0) throw wrongType(`${argument}[${wrong}]`, (list as ArrayLike<number>)[wrong], "a number");
  return isTyped ? list : [...(list as number[])];
}

/** Extents, each a whole number >= 0. */
export function shape(argument: string, value: unknown): number[] {
  if (!Array.isArray(value)) throw wrongType(argument, value, "an array of extents");
  return Array.from(value, (extent, axis) => count(`${argument}[${axis}]`, extent));
}

/** A tensor whose data fits its shape, of `rank` axes where that is given. */
export function tensor(argument: string, value: Tensor, rank?: number): Tensor {
  if (typeof value !== "object" || value === null) throw wrongType(argument, value, "a tensor { data, shape }");
  const data = float32Array(`${argument}.data`, value.data);
  const extents = shape(`${argument}.shape`, value.shape);
  if (rank !== undefined && extents.length !== rank) {
    throw wrongValue(`${argument}.shape`, extents, `${rank} axes`);
  }
  if (extents.length === 0) throw wrongValue(`${argument}.shape`, extents, "at least one axis");
  const size = product(extents);
  if (data.length !== size) {
    throw wrongValue(`${argument}.data`, data.length, `${size} values for shape [${extents.join(", ")}]`);
  }
  return { data, shape: extents };
}

/** The data of a tensor of exactly this shape. */
export function shaped(argument: string, value: Tensor, wanted: readonly number[]): Float32Array {
  const { data, shape } = tensor(argument, value, wanted.length);
  if (shape.some((extent, axis) => extent !== wanted[axis])) {
    throw wrongValue(`${argument}.shape`, shape, `[${wanted.join(", ")}]`);
  }
  return data;
}

export function product(extents: readonly number[]): number {
  return extents.reduce((all, extent) => all * extent, 1);
}
