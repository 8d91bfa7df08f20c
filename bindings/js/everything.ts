import type { FullModule } from "posenc-module";
import { attentionModules } from "./attention-modules.js";
import { basics } from "./basics.js";
import { fourier, nerf } from "./fourier.js";
import { hubConfig } from "./hub-config.js";
import { learnedTables } from "./learned-tables.js";
import { mrope, mropePositions } from "./mrope.js";
import { mixedFrequencies, rotaryGrid, rotaryMixed } from "./point_rotary.js";
import { preciseRotary } from "./precision.js";
import { relativeEncodings } from "./relative-encodings.js";
import { rotaryTools } from "./rotary-tools.js";
import { shift, shiftMatrix } from "./sinusoidal-shift.js";
import { storedBuffer } from "./stored-buffer.js";
import { storedEncodings } from "./stored-encodings.js";
import type { DType, PosencFull } from "./types/index.js";

/** What the full entry offers, on one module. */
export const everything = (module: FullModule): PosencFull => ({
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
