import type { FullModule } from "posenc-module";
import { options as checkOptions, product, tensor, text, unwrap, whole, wrongValue } from "./check.js";
import { borrowFor, lendResult } from "./memory.js";
import { given } from "./scaling.js";
import type { ConvertLayoutOptions, Tensor } from "./types/index.js";

export function convertLayout(module: FullModule, x: Tensor, options: ConvertLayoutOptions): Tensor {
  options = checkOptions(options, ["dim", "rotaryDim", "from", "to", "axis", "out"], "convertLayout");
  const { data, shape } = tensor("x", x);
  const { dim, from, to, axis } = options;
  whole("dim", dim);
  const rank = shape.length;
  const at = whole("axis", axis) < 0 ? axis + rank : axis;
  const lanes = shape[at];
  if (lanes === undefined) throw wrongValue("axis", axis, `an axis of x: from ${-rank} to ${rank - 1}`);
  if (dim > 0 && lanes % dim !== 0) {
    throw wrongValue("x.shape", shape, `a multiple of ${dim} (dim) as the extent of axis ${axis}`);
  }
  const inner = Math.max(product(shape.slice(at + 1)), 1);
  return borrowFor(module, options.out, (memory) => {
    const source = memory.floatsFrom(data, "x");
    const out = lendResult(memory, shape, "x");
    unwrap(
      module.convertLayout(
        dim,
        given("rotaryDim", options.rotaryDim),
        text("from", from),
        text("to", to),
        inner,
        source.address,
        source.length,
        out.address,
      ),
    );
    return out.taken();
  });
}
