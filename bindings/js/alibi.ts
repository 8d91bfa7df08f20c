import type { FullModule } from "posenc-module";
import { options as checkOptions, count, number, text, unwrap } from "./check.js";
import { borrowFor, lendResult } from "./memory.js";
import { biasKeys, biasOf } from "./relative.js";
import type { AlibiOptions, AlibiSlopesOptions, Tensor } from "./types/index.js";

export function alibiSlopes(module: FullModule, options: AlibiSlopesOptions): Tensor {
  options = checkOptions(options, ["heads", "slopes", "steepness", "out"], "alibiSlopes");
  const { heads, slopes = "paper", steepness = 8 } = options;
  return borrowFor(module, options.out, (memory) => {
    const out = lendResult(memory, [count("heads", heads)], "heads");
    unwrap(module.alibiSlopes(text("slopes", slopes), number("steepness", steepness), out.address, heads));
    return out.taken();
  });
}

export function alibi(module: FullModule, options: AlibiOptions): Tensor {
  options = checkOptions(options, [...biasKeys, "heads", "slopes", "steepness", "distance"], "alibi");
  const { heads, slopes = "paper", steepness = 8, distance = "symmetric" } = options;
  text("slopes", slopes);
  text("distance", distance);
  number("steepness", steepness);
  return biasOf(module, heads, options, (_, shape, future, out) =>
    module.alibiBias(slopes, distance, steepness, shape.address, future, out.address, out.length),
  );
}
