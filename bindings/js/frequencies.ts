import type { Module } from "posenc-module";
import { options as checkOptions, number, text, unwrap, whole } from "./check.js";
import { borrow } from "./memory.js";
import { scalingArguments, scalingKeys } from "./scaling.js";
import type { FrequencyList, FrequencyOptions, ScalingOptions } from "./types/index.js";

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

export function frequencies(module: Module, options: FrequencyOptions & ScalingOptions): FrequencyList {
  checkOptions(options, [...frequencyKeys, ...scalingKeys], "frequencies");
  const handle = unwrap(module.frequenciesMake(...frequencyArguments(options), ...scalingArguments(options)));
  try {
    return borrow(module, (memory) => {
      const radians = memory.doubles(module.frequenciesCount(handle), "dim");
      module.frequenciesRadians(handle, radians.address);
      return {
        data: memory.viewDoubles(radians).slice(),
        shape: [radians.length],
        attentionFactor: module.frequenciesAttentionFactor(handle),
      };
    });
  } finally {
    module.frequenciesFree(handle);
  }
}
