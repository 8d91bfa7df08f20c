import { define } from "../base/call.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import { namedPositionFields, positionCount, positionFields, refuseOffset } from "../frequencies/positions.js";
import type * as t from "../types/index.js";
import * as base from "./rotary.js";

const makeFields = {
  ...base.rotaryFields,
  centre: is.number,
  scaleBase: is.optional(is.number, expected.finite_above, { bound: 0 }),
} satisfies is.FieldsOf<t.XposOptions>;

export const xpos = define(
  { name: "xposMake", where: "xpos", options: makeFields, answers: base.rotaryAnswers },
  () => {},
  (answers, options, module) => new ModuleXpos(module, "xpos", { ...answers, ...base.named(options), options }),
);

const applyFields = {
  ...base.axesFields,
  ...positionFields,
  side: is.named,
  inverse: is.optional(is.flag),
} satisfies is.FieldsOf<t.XposApplyOptions>;

export const xposApply = define(
  { name: "xposApply", where: "apply", inputs: { rotary: base.rotaryHandle, x: is.changed }, options: applyFields },
  refuseOffset,
  base.rotated,
);

export const xposScales = define(
  {
    name: "xposScales",
    where: "scales",
    inputs: { rotary: base.rotaryHandle },
    options: namedPositionFields,
    results: Float32Array,
  },
  (read) => ({
    shape: [positionCount(read), read.rotary.made.rotaryDim / 2],
    what: "length * rotaryDim / 2",
  }),
);

export class ModuleXpos extends base.Rotation<base.MadeRotary> implements t.Xpos {
  declare readonly layout: t.Layout;

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the published interface tie result and argument
  apply(x: any, options: object): any {
    return base.Rotation.run(this, xposApply, options, { x });
  }

  scales(positions: t.Positions & t.OutOption): t.TensorResult {
    return base.Rotation.run(this, xposScales, positions);
  }
}
