// The module's memory, borrowed for one call and always given back.

import type { Module } from "posenc-module";
import { addressInside, allocate } from "./buffer.js";
import { product, typeOf, wrongType, wrongValue } from "./check.js";
import { type Out, outsOf, type Values } from "./out.js";

/** A place in the module's memory that lives as long as one `borrow`. */
export interface Loan {
  readonly address: number;
  readonly length: number;
}

/** The type of an array of results. */
export interface Kind<A> {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A;
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
}

export class Borrower {
  readonly #module: Module;
  readonly #outs: readonly Out[];
  readonly #before: ArrayBufferLike;
  readonly #addresses: number[] = [];

  constructor(module: Module, outs: readonly Out[]) {
    this.#module = module;
    this.#outs = outs;
    this.#before = module.HEAPF32.buffer;
    for (const { name, values } of outs) this.#refuseOverlap(name, values);
  }

  /** What is to be written never overlaps what is read, nor another result: wherever the one or the other stands. */
  #refuseOverlap(name: string, { buffer, byteOffset, byteLength }: ArrayBufferView): void {
    for (const out of this.#outs) {
      const first = Math.max(byteOffset, out.byteOffset);
      const end = Math.min(byteOffset + byteLength, out.byteOffset + out.byteLength);
      if (out.name !== name && out.buffer === buffer && first < end) {
        throw wrongValue(out.name, out.values, `memory that does not overlap ${name}`);
      }
    }
  }

  /** Refuses an input that overlaps a result, and one whose place was lost when the memory grew in this call. */
  checkInput(values: ArrayLike<number>, what: string): void {
    const view = values as Float32Array;
    this.#refuseOverlap(what, view);
    if (view.buffer === this.#before && this.#before !== this.#module.HEAPF32.buffer) {
      throw wrongType(what, values, "a new view: the memory grew");
    }
  }

  /** Which type of array was given for a result. */
  outType(name: string): string | undefined {
    return typeOf(this.#outs.find((out) => out.name === name)?.values);
  }

  /** Where a result goes, if its caller says so. */
  outNamed(name: string, { name: type }: Kind<Values>, length: number): Out | undefined {
    const out = this.#outs.find((other) => other.name === name);
    if (out && typeOf(out.values) !== type) throw wrongType(name, out.values, `a new ${type}`);
    if (out && out.length !== length) throw wrongValue(name, out.length, `${length} values`);
    return out;
  }

  /** The result that was made at a loan, where it goes. */
  result<A extends Values>(kind: Kind<A>, loan: Loan, out: Out | undefined): A {
    const made = this.view(kind, loan);
    if (!out) return made.slice() as A;
    const { isInside, values, byteOffset } = out;
    const place = new kind(isInside ? made.buffer : out.buffer, byteOffset, made.length);
    if (!isInside || loan.address !== byteOffset) place.set(made);
    return values.length === made.length ? (values as A) : place;
  }

  /** Room for `length` values; `what` names them when there is none. */
  room({ BYTES_PER_ELEMENT: each }: Kind<Values | Uint8Array>, length: number, what: string): Loan {
    const bytes = Math.max(length, 1) * each;
    const address = allocate(this.#module, bytes);
    if (address === 0) throw wrongValue(what, length, "as many values as fit into the module's 2 GiB of memory");
    this.#addresses.push(address);
    return { address, length };
  }

  /** A copy of values, for reading. */
  copyOf(kind: Kind<Values | Uint8Array>, values: ArrayLike<number>, what: string): Loan {
    const loan = this.room(kind, values.length, what);
    this.checkInput(values, what);
    this.view(kind, loan).set(values);
    return loan;
  }

  /** The values now at a loan: a view, valid until the next allocation. */
  view<A extends Values | Uint8Array>(kind: Kind<A>, { address, length }: Loan): A {
    return new kind(this.#module.HEAPF32.buffer, address, length);
  }

  floats(length: number, what: string): Loan {
    return this.room(Float32Array, length, what);
  }

  /** Values for reading. */
  floatsFrom(values: Float32Array, what: string): Loan {
    return this.inPlace(Float32Array, values, what);
  }

  doubles(length: number, what: string): Loan {
    return this.room(Float64Array, length, what);
  }

  /** A copy of numbers as doubles; small ones are lent by every call, and this takes half the time of `copyOf`. */
  doublesFrom(values: ArrayLike<number>, what: string): Loan {
    const loan = this.doubles(values.length, what);
    this.checkInput(values, what);
    this.#module.HEAPF64.set(values, loan.address / 8);
    return loan;
  }

  /** The values themselves where they stand in a buffer of this module, else a copy. */
  inPlace(kind: Kind<Values>, values: Float32Array | Uint16Array, what: string): Loan {
    const address = addressInside(this.#module, what, values);
    if (address === undefined) return this.copyOf(kind, values, what);
    this.checkInput(values, what);
    return { address, length: values.length };
  }

  /** The values that were lent, changed in place. */
  taken(loan: Loan, values: Float32Array): Float32Array {
    if (!this.#addresses.includes(loan.address)) return values.length === 0 ? this.view(Float32Array, loan) : values;
    values.set(this.view(Float32Array, loan));
    return values;
  }

  giveBack(): void {
    for (const address of this.#addresses) this.#module._free(address);
  }
}

/** Runs `use` with a borrower and gives everything back, whatever happens. */
export function borrow<T>(module: Module, use: (memory: Borrower) => T): T {
  return borrowForAll(module, undefined, [], use);
}

/** The same for a result that goes to `out`, if that is given. */
export function borrowFor<T>(module: Module, out: unknown, use: (memory: Borrower) => T): T {
  return borrowForAll(module, out, ["out"], use);
}

/** The same for several results: `out` may hold an array under each of their names, "out.cos". */
export function borrowForAll<T>(
  module: Module,
  out: unknown,
  names: readonly string[],
  use: (memory: Borrower) => T,
): T {
  const memory = new Borrower(module, outsOf(module, names, out));
  try {
    return use(memory);
  } finally {
    memory.giveBack();
  }
}

/** An array as the core reads it from a list of arguments (embind/arguments.hpp): its address and its size. */
export const arrayOf = ({ address, length }: Loan): number[] => [address, length];
export const noArray: readonly number[] = [0, 0];

/** Room for a result, and the result once it is there. */
export interface Result<A extends Values = Float32Array> extends Loan {
  readonly array: number[];
  taken(): { data: A; shape: number[] };
}

/** `what` names its size when there is no memory for it. The core makes it in its room, or at the loan given. */
export function lendResultOf<A extends Values>(
  kind: Kind<A>,
  memory: Borrower,
  shape: readonly number[],
  what: string,
  name = "out",
  at?: Loan,
): Result<A> {
  const length = product(shape);
  const out = memory.outNamed(name, kind, length);
  const inside = out?.isInside ? { address: out.byteOffset, length } : undefined;
  const loan = at ?? inside ?? memory.room(kind, length, what);
  return {
    ...loan,
    array: arrayOf(loan),
    taken: () => ({ data: memory.result(kind, loan, out), shape: [...shape] }),
  };
}

export function lendResult(memory: Borrower, shape: readonly number[], what: string, name?: string, at?: Loan): Result {
  return lendResultOf(Float32Array, memory, shape, what, name, at);
}

/** A result that the core makes of `data`, in place. */
export function lendChanged(memory: Borrower, data: Float32Array, shape: readonly number[], what: string): Result {
  return lendResult(memory, shape, what, "out", memory.copyOf(Float32Array, data, what));
}

/** Lends the arguments of a function that has many. */
export function lendArguments(memory: Borrower, list: readonly number[]): number {
  return memory.doublesFrom(list, "arguments").address;
}
