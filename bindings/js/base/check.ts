// What a JavaScript value must be before it can become an argument of the core. What it may mean is checked in the
// core, once; its answer is thrown here, once.

import type { Module } from "./module.js";

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

/** What the core says, in UTF-8. */
export const textAt = ({ HEAPF64 }: Module, address: number, size: number): string =>
  new TextDecoder().decode(new Uint8Array(HEAPF64.buffer, address, size));

/** What the core found wrong, as it reports it (embind/crossing.hpp), once: which argument, and the error. */
export function reported(module: Module, report: number): { argument: string; error: RangeError } {
  const [number, ...places] = module.HEAPF64.subarray(report / 8, report / 8 + 7) as unknown as [number, ...number[]];
  const texts = [0, 2, 4].map((at) => textAt(module, places[at] as number, places[at + 1] as number));
  const [argument, value, expected] = texts as [string, string, string];
  module.release(report);
  // It quotes its texts itself.
  return { argument, error: new RangeError(message(argument, value || String(number), expected)) };
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

export function flag(argument: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw wrongType(argument, value, "true or false");
  return value;
}

/** Extents, each a whole number >= 0. */
export function shape(argument: string, value: unknown): number[] {
  if (!Array.isArray(value)) throw wrongType(argument, value, "an array of extents");
  return Array.from(value, (extent, axis) => count(`${argument}[${axis}]`, extent));
}

/** Throws unless a tensor's extents are these. */
export function checkExtents(argument: string, given: readonly number[], wanted: readonly number[]): void {
  if (given.length !== wanted.length) throw wrongValue(`${argument}.shape`, given, `${wanted.length} axes`);
  if (given.join() !== wanted.join()) throw wrongValue(`${argument}.shape`, given, `[${wanted.join(", ")}]`);
}

export function product(extents: readonly number[]): number {
  return extents.reduce((all, extent) => all * extent, 1);
}
