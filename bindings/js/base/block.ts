// What one call gives the core: its options as doubles, one after the other, and the arrays that it reads and makes. The
// doubles stand in a place that every call of a module uses again, the arrays in memory borrowed for the call.

import { addressInside, allocate, current } from "./buffer.js";
import type { Size } from "./call.js";
import { product, reported, wrongType, wrongValue } from "./check.js";
import type { Module } from "./module.js";
import type { Out } from "./outs.js";
import { type ArrayOf, refuseOverlap, typeOf, type Values, type View } from "./view.js";

/** A result once it is there. */
export interface Result<A extends Values> {
  data: A;
  shape: number[];
}

/** An array of a call's. */
interface Place {
  readonly kind: ArrayOf<Values>;
  readonly length: number;
  /** Names its size when there is no memory for it. */
  readonly what: string;
  /** Which of the doubles is its address. */
  readonly at: number;
  /** Whether it stands in a buffer of the library's, and needs no room. */
  readonly isInside: boolean;
  /** What is copied there. */
  readonly from: ArrayLike<number> | undefined;
  /** Where it goes once all has gone well: back to the caller, who changes it, or to an array given for a result. */
  readonly to: View | undefined;
}

/** Arrays start at multiples of this: all of wasm's vectors may be read from there. */
const aligned = (bytes: number) => Math.ceil(bytes / 16) * 16;

const noMemory = "as many values as fit into the module's 2 GiB of memory";

/** Where the doubles of a module's calls stand, and how many there is room for. */
const doubles = new WeakMap<Module, { address: number; length: number }>();

export class Block {
  readonly #module: Module;
  readonly #outs: readonly Out[];
  readonly #before: ArrayBufferLike;
  readonly #numbers: number[] = [];
  readonly #places: Place[] = [];
  #answers = false;
  /** Why there is no place for a result. */
  #noPlace: RangeError | undefined;

  constructor(module: Module, outs: readonly Out[]) {
    this.#module = module;
    this.#outs = outs;
    this.#before = module.HEAPF64.buffer;
    for (const out of outs) this.#refuseOverlap(out.name, out);
  }

  get module(): Module {
    return this.#module;
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
    this.#numbers.push(values.length);
    for (let i = 0; i < values.length; ++i) this.#numbers.push(values[i] as number);
  }

  text(value: string): void {
    this.list(value === "" ? [] : new TextEncoder().encode(value));
  }

  /** No array: an option that was left out. */
  nothing(): void {
    this.#numbers.push(0, 0);
  }

  #place(
    kind: ArrayOf<Values>,
    length: number,
    what: string,
    address: number | undefined,
    from?: ArrayLike<number>,
    to?: View,
  ): Place {
    const at = this.#numbers.push(address ?? 0, length) - 2;
    const place = { kind, length, what, at, isInside: address !== undefined, from, to };
    this.#places.push(place);
    return place;
  }

  /** Numbers of any kind, copied as values of this one. */
  copy(kind: ArrayOf<Values>, view: View<ArrayLike<number>>, what: string): void {
    this.#refuseOverlap(what, view);
    this.#place(kind, view.length, what, undefined, view.values);
  }

  /** The values themselves where they stand in a buffer of this module, else a copy; the core may change them. */
  array(kind: ArrayOf<Values>, view: View, what: string, isChanged = false): void {
    this.#refuseOverlap(what, view);
    this.#place(
      kind,
      view.length,
      what,
      addressInside(this.#module, what, view),
      view.values,
      isChanged ? view : undefined,
    );
  }

  /** Which type of array was given for a result. */
  outType(name: string): string | undefined {
    return typeOf(this.#outs.find((out) => out.name === name)?.values);
  }

  /** Room for a result, or the array that was given for it; `taken` hands it out. */
  result(kind: ArrayOf<Values>, { shape, what }: Size, name: string): Place {
    const length = Math.max(product(shape), 0);
    const out = this.#outs.find((other) => other.name === name);
    if (!out) return this.#place(kind, length, what, undefined);
    if (typeOf(out.values) !== kind.name) throw wrongType(name, out.values, `a new ${kind.name}`);
    if (out.length !== length) this.#noPlace ??= wrongValue(name, out.length, `${length} values`);
    return this.#place(kind, length, what, addressInside(this.#module, name, out), undefined, out);
  }

  /** What the core made at a place. */
  taken({ kind, length, at, to, isInside }: Place): Values {
    if (isInside) return current(this.#module, to as View);
    const made = new kind(this.#module.HEAPF64.buffer, this.#numbers[at] as number, length);
    return to ? to.values : made.slice();
  }

  /** A number that the core answers; `answered` is what it said. */
  answer(): number {
    this.#answers = true;
    return this.#numbers.push(0) - 1;
  }

  answered(at: number): number {
    return this.#numbers[at] as number;
  }

  /**
   * Calls the core; throws what it found wrong with what was `read`. Where a result has no place, the core is told so and
   * writes nothing: what is wrong with the options is said first. `use` takes what was made.
   */
  run<T>(entry: string, read: object, use: () => T): T {
    const module = this.#module;
    const numbers = this.#numbers;
    const room = this.#room();
    try {
      const start = this.#doubles(numbers.length);
      const { HEAPF64 } = module;
      for (let i = 0; i < numbers.length; ++i) HEAPF64[start / 8 + i] = numbers[i] as number;
      for (const place of this.#places) this.#fill(place);
      const report = (module[entry] as (block: number) => number)(start);
      const wrong = report === 0 ? undefined : reported(module, report);
      if (this.#noPlace && !(wrong && (wrong.argument.split(/[.[]/)[0] as string) in read)) throw this.#noPlace;
      if (wrong) throw wrong.error;
      if (this.#answers) for (let i = 0; i < numbers.length; ++i) numbers[i] = module.HEAPF64[start / 8 + i] as number;
      for (const { kind, length, at, to, isInside } of this.#places) {
        if (!to || isInside) continue;
        const made = new kind(module.HEAPF64.buffer, numbers[at] as number, length);
        new kind(to.buffer, to.byteOffset, length).set(made);
      }
      return use();
    } finally {
      if (room !== 0) module._free(room);
    }
  }

  /** Room for the arrays that have no place of their own: its address, and theirs. */
  #room(): number {
    const numbers = this.#numbers;
    let bytes = 0;
    for (const { at, kind, isInside, from } of this.#places) {
      if (this.#noPlace && !from) numbers[at + 1] = 0;
      if (isInside) continue;
      numbers[at] = bytes;
      bytes += aligned(Math.max(numbers[at + 1] as number, 1) * kind.BYTES_PER_ELEMENT);
    }
    if (bytes === 0) return 0;
    const address = allocate(this.#module, bytes);
    if (address !== 0) {
      for (const { at, isInside } of this.#places) if (!isInside) (numbers[at] as number) += address;
      return address;
    }
    if (this.#noPlace) throw this.#noPlace;
    const bytesOf = ({ length, kind }: Place) => length * kind.BYTES_PER_ELEMENT;
    const { what, length } = this.#places.reduce((one, other) => (bytesOf(other) > bytesOf(one) ? other : one));
    this.#noPlace = wrongValue(what, length, noMemory);
    return this.#room();
  }

  /** Where the doubles go. */
  #doubles(length: number): number {
    const module = this.#module;
    const known = doubles.get(module);
    if (known && length <= known.length) return known.address;
    const wanted = Math.max(length, 512);
    const address = allocate(module, wanted * 8);
    if (address === 0) throw wrongValue("options", length, noMemory);
    if (known) module._free(known.address);
    doubles.set(module, { address, length: wanted });
    return address;
  }

  #fill({ kind, at, length, what, from, isInside }: Place): void {
    if (!from || isInside) return;
    const { buffer } = this.#module.HEAPF64;
    if ((from as Float64Array).buffer === this.#before && this.#before !== buffer) {
      throw wrongType(what, from, "a new view: the memory grew");
    }
    new kind(buffer, this.#numbers[at] as number, length).set(from);
  }
}
