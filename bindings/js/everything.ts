import { add } from "./attention/add.js";
import { dropout, positionalEncoding } from "./attention/dropout.js";
import { addBackward, linear, linearBackward, softmax, softmaxBackward } from "./attention/layers.js";
import { linearAttention } from "./attention/linear-attention.js";
import { attention, attentionBackward } from "./attention/masked-attention.js";
import { mergeHeads, multiHeadAttention, multiHeadBackward, splitHeads } from "./attention/multi-head.js";
import { bind } from "./base/api.js";
import { buffer, convert } from "./base/dtype.js";
import type { Module } from "./base/module.js";
import { frequencies } from "./frequencies/frequencies.js";
import { maskPositions, packedPositions } from "./frequencies/packed-positions.js";
import { mrope, mropePositions } from "./grid/mrope.js";
import { mixedFrequencies, rotaryGrid, rotaryMixed } from "./grid/point-rotary.js";
import { sinusoidalGrid } from "./grid/sinusoidal-grid.js";
import { hubConfig } from "./hub/hub-config.js";
import { addRows, learnedTable, lookupRows, paddedPositions, rowsGradient } from "./learned/learned-table.js";
import { adamStep, sgdStep } from "./learned/optimizer.js";
import { reformerAxial, reformerAxialGradient } from "./learned/reformer-axial.js";
import { resizeGrid, resizeTable } from "./learned/resize.js";
import { tableBias, tableBiasBackward } from "./learned/table-bias.js";
import { cope, relativeShift, shawAttention, shawBackward, shawIds, transformerXl } from "./relative/attention.js";
import * as biases from "./relative/biases.js";
import { relativeExpand, relativeExpandIds, relativeOffsets, relativeSinusoidal } from "./relative/relative.js";
import * as swin from "./relative/swin.js";
import { rotaryCache, rotateWithCache } from "./rotary/rotary-cache.js";
import { rotaryFull } from "./rotary/rotary-full.js";
import { convertLayout, rotaryMatrix, rotateAgain, shiftRotated } from "./rotary/rotary-shift.js";
import { xpos } from "./rotary/xpos.js";
import { fourier, nerf } from "./sinusoidal/fourier.js";
import { sinusoidalPlan } from "./sinusoidal/sinusoidal.js";
import { shift, shiftMatrix, sinusoidalFull } from "./sinusoidal/sinusoidal-full.js";
import type { PosencFull } from "./types/index.js";

/** What the full entry offers. */
const functions = {
  add,
  frequencies,
  sinusoidalPlan,
  attention,
  attentionBackward,
  linearAttention,
  multiHeadAttention,
  multiHeadBackward,
  splitHeads,
  mergeHeads,
  linear,
  linearBackward,
  addBackward,
  softmax,
  softmaxBackward,
  dropout,
  positionalEncoding,
  learnedTable,
  lookupRows,
  addRows,
  rowsGradient,
  paddedPositions,
  resizeTable,
  resizeGrid,
  reformerAxial,
  reformerAxialGradient,
  tableBias,
  tableBiasBackward,
  sgdStep,
  adamStep,
  buffer,
  convert,
  convertLayout,
  fourier,
  hubConfig,
  maskPositions,
  mixedFrequencies,
  mrope,
  mropePositions,
  nerf,
  packedPositions,
  rotary: rotaryFull,
  rotaryCache,
  rotaryGrid,
  rotaryMatrix,
  rotaryMixed,
  rotateAgain,
  rotateWithCache,
  shift,
  shiftMatrix,
  shiftRotated,
  sinusoidal: sinusoidalFull,
  sinusoidalGrid,
  xpos,
  ...biases,
  ...swin,
  relativeOffsets,
  relativeSinusoidal,
  relativeExpand,
  relativeExpandIds,
  shawIds,
  shawAttention,
  shawBackward,
  transformerXl,
  relativeShift,
  cope,
};

export const everything = (module: Module): PosencFull => bind(module, functions) as unknown as PosencFull;
