import type { Module } from "posenc-module";
import { add } from "./absolute.js";
import { attention, linear } from "./attention.js";
import { buffer } from "./buffer.js";
import { frequencies } from "./frequencies.js";
import { rotary } from "./rotary.js";
import { sinusoidal } from "./sinusoidal.js";
import type { Posenc } from "./types/index.js";

/** What both entries offer, on one module. */
export function basics(module: Module): Posenc {
  return {
    sinusoidal: (options) => sinusoidal(module, options),
    frequencies: (options) => frequencies(module, options),
    rotary: (options) => rotary(module, options),
    buffer: (length) => buffer(module, length),
    add: (x, table, options) => add(module, x, table, options),
    linear: (x, weight, options) => linear(module, x, weight, options),
    attention: (options) => attention(module, options),
  };
}
