import { define } from "../base/call.js";
import { textAt } from "../base/check.js";
import type { Exponent, Order, SinusoidalPlan } from "../types/index.js";
import { sinusoidFields } from "./sinusoidal.js";

/** What the preset and the options beside it come to; words as where they stand. */
const resolved = ["base", "shift", "scale", "amplitude", "exponent", "exponentSize", "order", "orderSize"] as const;
/** The lane of the first sine and of the first cosine, from one to the next, and how many there are. */
const places = ["firstSine", "firstCosine", "stride", "sines", "cosines"] as const;

export const sinusoidalPlan = define(
  { name: "sinusoidalPlan", options: sinusoidFields, answers: [...resolved, ...places] },
  () => {},
  (made, { dim }, module): SinusoidalPlan => {
    const lanes = (first: number, count: number) =>
      Array.from({ length: made.sines }, (_, i) => (i < count ? first + i * made.stride : -1));
    return {
      dim,
      base: made.base,
      exponent: textAt(module, made.exponent, made.exponentSize) as Exponent,
      shift: made.shift,
      scale: made.scale,
      order: textAt(module, made.order, made.orderSize) as Order,
      amplitude: made.amplitude,
      sines: lanes(made.firstSine, made.sines),
      cosines: lanes(made.firstCosine, made.cosines),
    };
  },
);
