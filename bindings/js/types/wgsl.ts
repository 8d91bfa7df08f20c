export type { Mrope } from "./grid.js";
export type { Rotary } from "./rotary.js";

/** A buffer of group 0 that a shader reads or writes. */
export interface ShaderBinding {
  /** Its number. */
  binding: number;
  /** Its name in the shader. */
  name: string;
  /** Its type in a bind group layout. */
  type: "storage" | "read-only-storage" | "uniform";
  /** Its contents: "[tokens, heads, 128], float32". */
  holds: string;
  /** The data to upload; undefined where the caller has them. */
  data?: Float32Array<ArrayBuffer> | undefined;
}

/** The text of a compute shader, and what goes with it. */
export interface Shader {
  /** WGSL, complete: one entry point, whose functions can be copied into a shader of your own. */
  code: string;
  /** The entry point's name. */
  entryPoint: string;
  /** The buffers, in the order of their numbers. */
  bindings: ShaderBinding[];
  /**
   * What `dispatchWorkgroups` takes for these sizes: the numbers of the uniform buffer `sizes`, in its order. A RangeError
   * where they are beyond what one dispatch can have, 65,535 by 65,535 groups of 64.
   */
  workgroups(...sizes: number[]): [x: number, y: number];
}

/** How the tensor to rotate lies in memory, and which positions its tokens can have. */
export interface RotaryShaderOptions {
  /** Which axis the tokens are: 0 for [tokens, heads, dim], 1 for [heads, tokens, dim]. Has no default. */
  seqAxis: 0 | 1;
  /** Positions are whole numbers 0 … length - 1; 2^31 by default. A smaller one needs fewer tables. */
  length?: number;
  /**
   * How many tables the position's bits are shared among: 1, 2 or 3; by default as few as have at most 2,048 rows each, at
   * most 65,536. Each further one costs a complex product a pair, and saves memory: a row has 8 bytes a pair.
   */
  tables?: 1 | 2 | 3;
  /** Rotate back. */
  inverse?: boolean;
}

/** Slopes, and what they are multiplied by. */
export interface AlibiShaderOptions {
  /** [heads]: what `alibiSlopes` gives. */
  slopes: Float32Array | { readonly data: Float32Array };
  /** As in `alibi`: -|key - query| (`"symmetric"`, the default), or key - query (`"linear"`). */
  distance?: "symmetric" | "linear";
}
