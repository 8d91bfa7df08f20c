import { dropout, positionalEncoding } from "./attention/dropout.js";
import { addBackward, linear, linearBackward, softmax, softmaxBackward } from "./attention/layers.js";
import { attention, attentionBackward } from "./attention/masked-attention.js";
import { mergeHeads, multiHeadAttention, multiHeadBackward, splitHeads } from "./attention/multi-head.js";
import { bind } from "./base/api.js";
import type { Module } from "./base/module.js";
import { functions as basic } from "./basics.js";
import { addRows, learnedTable, lookupRows, paddedPositions, rowsGradient } from "./learned/learned-table.js";
import { adamStep, sgdStep } from "./learned/optimizer.js";
import { reformerAxial, reformerAxialGradient } from "./learned/reformer-axial.js";
import { resizeGrid, resizeTable } from "./learned/resize.js";
import { tableBias, tableBiasBackward } from "./learned/table-bias.js";
import { alibi, alibiSlopes } from "./relative/biases.js";
import type { PosencFull } from "./types/index.js";

/** What the full entry offers. */
const functions = {
  ...basic,
  alibi,
  alibiSlopes,
  attention,
  attentionBackward,
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
};

export const everything = (module: Module): PosencFull => bind(module, functions) as unknown as PosencFull;
