// Objects in a module's memory until they are released or collected: the core's, and buffers.

import type { FloatBuffer } from "../types/index.js";
import { allocate } from "./block.js";
import { count, memoryOf, noMemory, wrongType } from "./check.js";
import * as expected from "./expected.js";
import type { Module } from "./module.js";
import { type ArrayOf, current, type Owner, ownerOf, register, shown, typeOf, type Values, viewOf } from "./view.js";

/** Frees the core's object when the JavaScript one is collected without `delete`. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

/** Ties an object's methods to it: they work when they are taken out of it, as in `const { apply } = rope`. */
export function tieMethods(object: object): void {
  for (let above = Object.getPrototypeOf(object); above !== Object.prototype; above = Object.getPrototypeOf(above)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(above))) {
      if (typeof value !== "function" || name === "constructor" || Object.hasOwn(object, name)) continue;
      Object.defineProperty(object, name, { value: value.bind(object), writable: true, configurable: true });
    }
  }
}

/** The name of the method that gives what is known of an object, which users do not see. */
export const knownOf = Symbol("knownOf");

/** An object with memory to free: `delete` by its other names. */
export abstract class Releasing {
  constructor() {
    tieMethods(this);
  }

  abstract delete(): void;

  dispose(): void {
    this.delete();
  }

  /** Where an engine has no Symbol.dispose this is a method nobody calls. */
  [Symbol.dispose](): void {
    this.delete();
  }

  /** What is known of it, where there is more than its properties say. */
  [knownOf](): object {
    return { ...this };
  }

  /** What Node prints: its kind, and what it was made of. */
  [Symbol.for("nodejs.util.inspect.custom")](_: number, options: object, inspect: (of: object, how: object) => string) {
    return `${this.constructor.name.replace(/^_?(Module|Full)/, "")} ${inspect(this[knownOf](), options)}`;
  }
}

/** An object of the core that lives until it is deleted or forgotten, and what is known of it. */
export class Owned<Made extends { handle: number } = { handle: number }> implements Owner {
  readonly module: Module;
  readonly made: Made;
  readonly #what: string;
  readonly #free: () => void;
  #isAlive = true;

  constructor(module: Module, what: string, made: Made, free: () => void) {
    this.module = module;
    this.made = made;
    this.#what = what;
    this.#free = free;
    forgotten.register(this, free, this);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get address(): number {
    if (!this.#isAlive) throw wrongType(this.#what, "a deleted one", expected.alive);
    return this.made.handle;
  }

  delete(): void {
    if (!this.#isAlive) return;
    forgotten.unregister(this);
    this.#isAlive = false;
    this.#free();
  }
}

/** An object that a function of the core's has made. */
export const owned = <Made extends { handle: number }>(module: Module, what: string, made: Made): Owned<Made> =>
  new Owned(module, what, made, () => module.release(made.handle));

/** A cache line: large copies to unaligned addresses take a fifth longer. */
const alignment = 64;

/** Values in a buffer: its owner's address is asked for to know that it is alive. */
interface BufferPart {
  readonly owner: Owner;
  /** It is one array until the memory grows, which empties it. */
  values(): Float32Array;
}

/** Values of one type. */
export class ModuleBuffer<A extends Values> extends Releasing {
  readonly length: number;
  readonly #kind: ArrayOf<A>;
  readonly #length: number;
  readonly #owned: Owned;
  #view: A | undefined;
  /** The type of the view's array. */
  #memory: ArrayBufferLike | undefined;

  /** Errors call it and its size by these names. */
  constructor(module: Module, length: number, kind: ArrayOf<A>, what = "buffer", size = "length") {
    super();
    const bytes = kind.BYTES_PER_ELEMENT * Math.max(count(size, length), 1);
    const block = allocate(module, bytes + alignment);
    if (block === 0) throw noMemory(size, length);
    const address = Math.ceil(block / alignment) * alignment;
    let unregister = () => {};
    this.#owned = new Owned(module, what, { handle: address }, () => {
      unregister();
      module._free(block);
    });
    unregister = register(this.#owned, address, bytes);
    this.#kind = kind;
    this.#length = length;
    this.length = length;
    new Uint8Array(memoryOf(module), address, bytes).fill(0);
  }

  /** The float32 values of one of this module's buffers, or of a part of it that is given as a view. */
  static of(module: Module, argument: string, buffer: unknown): BufferPart {
    if (buffer instanceof ModuleBuffer && #owned in buffer) {
      const owner = buffer.#owned;
      // Whatever `view` was overridden with.
      if (owner.module === module && buffer.#kind === Float32Array) return { owner, values: () => buffer.#current() };
    } else if (typeOf(buffer) === "Float32Array") {
      const view = viewOf(argument, buffer as Float32Array);
      const owner = ownerOf(argument, view);
      if (owner?.module === module) return { owner, values: () => current(module, view) };
    }
    const note = ", of float32 values: apply() takes others too";
    throw wrongType(argument, buffer, expected.made_by, { maker: "buffer()" }, note);
  }

  #current(): A {
    const { module, address } = this.#owned;
    const memory = memoryOf(module);
    if (this.#memory !== memory) {
      this.#memory = memory;
      this.#view = shown(new this.#kind(memory, address, this.#length), this.#owned);
    }
    return this.#view as A;
  }

  get view(): A {
    return this.#current();
  }

  delete(): void {
    this.#owned.delete();
  }
}

export const buffer = (module: Module, length: number): FloatBuffer =>
  new ModuleBuffer<Float32Array>(module, length, Float32Array);
