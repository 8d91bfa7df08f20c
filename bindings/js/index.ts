/**
 * Positional encodings for transformers, exact at every position.
 *
 * ```ts
 * import { load } from "posenc";
 * const pe = await load();
 * const table = pe.sinusoidal({ length: 6, dim: 512 }); // { data: Float32Array, shape: [6, 512] }
 * ```
 *
 * A wrong argument throws: TypeError when it is not of the right type, RangeError when its value cannot be used. The
 * message names the argument, its value and what was expected, and nothing has changed.
 *
 * @module
 */

import { add } from "./absolute.js";
import { attention, linear } from "./attention.js";
import { sinusoidalGrid } from "./axial_sinusoid.js";
import { fourier, nerf } from "./fourier.js";
import { frequencies } from "./frequencies.js";
import { hubConfig } from "./hub-config.js";
import { startModule } from "./load.js";
import { relativeEncodings } from "./relative-encodings.js";
import { rotary } from "./rotary.js";
import { shift, shiftMatrix, sinusoidal } from "./sinusoidal.js";
import type { Posenc } from "./types/index.js";

export type * from "./types/index.js";

let loaded: Promise<Posenc> | undefined;

/** Compiles and starts the module, once: later calls give the same promise. */
export function load(): Promise<Posenc> {
  loaded ??= startModule().then((module) => ({
    sinusoidal: (options) => sinusoidal(module, options),
    sinusoidalGrid: (options) => sinusoidalGrid(module, options),
    shiftMatrix: (options) => shiftMatrix(module, options),
    shift: (table, options) => shift(module, table, options),
    fourier: (options) => fourier(module, options),
    nerf: (options) => nerf(module, options),
    frequencies: (options) => frequencies(module, options),
    rotary: (options) => rotary(module, options),
    hubConfig: (config) => hubConfig(module, config),
    add: (x, table) => add(module, x, table),
    linear: (x, weight) => linear(module, x, weight),
    attention: (options) => attention(module, options),
    ...relativeEncodings(module),
  }));
  // A failed start may be tried again.
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}
