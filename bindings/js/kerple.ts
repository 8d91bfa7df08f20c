import type { FullModule } from "posenc-module";
import { options as checkOptions, float32Array, text } from "./check.js";
import { biasKeys, biasOf } from "./relative.js";
import type { KerpleOptions, Tensor } from "./types/index.js";

export function kerple(module: FullModule, options: KerpleOptions): Tensor {
  options = checkOptions(options, [...biasKeys, "kernel", "r1", "r2"], "kerple");
  const { kernel, r1, r2 } = options;
  text("kernel", kernel, "the name of a kernel; it has no default");
  float32Array("r2", r2);
  return biasOf(module, float32Array("r1", r1).length, options, (memory, shape, future, out) => {
    const a = memory.floatsFrom(r1, "r1");
    const b = memory.floatsFrom(r2, "r2");
    return module.kerpleBias(
      kernel,
      a.address,
      a.length,
      b.address,
      b.length,
      shape.address,
      future,
      out.address,
      out.length,
    );
  });
}
