import { options as checkOptions, flag, number, numbers, text, whole, wrongType } from "./check.js";
import type { Scaling, ScalingOptions } from "./types/index.js";

type Check = (argument: string, value: unknown) => unknown;

const optional =
  (check: Check): Check =>
  (argument, value) =>
    value === undefined ? value : check(argument, value);

/** The options of each rule and their types; what they mean, and their defaults, is the core's to know. */
const rules: Record<Scaling["type"], Record<string, Check>> = {
  default: {},
  linear: { factor: number },
  ntk: { factor: number },
  dynamic: { factor: number, originalLength: number },
  yarn: {
    factor: number,
    originalLength: number,
    betaFast: optional(number),
    betaSlow: optional(number),
    truncate: optional(flag),
    attentionFactor: optional(number),
    mscale: optional(number),
    mscaleAllDim: optional(number),
  },
  longrope: {
    factor: number,
    originalLength: number,
    shortFactor: numbers,
    longFactor: numbers,
    attentionFactor: optional(number),
  },
  llama3: {
    factor: number,
    originalLength: number,
    lowFrequencyFactor: optional(number),
    highFrequencyFactor: optional(number),
  },
  proportional: { fraction: optional(number), factor: optional(number) },
  given: { frequencies: numbers, attentionFactor: optional(number) },
};

export const scalingKeys = ["exponentDim", "scaling", "length"] as const;

/** A rule whose options are of the right types, copied: the core reads it while nothing of the caller's can run. One of an unknown type goes on to the core, which lists the known. */
function checked(scaling: Scaling): Scaling {
  if (typeof scaling !== "object" || scaling === null) throw wrongType("scaling", scaling, "an object { type, … }");
  const given: Record<string, unknown> = { ...scaling };
  const type = text("scaling.type", given.type);
  if (Object.hasOwn(rules, type)) {
    const rule = rules[type as Scaling["type"]];
    checkOptions(given, ["type", ...Object.keys(rule)], "scaling");
    for (const [key, check] of Object.entries(rule)) given[key] = check(`scaling.${key}`, given[key]);
  }
  return given as unknown as Scaling;
}

/** A whole number as the module takes it; NaN when it is not given. */
export const given = (argument: string, value: number | undefined) =>
  value === undefined ? Number.NaN : whole(argument, value);

/** The options as the module takes them. */
export function scalingArguments({ exponentDim, scaling, length }: ScalingOptions) {
  return [
    given("exponentDim", exponentDim),
    scaling === undefined ? undefined : checked(scaling),
    given("length", length),
  ] as const;
}
