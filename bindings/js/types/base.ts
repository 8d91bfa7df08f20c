/// <reference lib="esnext.disposable" preserve="true" />
import type { Posenc, PosencFull, PosencLab, PosencTools } from "./posenc.js";

/** A float32 array with its shape, in row-major order (the last axis is contiguous). */
export interface Tensor {
  /** As many values as the extents multiply to. */
  data: Float32Array;
  /** Extents, the slowest axis first. */
  shape: number[];
}

/** A tensor that a function made. Its methods are not listed among its properties: spread, it is a Tensor. */
export interface TensorResult extends Tensor {
  /**
   * The values along the last axis, at these indices of the others, negative ones from the end: a view and no copy. A
   * RangeError names an index that is not there.
   *
   * @example
   * ```ts
   * const table = pe.sinusoidal({ length: 6, dim: 4 });
   * console.log(table.row(1)[0]?.toFixed(6), table.row(-1).length); // 0.841471 4
   * ```
   */
  row(...index: number[]): Float32Array;
  /** The value at an index of each axis, negative ones from the end. A RangeError names an index that is not there. */
  at(...index: number[]): number;
}

/** Numbers one after another. Integers of 64 bits have to be exact as doubles: a RangeError names one beyond 2^53. */
export type NumberList = ArrayLike<number> | BigInt64Array | BigUint64Array;

/** Values with their extents, as here or as tensors of ONNX Runtime and transformers.js have them. */
export type Shaped<Data> =
  | { readonly data: Data; readonly shape: readonly number[] }
  | { readonly data: Data; readonly dims: readonly number[] };

/** A tensor that goes in: float32 values with their extents. */
export type TensorInput = Shaped<Float32Array>;

/** The options of what changes a tensor in place, which has its shape itself: they do not have it. */
export type WithoutShape<Options> = Options extends unknown ? Omit<Options, "shape" | "keyShape"> : never;

/** Whole numbers with their extents: int32 or int64, or any numbers that are whole. */
export type IdTensor = Shaped<NumberList>;

/** Whole numbers, as a list or with their extents. */
export type IdList = NumberList | IdTensor;

/** The place for a result: nothing is allocated for it, not even in a loop. */
export interface OutOption<T = Float32Array> {
  /**
   * An array of exactly the result's size, which becomes the result's `data`; where there are several results, an array
   * for each or for some of them. What is a view of a `buffer` is not copied. It must not overlap what goes in, nor
   * another result: a RangeError, as for a wrong size. Nothing of it changes when an error is thrown.
   */
  out?: T;
}

/** An array for each of several results, or for some of them. */
export type Outs<Names extends string, T = Float32Array> = { [name in Names]?: T };

/** Options of functions that write ids. */
export type IdsOut = OutOption<Int32Array>;

/** Something that has memory in the module. */
export interface Releasable {
  /**
   * Frees that memory; afterwards neither this nor a view of it may be used, which is a TypeError. Again: nothing happens.
   * Optional: what is no longer referenced, by a view neither, is collected too, between the engine's tasks.
   */
  delete(): void;
  /** Another name of `delete`. */
  dispose(): void;
  /** Called at the end of a block by `using`. */
  [Symbol.dispose](): void;
}

/** float32 values in the library's own memory: what is rotated or made (`out`) there is not copied in and out. */
export interface FloatBuffer extends Releasable {
  /** How many values it holds. */
  readonly length: number;
  /**
   * The values, for reading and writing. Ask for it again after calls of the library: when its memory grows, older views
   * become empty. A part of it (`view.subarray`) is a view too; while there is one, the memory is not freed but by
   * `delete`. An array of one's own on the view's `buffer` keeps it from the first call on that is given it.
   */
  readonly view: Float32Array;
}

/** The type of `name` in the user's environment; `never` where its types have no such thing. */
export type Global<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : never;

/** A compiled WebAssembly module. TypeScript's own type for it has no members: a number would do. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } }
  ? Instance & object
  : never;

/** The forms in which the library's .wasm may be given: compiled, its bytes, where it is, or what a server answered. */
export type WasmSource = WasmModule | ArrayBuffer | ArrayBufferView | Global<"URL"> | string | Global<"Response">;

/** Options of `load`: which .wasm, until when, and whether it is the one that others share. */
export interface LoadOptions {
  /**
   * The .wasm to run, in place of what the entry brings: `posenc.wasm` or `posenc-scalar.wasm` for `posenc`,
   * `posenc-full.wasm` or `posenc-full-scalar.wasm` for `posenc/full`, of the same version. In Node, a string that is no
   * URL is the path of a file. A shared instance is made of what the first call gave.
   */
  readonly wasm?: WasmSource | PromiseLike<WasmSource> | undefined;
  /** Ends the wait: the call rejects with the signal's reason. Work that no call waits for any more is stopped too. */
  readonly signal?: Global<"AbortSignal"> | undefined;
  /** Whether to get the one instance that calls share; true by default. `false`: one with memory of its own. */
  readonly shared?: boolean | undefined;
}

/**
 * Compiles and starts the library. Rejects with a TypeError for a wrong option, a RangeError for a .wasm of another
 * version or entry, an Error where WebAssembly is missing or forbidden. After a failure it can be called again.
 */
export type Load = (options?: LoadOptions) => Promise<Posenc & BeyondPosenc>;

/** Loads `posenc/full`. */
export type LoadFull = (options?: LoadOptions) => Promise<PosencFull & BeyondPosencFull>;

/** Stands for a function that `posenc/full` has and this entry does not: `import { load } from "posenc/full"`. */
export interface IsInPosencFull {
  /** The function's. Calling it throws a TypeError that says the same. */
  readonly name: string;
}

/** Stands for a function that `posenc/tools` alone has: `import { load } from "posenc/tools"`. */
export interface IsInPosencTools extends IsInPosencFull {}

/** The functions that `posenc/full` lacks. `"diagnose" in pe` is false there. */
export type BeyondPosencFull = { readonly [Name in Exclude<keyof PosencTools, keyof PosencFull>]: IsInPosencTools };

/** The functions that `posenc` lacks. `"alibi" in pe` is false there. */
export type BeyondPosenc = BeyondPosencFull & {
  readonly [Name in Exclude<keyof PosencFull, keyof Posenc>]: IsInPosencFull;
};

/** Loads `posenc/tools`. */
export type LoadTools = (options?: LoadOptions) => Promise<PosencTools>;

/** Loads `posenc/lab`. */
export type LoadLab = (options?: LoadOptions) => Promise<PosencLab>;

/** A Float16Array as an engine without them would see one. */
export interface Float16ArrayLike {
  /** Tells it from other typed arrays. */
  readonly [Symbol.toStringTag]: "Float16Array";
  /** The memory that it is a view of. */
  readonly buffer: ArrayBufferLike;
  /** The offset of the first value in it. */
  readonly byteOffset: number;
  /** How many values it has. */
  readonly length: number;
  [index: number]: number;
}

/** The Float16Array of engines that have it (2025 and later). */
export type Float16Data = typeof globalThis extends { Float16Array: { prototype: infer A } } ? A : Float16ArrayLike;

/** `"float16"`: IEEE's binary16, 11 significant bits, up to 65504; `"bfloat16"`: a float32's upper half, 8 of them. */
export type HalfDType = "float16" | "bfloat16";

/** How values are kept. They are computed in float32 or better and rounded to this once, ties to even. */
export type DType = "float32" | HalfDType;

/** Values of 16 bits: for `"float16"` a Float16Array where the engine has one; else the bits, in a Uint16Array. */
export type HalfData<D extends HalfDType = HalfDType> = D extends "float16" ? Float16Data | Uint16Array : Uint16Array;

/** An array of 16-bit values with its shape, in row-major order. */
export interface HalfTensor<D extends HalfDType = HalfDType> extends Pick<Tensor, "shape"> {
  /**
   * The values. They have the type of their bits, a Uint16Array, as ONNX Runtime's and transformers.js's types want it;
   * of `"float16"` it is a Float16Array where the engine has one, which both take.
   */
  data: Uint16Array;
  /** The type of the bits in a Uint16Array. */
  dtype: D;
}

/**
 * A tensor whose bits nothing but `dtype` explains (`type` of ONNX Runtime's): it may be left out of a Float32Array or a
 * Float16Array.
 */
export type AnyTensor =
  | (Shaped<HalfData> & ({ readonly dtype: HalfDType } | { readonly type: "float16" }))
  | (Shaped<Float32Array> & { readonly dtype?: "float32"; readonly type?: "float32" })
  | (Shaped<Float16Data> & { readonly dtype?: "float16" });

/** Which type of 16 bits the result is to have. */
export interface HalfOption<D extends HalfDType = HalfDType> {
  /** The type of the result; without it a Float32Array. */
  dtype: D;
}

/** Asks for a Float32Array, as without a dtype. */
export interface Float32Option {
  /** May be left out. */
  dtype?: "float32";
}

/** Conversions between storage types, in posenc/full. */
export interface Conversions {
  /**
   * Converts values to another type, as a new tensor. From 16 bits to float32: exact. To 16 bits: the nearest, ties to
   * even; what rounds beyond the largest becomes infinite; NaN stays NaN.
   *
   * Throws a TypeError for bits in a Uint16Array without their `dtype`.
   *
   * @example
   * ```ts
   * const half = pe.convert({ data: Float32Array.of(1, 0.1), shape: [2] }, "float16");
   * console.log(half.dtype, pe.convert(half, "float32").data[1]?.toFixed(6)); // float16 0.099976
   * ```
   */
  convert(x: AnyTensor, dtype: "float32", options?: OutOption): TensorResult;
  /** Converts to a type of 16 bits: the nearest value, ties to even. */
  convert<D extends HalfDType>(x: AnyTensor, dtype: D, options?: OutOption<HalfData<D>>): HalfTensor<D>;
}

/** A FloatBuffer for values of 16 bits: rotation takes a view of it, or of a part, and then copies nothing. */
export interface HalfBuffer<D extends HalfDType = HalfDType> extends Releasable, Pick<FloatBuffer, "length"> {
  /** Their type. */
  readonly dtype: D;
  /** As a FloatBuffer's, and of the type that a HalfTensor's data have: ask for it again after calls of the library. */
  readonly view: Uint16Array;
}
