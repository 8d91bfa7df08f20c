// The module's memory, borrowed for one call and always given back.

import type { Module } from "posenc-module";
import { addressInside } from "./buffer.js";
import { float32Array, product, wrongValue } from "./check.js";
import type { Tensor } from "./types/index.js";

/** The module's memory ends here. */
const maxBytes = 2 ** 31;

/** A place in the module's memory that lives as long as one `borrow`. */
export interface Loan {
  readonly address: number;
  readonly length: number;
}

export class Borrower {
  readonly #module: Module;
  readonly #addresses: number[] = [];

  constructor(module: Module) {
    this.#module = module;
  }

  /** Room for `length` float32 values; `what` names them when there is none. */
  floats(length: number, what: string): Loan {
    return this.#allocate(length, 4, what);
  }

  /** A copy of float32 values. */
  floatsFrom(values: Float32Array, what: string): Loan {
    const loan = this.floats(values.length, what);
    this.#module.HEAPF32.set(values, loan.address / 4);
    return loan;
  }

  /** The values themselves where they stand in a buffer of this module, else a copy. */
  floatsInPlace(values: Float32Array, what: string): Loan {
    const address = addressInside(this.#module, what, values);
    return address === undefined ? this.floatsFrom(values, what) : { address, length: values.length };
  }

  /** Room for a result: `out` itself where it stands in a buffer of this module. */
  floatsFor(out: Float32Array | undefined, length: number, what: string): Loan {
    if (out === undefined) return this.floats(length, what);
    if (float32Array("out", out).length !== length) throw wrongValue("out", out.length, `${length} values`);
    const address = addressInside(this.#module, "out", out);
    return address === undefined ? this.floats(length, what) : { address, length };
  }

  /** The result that was made there: `out`, filled, or an array of its own. */
  taken(loan: Loan, out: Float32Array | undefined): Float32Array {
    if (out === undefined) return this.viewFloats(loan).slice();
    if (!this.#addresses.includes(loan.address)) return out.length === 0 ? this.viewFloats(loan) : out;
    out.set(this.viewFloats(loan));
    return out;
  }

  /** A copy of bytes. */
  bytesFrom(values: Uint8Array, what: string): Loan {
    const loan = this.#allocate(values.length, 1, what);
    new Uint8Array(this.#module.HEAPF32.buffer).set(values, loan.address);
    return loan;
  }

  /** Room for doubles. */
  doubles(length: number, what: string): Loan {
    return this.#allocate(length, 8, what);
  }

  /** A copy of numbers as doubles. */
  doublesFrom(values: ArrayLike<number>, what: string): Loan {
    const loan = this.doubles(values.length, what);
    this.#module.HEAPF64.set(values, loan.address / 8);
    return loan;
  }

  /** Room for `length` int32 values. */
  ints(length: number, what: string): Loan {
    return this.#allocate(length, 4, what);
  }

  /** A copy of int32 values. */
  intsFrom(values: Int32Array, what: string): Loan {
    const loan = this.ints(values.length, what);
    this.#module.HEAP32.set(values, loan.address / 4);
    return loan;
  }

  /** Room for `length` values of 16 bits. */
  halves(length: number, what: string): Loan {
    return this.#allocate(length, 2, what);
  }

  /** A copy of the bits of such values. */
  halvesFrom(values: Uint16Array, what: string): Loan {
    const loan = this.halves(values.length, what);
    this.viewHalves(loan).set(values);
    return loan;
  }

  /** The values now at a loan: views, valid until the next allocation. */
  viewFloats({ address, length }: Loan): Float32Array {
    return this.#module.HEAPF32.subarray(address / 4, address / 4 + length);
  }

  viewHalves({ address, length }: Loan): Uint16Array {
    return new Uint16Array(this.#module.HEAP32.buffer, address, length);
  }

  viewInts({ address, length }: Loan): Int32Array {
    return this.#module.HEAP32.subarray(address / 4, address / 4 + length);
  }

  viewDoubles({ address, length }: Loan): Float64Array {
    return this.#module.HEAPF64.subarray(address / 8, address / 8 + length);
  }

  giveBack(): void {
    for (const address of this.#addresses) this.#module._free(address);
  }

  #allocate(length: number, bytesEach: number, what: string): Loan {
    const bytes = Math.max(length, 1) * bytesEach;
    const address = bytes < maxBytes ? this.#module._malloc(bytes) : 0;
    if (address === 0) throw wrongValue(what, length, "as many values as fit into the module's 2 GiB of memory");
    this.#addresses.push(address);
    return { address, length };
  }
}

/** Runs `use` with a borrower and gives everything back, whatever happens. */
export function borrow<T>(module: Module, use: (memory: Borrower) => T): T {
  const memory = new Borrower(module);
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
export interface Result {
  readonly array: number[];
  taken(): Tensor;
}

export function lendResult(memory: Borrower, shape: readonly number[], what: string): Result {
  const loan = memory.floats(product(shape), what);
  return { array: arrayOf(loan), taken: () => ({ data: memory.viewFloats(loan).slice(), shape: [...shape] }) };
}

/** Lends the arguments of a function that has many. */
export function lendArguments(memory: Borrower, list: readonly number[]): number {
  return memory.doublesFrom(list, "arguments").address;
}
