import type { Module } from "posenc-module";
import { count, wrongType, wrongValue } from "./check.js";
import { Owned } from "./owned.js";
import type { FloatBuffer } from "./types/index.js";

/** Where the living buffers of each module start, and how many bytes they have. */
const living = new WeakMap<Module, Map<number, number>>();

function buffersOf(module: Module): Map<number, number> {
  const known = living.get(module) ?? new Map<number, number>();
  living.set(module, known);
  return known;
}

/** The address of values that stand in a buffer of this module; `undefined` for values of the caller's. */
export function addressInside(module: Module, argument: string, values: Float32Array): number | undefined {
  if (values.buffer !== module.HEAPF32.buffer) return undefined;
  const { byteOffset, byteLength } = values;
  const buffers = buffersOf(module);
  if (byteLength <= (buffers.get(byteOffset) ?? -1)) return byteOffset;
  for (const [start, bytes] of buffers) {
    if (start <= byteOffset && byteOffset + byteLength <= start + bytes) return byteOffset;
  }
  throw wrongType(argument, values, "a view of a buffer that is still alive");
}

export class ModuleBuffer implements FloatBuffer {
  readonly length: number;
  readonly #module: Module;
  readonly #owned: Owned;

  constructor(module: Module, length: number) {
    const bytes = 4 * Math.max(length, 1);
    const address = bytes < 2 ** 31 ? module._malloc(bytes) : 0;
    if (address === 0) throw wrongValue("length", length, "as many values as fit into the module's 2 GiB of memory");
    const buffers = buffersOf(module);
    buffers.set(address, bytes);
    this.#module = module;
    this.#owned = new Owned("buffer", address, () => {
      buffers.delete(address);
      module._free(address);
    });
    this.length = length;
    this.view.fill(0);
  }

  /** Where `value` stands: a buffer of this module, still alive. */
  static addressOf(module: Module, argument: string, value: unknown): number {
    if (!(value instanceof ModuleBuffer) || value.#module !== module) {
      throw wrongType(argument, value, "what buffer() of this entry made");
    }
    return value.#owned.address;
  }

  get view(): Float32Array {
    const first = this.#owned.address / 4;
    return this.#module.HEAPF32.subarray(first, first + this.length);
  }

  delete(): void {
    this.#owned.delete();
  }

  /** Where an engine has no Symbol.dispose this is a method nobody calls. */
  [Symbol.dispose](): void {
    this.delete();
  }
}

export const buffer = (module: Module, length: number): FloatBuffer =>
  new ModuleBuffer(module, count("length", length));
