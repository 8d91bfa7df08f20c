// The full entry's rotary: with a choice of precision, and for values of any dtype.

import { define } from "../base/call.js";
import { changedStored, dtypeOf, dtypeOption } from "../base/dtype.js";
import { type FieldsOf, handle, optional, word } from "../base/kinds.js";
import { refuseOffset } from "../frequencies/positions.js";
import type { ApplyOptions, DType, Layout, PreciseRotaryOptions, StoredRotary } from "../types/index.js";
import { applyFields, type MadeRotary, ModuleRotary, rotaryAnswers, rotaryFields, rotated } from "./rotary.js";
import { cacheOfRotary } from "./rotary-cache.js";

export const rotaryFull = define(
  {
    name: "rotaryFull",
    where: "rotary",
    options: { ...rotaryFields, precision: optional(word()) } satisfies FieldsOf<PreciseRotaryOptions>,
    answers: rotaryAnswers,
  },
  () => {},
  (answers, { dim, layout }, module) =>
    new FullRotary(module, { ...answers, dim, layout: layout as Layout }) as unknown as StoredRotary,
);

export const rotaryFullApply = define(
  {
    name: "rotaryFullApply",
    where: "apply",
    inputs: { rotary: handle<MadeRotary>(), x: changedStored },
    options: { ...applyFields, dtype: dtypeOption },
  },
  (read) => {
    refuseOffset(read);
    read.x.dtype = dtypeOf("x", read.x, read.dtype);
  },
  rotated,
);

class FullRotary extends ModuleRotary {
  // The overloads of the published interface tie the results' types to the dtype.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  override apply(x: any, options: ApplyOptions & { dtype?: DType }): any {
    const rotary = ModuleRotary.ownedBy("rotary", this);
    return rotaryFullApply(rotary.module, options, { rotary, x });
  }

  // biome-ignore lint/suspicious/noExplicitAny: see above
  override cache(positions: object): any {
    const rotary = ModuleRotary.ownedBy("rotary", this);
    return cacheOfRotary(rotary.module, positions, { rotary, form: "onnx" });
  }
}
