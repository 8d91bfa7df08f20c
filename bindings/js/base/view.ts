// Arrays of the caller's, as they are when a call begins, and which of the library's buffers they show.

import {
  Bare,
  bufferOf,
  get,
  getter,
  memoryOf,
  noMemory,
  prototype,
  uncurried,
  wrongType,
  wrongValue,
} from "./check.js";
import * as expected from "./expected.js";
import type { Module } from "./module.js";

/** As they were when this was loaded: sizes and addresses depend on them. */
export const { ceil, max, min } = Math;

/** The types of array that contain values. */
export type Values = Float32Array | Float64Array | Int32Array | Uint16Array | Uint8Array;

/** One of them, to be made at a place in memory, or as a copy. */
export interface ArrayOf<A> {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A;
  new (values: ArrayLike<number>): A;
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
}

/**
 * A typed array and where it is, read once: a view of the library's memory is empty when that has grown. What a kind
 * of option finds out besides has its place here from the start: nothing is found by inheritance, nor copied.
 */
export interface View<A = Values> {
  readonly name: string;
  values: A;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly length: number;
  shape: readonly number[];
  type: string;
  /** The dtype of stored values; `dtypeOf` in dtype.ts sets it before they are written. */
  dtype: string;
}

const { defineProperty } = Object;

const byteOffsetOf = getter<number>("byteOffset");
const byteLengthOf = getter<number>("byteLength");
const lengthOf = getter<number>("length");
/** The name of a typed array's type. By tag and not by instanceof: arrays may come from another frame or realm. */
export const typeOf = getter<string | undefined>(Symbol.toStringTag);
const subarray = uncurried<(values: unknown, begin?: number, end?: number) => Values>(prototype.subarray);
const indicesOf = uncurried<(values: unknown) => unknown>(prototype.keys);
/** Writes values into an array, from its start. */
export const write = uncurried<(values: Values, from: ArrayLike<number>) => void>(prototype.set);
export const fill = uncurried<(values: Values, value: number) => void>(prototype.fill);

/** Throws where an array's memory was released, detached or shortened, or where it `isMoved`. */
function checkThere(argument: string, values: unknown, isMoved = false): void {
  try {
    indicesOf(values);
    if (!isMoved) return;
  } catch {}
  const isView = get(owners, values as object);
  throw wrongType(argument, values, isView ? expected.new_view : expected.unmoved);
}

export function viewOf<A extends Values>(argument: string, values: A): View<A> {
  const length = lengthOf(values);
  if (length === 0) checkThere(argument, values);
  return view(argument, values, length, bufferOf(values), byteOffsetOf(values), byteLengthOf(values));
}

/** A view of a list of numbers, which has no address. */
export const listView = (values: number[]): View<number[]> => view("", values, values.length, nowhere, 0, 0);

function view<A>(
  name: string,
  values: A,
  length: number,
  buffer: ArrayBufferLike,
  byteOffset: number,
  byteLength: number,
): View<A> {
  return { name, values, buffer, byteOffset, byteLength, length, shape: none, type: "", dtype: "" };
}

/** A view that was just read, with its shape. */
export function shaped<A>(view: View<A>, shape: readonly number[]): View<A> {
  view.shape = shape;
  return view;
}

const nowhere = new ArrayBuffer(0);
const none: readonly number[] = [];

/** A view of what must be an array of one type. */
export function typed<A extends Values>(argument: string, value: unknown, { name }: ArrayOf<A>): View<A> {
  if (typeOf(value) !== name)
    throw wrongType(argument, value, expected.type, { article: /^I/.test(name) ? "an" : "a", type: name });
  return viewOf(argument, value as A);
}

/** Throws where what is to be written shares memory with something else of a call. */
export function refuseOverlap(argument: string, written: View<unknown>, name: string, other: View<unknown>): void {
  const first = max(written.byteOffset, other.byteOffset);
  const end = min(written.byteOffset + written.byteLength, other.byteOffset + other.byteLength);
  if (written.buffer === other.buffer && first < end) {
    throw wrongValue(argument, written.values, expected.apart, { other: name });
  }
}

/** An object with memory in a module, until it is released or collected. */
export interface Owner {
  readonly module: Module;
  readonly isAlive: boolean;
  /** Throws once it is released. */
  readonly address: number;
}

/**
 * Finds the owner of the memory that a view shows. While there is a view its owner is not forgotten; once that is released, the view is known
 * as one of what is gone, whatever is at the same address by then.
 */
const owners = new WeakMap<object, Owner>();

/** The byte ranges of a module that have owners, by address: for arrays that a caller makes of this memory. */
type Places = Map<number, { bytes: number; owner: WeakRef<Owner> }>;
const places = new WeakMap<Module, Places>();
const modules = new WeakMap<ArrayBufferLike, Module>();

const placesIn = (module: Module) => (get(places, module) as Places | undefined) ?? (new Map() as Places);

/** Registers a byte range of an owner, and returns a function that unregisters it. */
export function register(owner: Owner, address: number, bytes: number): () => void {
  const all = placesIn(owner.module);
  places.set(owner.module, all);
  all.set(address, { bytes, owner: new WeakRef(owner) });
  return () => all.delete(address);
}

/** A view as the caller gets it: it, and each part taken of it, keeps its owner. */
export function shown<A extends Values>(view: A, owner: Owner): A {
  owners.set(view, owner);
  modules.set(bufferOf(view), owner.module);
  return defineProperty(view, "subarray", ownSubarray);
}

/** In the place of `subarray`, whose results nobody could trace to the buffer. */
function part(this: Values, begin?: number, end?: number): Values {
  const made = subarray(this, begin, end);
  const owner = get(owners, this) as Owner | undefined;
  return owner && isWithin(viewOf("subarray", made), viewOf("subarray", this)) ? shown(made, owner) : made;
}

const ownSubarray = Object.assign(new Bare(), { value: part, writable: true, configurable: true });

const isWithin = (inner: View, outer: View) =>
  inner.buffer === outer.buffer &&
  outer.byteOffset <= inner.byteOffset &&
  inner.byteOffset + inner.byteLength <= outer.byteOffset + outer.byteLength;

/** Finds the owner of the memory that an array shows; the caller's own has none. */
export function ownerOf(
  argument: string,
  { values, buffer, byteOffset, byteLength }: View<unknown>,
): Owner | undefined {
  const known = get(owners, values as object) as Owner | undefined;
  const module = known ? undefined : (get(modules, buffer) as Module | undefined);
  if (!known && !module) return undefined;
  const found = known ?? (module && ownerAt(module, byteOffset, byteLength));
  if (!found?.isAlive) throw wrongType(argument, values, expected.living_view);
  if (!known) owners.set(values as object, found);
  return found;
}

/** The owner of the registered range in which an array lies as a whole. */
function ownerAt(module: Module, start: number, bytes: number): Owner | undefined {
  for (const [address, place] of placesIn(module)) {
    if (address <= start && start + bytes <= address + place.bytes) return place.owner.deref();
  }
  return undefined;
}

/** Whether a view's values are a copy of what was given. */
export const isCopy = ({ values, buffer }: View<unknown>): boolean => bufferOf(values) !== buffer;

/** The address of values in a buffer of this module; `undefined` for the caller's own values. */
export const addressInside = (module: Module, argument: string, view: View<unknown>): number | undefined =>
  ownerOf(argument, view)?.module === module ? view.byteOffset : undefined;

/** The values of a view that was just read, copied: what the caller does later changes nothing. */
export function copyOf<A extends Values>(argument: string, view: View<Values>, kind: ArrayOf<A>): View<A> {
  ownerOf(argument, view);
  try {
    view.values = new kind(view.values);
  } catch {
    throw noMemory(argument, view.length);
  }
  return view as View<A>;
}

/** Throws where a getter of the caller's has moved or emptied an array since the call read it. */
export function checkUnmoved(argument: string, { values, buffer, byteOffset, length }: View<unknown>): void {
  const isMoved = lengthOf(values) !== length || byteOffsetOf(values) !== byteOffset || bufferOf(values) !== buffer;
  if (isMoved || length === 0) checkThere(argument, values, isMoved);
}

/** A view's values. A view of the module's memory is made again, since growth of the memory empties it. */
export function current<A extends Values>(module: Module, { values, byteOffset, length }: View<A>): A {
  if (lengthOf(values) === length) return values;
  const kind = kinds[typeOf(values) as keyof typeof kinds] as unknown as ArrayOf<A>;
  return shown(new kind(memoryOf(module), byteOffset, length), get(owners, values) as Owner);
}

const { Float16Array } = globalThis as { Float16Array?: ArrayOf<Uint16Array> };
const kinds = { Float32Array, Float64Array, Int32Array, Uint16Array, Uint8Array, Float16Array };
