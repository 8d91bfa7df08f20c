// Arrays of the caller's, as they are when a call begins, and which of the library's buffers they show.

import { memoryOf, noMemory, wrongType, wrongValue } from "./check.js";
import * as expected from "./expected.js";
import type { Module } from "./module.js";

/** The types of array that contain values. */
export type Values = Float32Array | Float64Array | Int32Array | Uint16Array | Uint8Array;

/** One of them, to be made at a place in memory, or as a copy. */
export interface ArrayOf<A> {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A;
  new (values: ArrayLike<number> | number): A;
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
}

/** A typed array and where it is, read once: a view of the library's memory is empty when that has grown. */
export class View<A = Values> {
  readonly name: string;
  values: A;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly length: number;
  shape: readonly number[] = none;
  type = "";
  /** The dtype of stored values; `dtypeOf` in dtype.ts sets it before they are written. */
  dtype = "";

  constructor(name: string, values: A & ArrayLike<number>, { buffer, byteOffset, byteLength }: ArrayBufferView) {
    this.name = name;
    this.values = values;
    this.buffer = buffer;
    this.byteOffset = byteOffset;
    this.byteLength = byteLength;
    this.length = values.length;
  }
}

const none: readonly number[] = [];
const nowhere = new Uint8Array(0);

const tag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get;

/** The name of a typed array's type. By tag and not by instanceof: arrays may come from another frame or realm. */
export const typeOf = (value: unknown): string | undefined => tag?.call(value);

/** Throws where an array's memory was released, detached or shortened. */
function checkThere(argument: string, values: Values): void {
  try {
    values.keys();
  } catch {
    throw wrongType(argument, values, owners.has(values) ? expected.new_view : expected.unmoved);
  }
}

export function viewOf<A extends Values>(argument: string, values: A): View<A> {
  if (values.length === 0) checkThere(argument, values);
  return new View(argument, values, values);
}

/** A view of a list of numbers, which has no address. */
export const listView = (values: number[]): View<number[]> => new View("", values, nowhere);

/** A view that was just read, with its shape. */
export function shaped<A>(view: View<A>, shape: readonly number[]): View<A> {
  view.shape = shape;
  return view;
}

/** A view of what must be an array of one type. */
export function typed<A extends Values>(argument: string, value: unknown, { name }: ArrayOf<A>): View<A> {
  const type = typeOf(value);
  if (type !== name) {
    const note = name[0] === "F" && /t16/.test(type as string) ? ", by convert() of posenc/full" : "";
    throw wrongType(argument, value, expected.type, { article: name[0] === "I" ? "an" : "a", type: name }, note);
  }
  return viewOf(argument, value as A);
}

/** Throws where what is to be written shares memory with something else of a call. */
export function refuseOverlap(argument: string, written: View<unknown>, name: string, other: View<unknown>): void {
  const first = Math.max(written.byteOffset, other.byteOffset);
  const end = Math.min(written.byteOffset + written.byteLength, other.byteOffset + other.byteLength);
  if (written.buffer === other.buffer && first < end)
    throw wrongValue(argument, written.values, expected.apart, { other: name });
}

/** Throws where two of the arrays that a call changes share memory. */
export function checkApart(...changed: (View | undefined)[]): void {
  const before: View[] = [];
  for (const one of changed) {
    for (const other of before) if (one) refuseOverlap(one.name, one, other.name, other);
    if (one) before.push(one);
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

const placesIn = (module: Module) => places.get(module) ?? (new Map() as Places);

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
  modules.set(view.buffer, owner.module);
  return Object.defineProperty(view, "subarray", ownSubarray);
}

/** In the place of `subarray`, whose results nobody could trace to the buffer. */
function part(this: Values, begin?: number, end?: number): Values {
  const made = Object.getPrototypeOf(this).subarray.call(this, begin, end) as Values;
  const owner = owners.get(this);
  return owner && isWithin(viewOf("subarray", made), viewOf("subarray", this)) ? shown(made, owner) : made;
}

const ownSubarray = { value: part, writable: true, configurable: true };

const isWithin = (inner: View, outer: View) =>
  inner.buffer === outer.buffer &&
  outer.byteOffset <= inner.byteOffset &&
  inner.byteOffset + inner.byteLength <= outer.byteOffset + outer.byteLength;

/** Finds the owner of the memory that an array shows; the caller's own has none. */
export function ownerOf(
  argument: string,
  { values, buffer, byteOffset, byteLength }: View<unknown>,
): Owner | undefined {
  const known = owners.get(values as object);
  const module = known ? undefined : modules.get(buffer);
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
export const isCopy = ({ values, buffer }: View<unknown>): boolean => (values as Values).buffer !== buffer;

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

/** A view's values. A view of the module's memory is made again, since growth of the memory empties it. */
export function current<A extends Values>(module: Module, { values, byteOffset, length }: View<A>): A {
  if (values.length === length) return values;
  const kind = kinds[typeOf(values) as keyof typeof kinds] as unknown as ArrayOf<A>;
  return shown(new kind(memoryOf(module), byteOffset, length), owners.get(values) as Owner);
}

const { Float16Array } = globalThis as { Float16Array?: ArrayOf<Uint16Array> };
const kinds = { Float32Array, Float64Array, Int32Array, Uint16Array, Uint8Array, Float16Array };
