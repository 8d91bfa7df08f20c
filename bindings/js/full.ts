/**
 * All of posenc: what the entry `posenc` offers, grids and Fourier features, relative encodings, learned tables,
 * and the rotary plans of published models.
 *
 * ```ts
 * import { load } from "posenc/full";
 * const pe = await load();
 * const bias = pe.alibi({ heads: 8, queries: 6, keys: 6 }); // { data: Float32Array, shape: [8, 6, 6] }
 * ```
 *
 * @module
 */

import type { FullModule } from "posenc-module";
import { attentionModules } from "./attention-modules.js";
import { basics } from "./basics.js";
import { fourier, nerf } from "./fourier.js";
import { hubConfig } from "./hub-config.js";
import { learnedTables } from "./learned-tables.js";
import { loader } from "./load.js";
import { mrope, mropePositions } from "./mrope.js";
import { mixedFrequencies, rotaryGrid, rotaryMixed } from "./point_rotary.js";
import { preciseRotary } from "./precision.js";
import { relativeEncodings } from "./relative-encodings.js";
import { rotaryTools } from "./rotary-tools.js";
import { shift, shiftMatrix } from "./sinusoidal-shift.js";
import { storedBuffer } from "./stored-buffer.js";
import { storedEncodings } from "./stored-encodings.js";
import type { DType, PosencFull } from "./types/index.js";

export type * from "./types/index.js";

const everything = (module: FullModule): PosencFull => ({
  ...basics(module),
  ...attentionModules(module),
  ...relativeEncodings(module),
  ...learnedTables(module),
  ...rotaryTools(module),
  rotary: (options) => preciseRotary(module, options),
  ...storedEncodings(module),
  buffer: ((length: number, options?: { dtype?: DType }) =>
    storedBuffer(module, length, options)) as PosencFull["buffer"],
  shiftMatrix: (options) => shiftMatrix(module, options),
  shift: (table, options) => shift(module, table, options),
  fourier: (options) => fourier(module, options),
  nerf: (options) => nerf(module, options),
  rotaryGrid: (options) => rotaryGrid(module, options),
  rotaryMixed: (options) => rotaryMixed(module, options),
  mixedFrequencies: (options) => mixedFrequencies(module, options),
  mrope: (options) => mrope(module, options),
  mropePositions: (options) => mropePositions(module, options),
  hubConfig: (config) => hubConfig(module, config),
});

/** Compiles and starts the module, once: later calls give the same promise. */
export const load: () => Promise<PosencFull> = loader(everything);
