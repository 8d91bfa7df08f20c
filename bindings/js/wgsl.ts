/**
 * Shaders for WebGPU: text in WGSL, and the tables to upload. Nothing is run here, no device is needed.
 *
 * WGSL promises cosines and sines to 2^-11 between -π and π, and nothing beyond: a shader that computes angles itself is
 * wrong from the first positions on. These only multiply what the library computed in double.
 *
 * ```ts
 * const { code, entryPoint, bindings, workgroups } = rotaryShader(pe.rotary({ dim: 128, layout: "half" }), { seqAxis: 0 });
 * // … a pipeline of code and entryPoint, a buffer for each of bindings …
 * pass.dispatchWorkgroups(...workgroups(tokens, heads));
 * ```
 *
 * @module
 */

import type { Tensor } from "./types/base.js";
import type { AlibiShaderOptions, Mrope, Rotary, RotaryShaderOptions, Shader } from "./types/wgsl.js";
import * as added from "./wgsl/added-shaders.js";
import * as rotary from "./wgsl/rotary-shader.js";

export type { Tensor } from "./types/base.js";
export type * from "./types/wgsl.js";

/**
 * Rotates queries or keys in place, as `rotary.apply` does: half or interleaved, all dimensions of a head or the first ones,
 * by one position or, with an `mrope` and `axes`, by several. `"deinterleaved"` is refused: its pairs read what others write.
 *
 * A position's bits are shared among tables, whose rows are multiplied as complex numbers: cosines and sines are off by at
 * most 2^-23 with one table, 2^-22 with two and 2^-21 with three, at every position below `length`. Positions beyond it are
 * not refused by the shader: they are taken modulo the power of two that is not smaller.
 *
 * ```ts
 * const shader = rotaryShader(plan, { seqAxis: 0, length: 131072 }); // q and k are [tokens, heads, dim]
 * ```
 */
export const rotaryShader = (plan: Rotary | Mrope, options: RotaryShaderOptions): Shader =>
  rotary.rotaryShader(plan, options);

/**
 * Adds the row of a table that a token's position names to it: a learned one, `sinusoidal`'s.
 *
 * ```ts
 * const shader = tableShader(pe.sinusoidal({ length: 512, dim: 768 }));
 * ```
 */
export const tableShader = (table: Tensor): Shader => added.tableShader(table);

/**
 * Adds ALiBi's bias to scores [heads, queries, keys]: a slope times the distance, rounded once, up to distances of 2^24.
 *
 * ```ts
 * const shader = alibiShader({ slopes: pe.alibiSlopes({ heads: 12 }) });
 * ```
 */
export const alibiShader = (options: AlibiShaderOptions): Shader => added.alibiShader(options);

/**
 * Adds a bias of each head and distance to scores [heads, queries, keys]. It is given in compact form for the same number of
 * queries and keys, [heads, 2 · distances + 1]; farther ones have that of the farthest. T5's is exact at every distance if
 * there are maxDistance + 1 of each.
 *
 * ```ts
 * const sizes = { queries: 129, keys: 129, form: "compact" } as const;
 * const shader = relativeBiasShader(pe.t5({ table, bidirectional: false, ...sizes }));
 * ```
 */
export const relativeBiasShader = (bias: Tensor): Shader => added.relativeBiasShader(bias);
