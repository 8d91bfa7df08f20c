import { add, attention, linear } from "./attention/attention.js";
import { bind } from "./base/api.js";
import { buffer } from "./base/buffer.js";
import type { Module } from "./base/module.js";
import { frequencies } from "./frequencies/frequencies.js";
import { rotary } from "./rotary/rotary.js";
import { sinusoidal, sinusoidalPlan } from "./sinusoidal/sinusoidal.js";
import type { Posenc } from "./types/index.js";

/** What both entries offer. */
export const functions = { sinusoidal, sinusoidalPlan, frequencies, rotary, buffer, add, linear, attention };

export const basics = (module: Module): Posenc => bind(module, functions);
