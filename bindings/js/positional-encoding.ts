import type { FullModule } from "posenc-module";
import { lendSum } from "./absolute.js";
import { dropoutNumbers } from "./attention-options.js";
import { options as checkOptions, flag, number, unwrap } from "./check.js";
import { borrowFor, lendArguments } from "./memory.js";
import { sinusoidal } from "./sinusoidal.js";
import type { PositionalEncoding, PositionalEncodingOptions } from "./types/index.js";

export function positionalEncoding(module: FullModule, options: PositionalEncodingOptions): PositionalEncoding {
  options = checkOptions(options, ["dModel", "dropout", "maxLen"], "positionalEncoding");
  const { dModel, maxLen = 5000 } = options;
  const p = number("dropout", options.dropout ?? 0.1);
  const table = sinusoidal(module, { dim: dModel, length: maxLen });
  return {
    table,
    forward(x, mode) {
      mode = checkOptions(mode, ["training", "seed", "out"], "forward");
      const training = flag("training", mode.training);
      const numbers = dropoutNumbers(training ? { p, seed: mode.seed as number } : { p, training }, "dropout");
      return borrowFor(module, mode.out, (memory) => {
        const sum = lendSum(module, memory, x, table);
        unwrap(module.dropout(lendArguments(memory, [...numbers, ...sum.array])));
        return sum.taken();
      });
    },
  };
}
