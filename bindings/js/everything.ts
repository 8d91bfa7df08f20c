import { bind } from "./base/api.js";
import type { Module } from "./base/module.js";
import { functions as basic } from "./basics.js";
import { alibi, alibiSlopes } from "./relative/biases.js";
import type { PosencFull } from "./types/index.js";

/** What the full entry offers. */
const functions = {
  ...basic,
  alibi,
  alibiSlopes,
};

export const everything = (module: Module): PosencFull => bind(module, functions) as unknown as PosencFull;
