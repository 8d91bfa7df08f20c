import type { FullModule } from "posenc-module";
import { dropoutNumbers } from "./attention-options.js";
import { tensor, unwrap } from "./check.js";
import { borrowFor, lendArguments, lendChanged } from "./memory.js";
import type { Dropout, OutOption, Tensor } from "./types/index.js";

export function dropout(module: FullModule, x: Tensor, { out, ...options }: Dropout & OutOption): Tensor {
  const { data, shape } = tensor("x", x);
  const numbers = dropoutNumbers(options, "dropout");
  return borrowFor(module, out, (memory) => {
    const values = lendChanged(memory, data, shape, "x");
    unwrap(module.dropout(lendArguments(memory, [...numbers, ...values.array])));
    return values.taken();
  });
}
