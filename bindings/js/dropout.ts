import type { FullModule } from "posenc-module";
import { dropoutNumbers } from "./attention-options.js";
import { tensor, unwrap } from "./check.js";
import { arrayOf, borrow, lendArguments } from "./memory.js";
import type { Dropout, Tensor } from "./types/index.js";

export function dropout(module: FullModule, x: Tensor, options: Dropout): Tensor {
  const { data, shape } = tensor("x", x);
  const numbers = dropoutNumbers(options, "dropout");
  return borrow(module, (memory) => {
    const values = memory.floatsFrom(data, "x");
    unwrap(module.dropout(lendArguments(memory, [...numbers, ...arrayOf(values)])));
    return { data: memory.viewFloats(values).slice(), shape };
  });
}
