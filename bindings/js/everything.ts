import { bind } from "./base/api.js";
import type { Module } from "./base/module.js";
import { functions as basic } from "./basics.js";
import { cope, relativeShift, shawAttention, shawBackward, shawIds, transformerXl } from "./relative/attention.js";
import * as biases from "./relative/biases.js";
import { relativeExpand, relativeExpandIds, relativeOffsets, relativeSinusoidal } from "./relative/relative.js";
import * as swin from "./relative/swin.js";
import type { PosencFull } from "./types/index.js";

/** What the full entry offers. */
const functions = {
  ...basic,
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
