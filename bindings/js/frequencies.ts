import type { Module } from "posenc-module";
import { options as checkOptions, number, text, unwrap, whole } from "./check.js";
import { borrowFor, lendResultOf } from "./memory.js";
import { scalingArguments, scalingKeys } from "./scaling.js";
import type { FrequencyList, FrequencyListOptions, FrequencyOptions } from "./types/index.js";

export const frequencyKeys = ["dim", "base", "exponent", "shift", "scale"] as const;

/** The options as the module takes them, with their defaults. */
function frequencyArguments({ dim, base = 10000, exponent = "paper", shift = 0, scale = 1 }: FrequencyOptions) {
  return [
    whole("dim", dim),
    number("base", base),
    text("exponent", exponent),
    number("shift", shift),
    number("scale", scale),
  ] as const;
}

export function frequencies(module: Module, options: FrequencyListOptions): FrequencyList {
  options = checkOptions(options, [...frequencyKeys, ...scalingKeys, "out"], "frequencies");
  const handle = unwrap(module.frequenciesMake(...frequencyArguments(options), ...scalingArguments(options)));
  try {
    return borrowFor(module, options.out, (memory) => {
      const radians = lendResultOf(Float64Array, memory, [module.frequenciesCount(handle)], "dim");
      module.frequenciesRadians(handle, radians.address);
      return { ...radians.taken(), attentionFactor: module.frequenciesAttentionFactor(handle) };
    });
  } finally {
    module.frequenciesFree(handle);
  }
}
