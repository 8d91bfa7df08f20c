import { add } from "./attention/add.js";
import { attention } from "./attention/attention.js";
import { linear } from "./attention/linear.js";
import { bind } from "./base/api.js";
import { buffer } from "./base/buffer.js";
import type { Module } from "./base/module.js";
import { frequencies } from "./frequencies/frequencies.js";
import { rotary } from "./rotary/rotary.js";
import { sinusoidal, sinusoidalPlan } from "./sinusoidal/sinusoidal.js";
import type { Posenc } from "./types/index.js";

/** What the small entry offers. */
const functions = { sinusoidal, sinusoidalPlan, frequencies, rotary, buffer, add, linear, attention };

export const basics = (module: Module): Posenc => bind(module, functions);
