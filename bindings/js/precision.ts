import type { FullModule } from "posenc-module";
import { options as checkOptions, text, wrongValue } from "./check.js";
import { rotaryArguments, rotaryKeys } from "./rotary.js";
import { storedRotary } from "./stored-rotary.js";
import type { PreciseRotaryOptions, StoredRotary } from "./types/index.js";

/** The entry posenc/full's `rotary`: with a choice of precision. */
export function preciseRotary(module: FullModule, options: PreciseRotaryOptions): StoredRotary {
  options = checkOptions(options, [...rotaryKeys, "precision"], "rotary");
  const precision = text("precision", options.precision ?? "exact");
  if (precision !== "exact" && precision !== "float32") {
    throw wrongValue("precision", precision, 'one of "exact", "float32"');
  }
  const make = precision === "float32" ? module.rotaryMakeFloat32 : module.rotaryMake;
  return storedRotary(module, options, make(...rotaryArguments(options)));
}
