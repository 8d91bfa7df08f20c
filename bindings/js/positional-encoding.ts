import type { FullModule } from "posenc-module";
import { add } from "./absolute.js";
import { options as checkOptions, flag, number } from "./check.js";
import { dropout } from "./dropout.js";
import { sinusoidal } from "./sinusoidal.js";
import type { PositionalEncoding, PositionalEncodingOptions } from "./types/index.js";

export function positionalEncoding(module: FullModule, options: PositionalEncodingOptions): PositionalEncoding {
  checkOptions(options, ["dModel", "dropout", "maxLen"], "positionalEncoding");
  const { dModel, maxLen = 5000 } = options;
  const p = number("dropout", options.dropout ?? 0.1);
  const table = sinusoidal(module, { dim: dModel, length: maxLen });
  return {
    table,
    forward(x, mode) {
      checkOptions(mode, ["training", "seed"], "forward");
      const training = flag("training", mode.training);
      const sum = add(module, x, table);
      return dropout(module, sum, training ? { p, seed: mode.seed as number } : { p, training });
    },
  };
}
