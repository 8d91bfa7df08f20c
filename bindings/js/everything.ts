import { add } from "./attention/attention.js";
import { dropout, positionalEncoding } from "./attention/dropout.js";
import { kvCacheWith } from "./attention/kv-cache.js";
import { addBackward, linear, linearBackward, softmax, softmaxBackward } from "./attention/layers.js";
import { attention, attentionBackward, linearAttention } from "./attention/masked-attention.js";
import { mergeHeads, multiHeadAttention, multiHeadBackward, splitHeads } from "./attention/multi-head.js";
import { bind } from "./base/call.js";
import { buffer, convert } from "./base/dtype.js";
import { beyondFull, without } from "./base/elsewhere.js";
import { loader } from "./base/load.js";
import { frequencies } from "./frequencies/frequencies.js";
import { maskPositions, packedPositions } from "./frequencies/packed-positions.js";
import { mrope, mropePositions } from "./grid/mrope.js";
import { mixedFrequencies, rotaryGrid, rotaryMixed } from "./grid/point-rotary.js";
import { sinusoidalGrid } from "./grid/sinusoidal-grid.js";
import { certify } from "./hub/certify.js";
import { compare } from "./hub/compare.js";
import { hubConfig } from "./hub/hub-config.js";
import { model, queryTemperature } from "./hub/model.js";
import * as tables from "./learned/learned-table.js";
import * as optimizer from "./learned/optimizer.js";
import { reformerAxial, reformerAxialGradient } from "./learned/reformer-axial.js";
import { resizeGrid, resizeTable } from "./learned/resize.js";
import * as relativeAttention from "./relative/attention.js";
import * as biases from "./relative/biases.js";
import { positionMap } from "./relative/position-map.js";
import { relativeExpand, relativeExpandIds, relativeOffsets, relativeSinusoidal } from "./relative/relative.js";
import * as swin from "./relative/swin.js";
import { fope } from "./rotary/fope.js";
import { rotary, rotaryCache, rotateWithCache } from "./rotary/rotary-full.js";
import * as shifts from "./rotary/rotary-shift.js";
import { xpos } from "./rotary/xpos.js";
import * as fourier from "./sinusoidal/fourier.js";
import { sinusoidalPlan } from "./sinusoidal/sinusoidal.js";
import * as sinusoids from "./sinusoidal/sinusoidal-full.js";
import type { PosencFull } from "./types/index.js";

export { hasSimd } from "./base/compile.js";

/** The API of the full entry: everything that these files export. */
export const functions = {
  sinusoidalPlan,
  ...sinusoids,
  ...fourier,
  frequencies,
  packedPositions,
  maskPositions,
  rotary,
  rotaryCache,
  rotateWithCache,
  fope,
  ...shifts,
  certify,
  xpos,
  attention,
  attentionBackward,
  kvCache: kvCacheWith({ attend: attention }),
  linearAttention,
  multiHeadAttention,
  multiHeadBackward,
  splitHeads,
  mergeHeads,
  add,
  linear,
  linearBackward,
  addBackward,
  softmax,
  softmaxBackward,
  dropout,
  positionalEncoding,
  buffer,
  convert,
  learnedTable: tables.learnedTable,
  lookupRows: tables.lookupRows,
  addRows: tables.addRows,
  rowsGradient: tables.rowsGradient,
  paddedPositions: tables.paddedPositions,
  tableBias: tables.tableBias,
  tableBiasBackward: tables.tableBiasBackward,
  ...optimizer,
  reformerAxial,
  reformerAxialGradient,
  resizeGrid,
  resizeTable,
  ...biases,
  ...swin,
  ...relativeAttention,
  relativeOffsets,
  positionMap,
  relativeSinusoidal,
  relativeExpand,
  relativeExpandIds,
  sinusoidalGrid,
  rotaryGrid,
  rotaryMixed,
  mixedFrequencies,
  mrope,
  mropePositions,
  hubConfig,
  model,
  compare,
  queryTemperature,
};

type All = { [Name in keyof PosencFull]: unknown };

/** Loads it, with the .wasm that an entry brings. */
export const loadFrom = (own: () => unknown) =>
  loader((module) => bind(module, functions satisfies All, without(beyondFull)) as never, own);
