import type { FloatBuffer } from "../types/index.js";
import { count, wrongType, wrongValue } from "./check.js";
import type { Module } from "./module.js";
import { Owned, Releasing } from "./owned.js";
import { type ArrayOf, lengthOf, type Values, type View } from "./view.js";

/** Where the live buffers of each module start, and how many bytes they have. */
const living = new WeakMap<Module, Map<number, number>>();

function buffersOf(module: Module): Map<number, number> {
  const known = living.get(module) ?? new Map<number, number>();
  living.set(module, known);
  return known;
}

/** The address of values in a buffer of this module; `undefined` for the caller's own values. */
export function addressInside(module: Module, argument: string, view: View): number | undefined {
  if (view.buffer !== module.HEAPF64.buffer) return undefined;
  const { byteOffset, byteLength } = view;
  const buffers = buffersOf(module);
  if (byteLength <= (buffers.get(byteOffset) ?? -1)) return byteOffset;
  for (const [start, bytes] of buffers) {
    if (start <= byteOffset && byteOffset + byteLength <= start + bytes) return byteOffset;
  }
  throw wrongType(argument, view.values, "a view of a buffer that is still alive");
}

/** The values that a view showed: where it stands in the module's memory it is empty when that has grown. */
export const current = <A extends Values>(module: Module, { values, byteOffset, length }: View<A>): A =>
  lengthOf(values) === length
    ? values
    : new (values.constructor as unknown as ArrayOf<A>)(module.HEAPF64.buffer, byteOffset, length);

/** Of the module's 2 GiB the last 32 MiB are for what the core allocates itself: it ends when it gets nothing. */
const limit = 2 ** 31 - 2 ** 25;

/** Room for that many bytes; 0 when there is none. */
export function allocate(module: Module, bytes: number): number {
  const address = bytes < limit ? module._malloc(bytes) : 0;
  if (address + bytes < limit) return address;
  module._free(address);
  return 0;
}

/** A cache line: large copies to unaligned addresses take a fifth longer. */
const alignment = 64;

/** Values of `bytesEach` bytes, which `viewOf` shows at their address. */
export class ModuleBuffer<View> extends Releasing {
  readonly length: number;
  readonly #bytesEach: number;
  readonly #viewOf: (address: number) => View;
  readonly #owned: Owned;

  constructor(module: Module, length: number, bytesEach: number, viewOf: (address: number) => View) {
    super();
    const bytes = bytesEach * Math.max(count("length", length), 1);
    const room = allocate(module, bytes + alignment);
    if (room === 0) throw wrongValue("length", length, "as many values as fit into the module's 2 GiB of memory");
    const address = Math.ceil(room / alignment) * alignment;
    const buffers = buffersOf(module);
    buffers.set(address, bytes);
    this.#bytesEach = bytesEach;
    this.#viewOf = viewOf;
    this.#owned = new Owned(module, "buffer", { handle: address }, () => {
      buffers.delete(address);
      module._free(room);
    });
    this.length = length;
    new Uint8Array(module.HEAPF64.buffer, address, bytes).fill(0);
  }

  /** The address of `value`, a live buffer of this module with float32 values. */
  static addressOf(module: Module, argument: string, value: unknown): number {
    if (!(value instanceof ModuleBuffer) || value.#owned.module !== module || value.#bytesEach !== 4) {
      throw wrongType(argument, value, "what buffer() of this entry made");
    }
    return value.#owned.address;
  }

  get view(): View {
    return this.#viewOf(this.#owned.address);
  }

  delete(): void {
    this.#owned.delete();
  }
}

export const buffer = (module: Module, length: number): FloatBuffer =>
  new ModuleBuffer(module, length, 4, (address) => module.HEAPF32.subarray(address / 4, address / 4 + length));
