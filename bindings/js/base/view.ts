// Arrays of the caller's, as they are when a call begins.

import { wrongType, wrongValue } from "./check.js";

/** The types of array that values stand in. */
export type Values = Float32Array | Float64Array | Int32Array | Uint16Array | Uint8Array;

/** One of them, to be made at a place in memory. */
export interface ArrayOf<A> {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A;
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
}

/** A typed array and where it stands, read once: a view of the library's memory is empty when that has grown. */
export interface View<A = Values> {
  readonly values: A;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly length: number;
}

/** The engine's own getter: what a subclass says in its place has no say. */
function intrinsic<T>(name: string | symbol): (values: unknown) => T {
  const prototype = Object.getPrototypeOf(Uint8Array.prototype);
  const { get } = Object.getOwnPropertyDescriptor(prototype, name) as { get: () => T };
  return Function.prototype.call.bind(get);
}

const bufferOf = intrinsic<ArrayBufferLike>("buffer");
const byteOffsetOf = intrinsic<number>("byteOffset");
const byteLengthOf = intrinsic<number>("byteLength");
export const lengthOf = intrinsic<number>("length");

/** The name of a typed array's type. By tag and not by instanceof: arrays may come from another frame or realm. */
export const typeOf: (value: unknown) => string | undefined = intrinsic(Symbol.toStringTag);

export const viewOf = <A extends Values>(values: A): View<A> => ({
  values,
  buffer: bufferOf(values),
  byteOffset: byteOffsetOf(values),
  byteLength: byteLengthOf(values),
  length: lengthOf(values),
});

/** The same of a list of numbers, which has no place. */
export const listView = (values: number[]): View<number[]> => ({
  values,
  buffer: nowhere,
  byteOffset: 0,
  byteLength: 0,
  length: values.length,
});

const nowhere = new ArrayBuffer(0);

/** A view of what must be an array of one type. */
export function typed<A extends Values>(argument: string, value: unknown, { name }: ArrayOf<A>): View<A> {
  if (typeOf(value) !== name) throw wrongType(argument, value, `${/^I/.test(name) ? "an" : "a"} ${name}`);
  return viewOf(value as A);
}

/** Throws where what is to be written shares memory with something else of a call. */
export function refuseOverlap(argument: string, written: View<unknown>, name: string, other: View<unknown>): void {
  const first = Math.max(written.byteOffset, other.byteOffset);
  const end = Math.min(written.byteOffset + written.byteLength, other.byteOffset + other.byteLength);
  if (written.buffer === other.buffer && first < end) {
    throw wrongValue(argument, written.values, `memory that does not overlap ${name}`);
  }
}
