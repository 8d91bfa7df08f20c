// The block of one call: its options as doubles, one after the other, and the arrays that it reads and makes. All calls
// of a module share the memory of the doubles; that of the arrays is allocated for the call.

import { memoryOf, noMemory, product, reported, wrongType, wrongValue } from "./check.js";
import * as expected from "./expected.js";
import type { Module } from "./module.js";
import { type ArrayOf, addressInside, current, refuseOverlap, typeOf, type Values, type View, viewOf } from "./view.js";

/** A result once it is there. */
export interface Result<A extends Values> {
  data: A;
  shape: number[];
}

/** A result's shape, and what its size is called when there is no memory for it. */
export interface Size {
  readonly shape: readonly number[];
  readonly what: string;
  /** Its type, where the options decide it, by that of the array given for it. */
  readonly kindFor?: (given: string | undefined) => ArrayOf<Values>;
  /** Writes all of it to the caller's memory, without the core: where that has nothing to refuse. */
  readonly fill?: ((out: View) => void) | undefined;
}

/** An array of a call's. */
interface Place {
  readonly kind: ArrayOf<Values>;
  readonly length: number;
  /** Names its size when there is no memory for it. */
  readonly what: string;
  /** Which of the doubles is its address. */
  readonly at: number;
  /** Whether it is in a buffer of the library's, and needs no space. */
  readonly isInside: boolean;
  /** The values that are copied there. */
  readonly from: ArrayLike<number> | undefined;
  /** Where it goes once all has gone well: back to the caller, who changes it, or to an array given for a result. */
  readonly to: View | undefined;
}

/** Arrays start at multiples of this: all of wasm's vectors may be read from there. */
const aligned = (bytes: number) => Math.ceil(bytes / 16) * 16;

/** The state of a module's memory. */
interface State {
  /** The address of the doubles of its calls, and how many fit there. */
  doubles: number;
  length: number;
  /** Whether there was too little of it, and may be so still. */
  isFull: boolean;
}

const states = new WeakMap<Module, State>();

function stateOf(module: Module): State {
  const known = states.get(module);
  if (known) return known;
  const made = { doubles: 0, length: 0, isFull: false };
  states.set(module, made);
  return made;
}

/** Kept free in one piece for what the core allocates itself: it ends when it gets nothing. */
const spare = 2 ** 25;
/** The least memory that has to be free when a call begins. */
const least = 2 ** 20;
const limit = 2 ** 31 - spare;

function hasFree(module: Module, bytes: number): boolean {
  const address = module._malloc(bytes);
  module._free(address);
  return address !== 0;
}

/** Room for that many bytes; 0 when there is none. */
export function allocate(module: Module, bytes: number): number {
  const address = bytes < limit ? module._malloc(bytes) : 0;
  // Below the limit the allocator has what is above it; when memory was full once it may start from above.
  if (address !== 0 && (address + bytes < limit || hasFree(module, spare))) return address;
  module._free(address);
  if (bytes < limit) stateOf(module).isFull = true;
  return 0;
}

export class Block {
  readonly module: Module;
  readonly #outs: readonly View[];
  readonly #numbers: number[] = [];
  readonly #places: Place[] = [];
  #answers = false;
  /** Why there is no place for a result. */
  #noPlace: RangeError | undefined;
  /** Whether the one result is there without the core. */
  #isMade = false;

  constructor(module: Module, outs: readonly View[]) {
    this.module = module;
    this.#outs = outs;
    for (const out of outs) this.#refuseOverlap(out.name, out);
  }

  /** A result never overlaps an input or another result, wherever they are. */
  #refuseOverlap(name: string, view: View<unknown>): void {
    for (const out of this.#outs) if (out.name !== name) refuseOverlap(out.name, out, name, view);
  }

  number(value: number): void {
    this.#numbers.push(value);
  }

  /** A few numbers: how many, and which. */
  list(values: ArrayLike<number>): void {
    const { length } = values;
    this.number(length);
    for (let i = 0; i < length; ++i) this.number(values[i] as number);
  }

  text(value: string): void {
    // No name of the core's has other characters: it refuses these by name.
    const isPlain = !/[^ -~]/.test(value);
    if (!isPlain) this.list(new TextEncoder().encode(value));
    else this.number(value.length);
    for (let i = 0; isPlain && i < value.length; ++i) this.number(value.charCodeAt(i));
  }

  /** No array: an option that was left out. */
  nothing(): void {
    this.number(0);
    this.number(0);
  }

  #place(
    kind: ArrayOf<Values>,
    length: number,
    what: string,
    address: number | undefined,
    from?: ArrayLike<number>,
    to?: View,
  ): Place {
    const at = this.#numbers.length;
    this.number(address ?? 0);
    this.number(length);
    const place = { kind, length, what, at, isInside: address !== undefined, from, to };
    this.#places.push(place);
    return place;
  }

  /** Numbers that were read, given as values of this type. */
  copy(kind: ArrayOf<Values>, view: View<ArrayLike<number>>, what: string): void {
    this.#refuseOverlap(what, view);
    this.#place(kind, view.length, what, undefined, view.values);
  }

  /** The values themselves if they are in a buffer of this module, else a copy; the core may change them. */
  array(kind: ArrayOf<Values>, view: View, what: string, isChanged = false): void {
    this.#refuseOverlap(what, view);
    const address = addressInside(this.module, what, view);
    const { values, buffer, byteOffset, length } = view;
    // Values of another name, but as wide, are the bits.
    const bits = typeOf(values) === kind.name ? values : new kind(buffer, byteOffset, length);
    this.#place(kind, length, what, address, bits, isChanged ? view : undefined);
  }

  /** Which type of array was given for a result. */
  outType(name: string): string | undefined {
    return typeOf(this.#outs.find((out) => out.name === name)?.values);
  }

  /** Room for a result, or the array that was given for it; `taken` hands it out. */
  result(kind: ArrayOf<Values>, { shape, what, fill }: Size, name: string): Place {
    const length = Math.max(product(shape), 0);
    const out = this.#outs.find((other) => other.name === name) ?? (fill && viewOf(name, new kind(length)));
    if (!out) return this.#place(kind, length, what, undefined);
    if (typeOf(out.values) !== kind.name)
      throw wrongType(name, out.values, expected.type, { article: "a new", type: kind.name });
    if (out.length !== length) this.#noPlace ??= wrongValue(name, out.length, expected.values, { count: length });
    const place = this.#place(kind, length, what, addressInside(this.module, name, out), undefined, out);
    this.#isMade = fill !== undefined && !this.#noPlace && !this.#places.some(({ isInside }) => isInside);
    if (this.#isMade) fill?.(out);
    return place;
  }

  /** The result that the core wrote to a place. */
  taken({ kind, length, at, to, isInside }: Place): Values {
    if (isInside) return current(this.module, to as View);
    if (to) return to.values;
    return new kind(new kind(memoryOf(this.module), this.#numbers[at] as number, length));
  }

  /** Adds a number that the core answers; `answered` returns it. */
  answer(): number {
    this.#answers = true;
    this.number(0);
    return this.#numbers.length - 1;
  }

  answered(at: number): number {
    return this.#numbers[at] as number;
  }

  /**
   * Calls the core; throws what it found wrong with what was `read`. Where a result has no place, the core is told so and
   * writes nothing: what is wrong with the options is said first. `use` takes what was made.
   */
  run<T>(entry: string, read: object, use: () => T): T {
    if (this.#isMade) return use();
    const module = this.module;
    const numbers = this.#numbers;
    const state = stateOf(module);
    const address = this.#reserve();
    try {
      const start = this.#doubles(state, numbers.length);
      if (state.isFull || memoryOf(module).byteLength > limit) {
        state.isFull = !hasFree(module, least);
        if (state.isFull) throw this.#noPlace ?? noMemory("memory", least);
      }
      const { HEAPF64 } = module;
      for (let i = 0; i < numbers.length; ++i) HEAPF64[start / 8 + i] = numbers[i] as number;
      for (const place of this.#places) this.#fill(place);
      const report = (module[entry] as (block: number) => number)(start);
      const wrong = report === 0 ? undefined : reported(module, report);
      if (wrong?.argument === "memory") state.isFull = true;
      if (this.#noPlace && !(wrong && Object.hasOwn(read, wrong.argument.split(/[.[]/)[0] as string)))
        throw this.#noPlace;
      if (wrong) throw wrong;
      if (this.#answers) for (let i = 0; i < numbers.length; ++i) numbers[i] = module.HEAPF64[start / 8 + i] as number;
      for (const { kind, length, at, to, isInside } of this.#places) {
        if (!to || isInside) continue;
        const made = new kind(memoryOf(module), numbers[at] as number, length);
        new kind(to.buffer, to.byteOffset, length).set(made);
      }
      return use();
    } finally {
      if (address !== 0) module._free(address);
    }
  }

  /** Allocates one block for the arrays that have no place of their own; returns its address and notes theirs. */
  #reserve(): number {
    const numbers = this.#numbers;
    let bytes = 0;
    for (const { at, kind, isInside, from } of this.#places) {
      if (this.#noPlace && !from) numbers[at + 1] = 0;
      if (isInside) continue;
      numbers[at] = bytes;
      bytes += aligned(Math.max(numbers[at + 1] as number, 1) * kind.BYTES_PER_ELEMENT);
    }
    if (bytes === 0) return 0;
    const address = allocate(this.module, bytes);
    if (address !== 0) {
      for (const { at, isInside } of this.#places) if (!isInside) (numbers[at] as number) += address;
      return address;
    }
    if (this.#noPlace) throw this.#noPlace;
    const bytesOf = ({ length, kind }: Place) => length * kind.BYTES_PER_ELEMENT;
    const { what, length } = this.#places.reduce((one, other) => (bytesOf(other) > bytesOf(one) ? other : one));
    this.#noPlace = noMemory(what, length);
    return this.#reserve();
  }

  /** Where the doubles go. */
  #doubles(state: State, length: number): number {
    if (length <= state.length) return state.doubles;
    const module = this.module;
    const wanted = Math.max(length, 512);
    const address = allocate(module, wanted * 8);
    if (address === 0) throw noMemory("options", length);
    module._free(state.doubles);
    state.doubles = address;
    state.length = wanted;
    return address;
  }

  #fill({ kind, at, length, from, isInside }: Place): void {
    if (from && !isInside) new kind(memoryOf(this.module), this.#numbers[at] as number, length).set(from);
  }
}
