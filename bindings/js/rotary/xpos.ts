import { define } from "../base/call.js";
import { changed, type FieldsOf, flag, handle, number, optional, word } from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { type Owned, owned, Releasing } from "../base/owned.js";
import { namedPositionFields, positionCount, positionFields, refuseOffset } from "../frequencies/positions.js";
import type { Layout, OutOption, Positions, Tensor, Xpos, XposApplyOptions, XposOptions } from "../types/index.js";
import { axesFields, type MadeRotary, rotaryAnswers, rotaryFields, rotated } from "./rotary.js";

export const xpos = define(
  {
    name: "xposMake",
    where: "xpos",
    options: {
      ...rotaryFields,
      centre: number,
      scaleBase: optional(number, "a finite number > 0"),
    } satisfies FieldsOf<XposOptions>,
    answers: rotaryAnswers,
  },
  () => {},
  (answers, { dim, layout }, module) => new ModuleXpos(module, { ...answers, dim, layout: layout as Layout }),
);

export const xposApply = define(
  {
    name: "xposApply",
    where: "apply",
    inputs: { xpos: handle<MadeRotary>(), x: changed },
    options: {
      ...axesFields,
      ...positionFields,
      side: word('"query" or "key"'),
      inverse: optional(flag),
    } satisfies FieldsOf<XposApplyOptions>,
  },
  refuseOffset,
  rotated,
);

export const xposScales = define(
  {
    name: "xposScales",
    where: "scales",
    inputs: { xpos: handle<MadeRotary>() },
    options: namedPositionFields,
    results: Float32Array,
  },
  ({ xpos, ...read }) => ({ shape: [positionCount(read), xpos.made.rotaryDim / 2], what: "length * rotaryDim / 2" }),
);

class ModuleXpos extends Releasing implements Xpos {
  readonly dim: number;
  readonly rotaryDim: number;
  readonly layout: Layout;
  readonly attentionFactor: number;
  readonly #owned: Owned<MadeRotary>;

  constructor(module: Module, made: MadeRotary) {
    super();
    this.#owned = owned(module, "xpos", made);
    this.dim = made.dim;
    this.layout = made.layout;
    this.rotaryDim = made.rotaryDim;
    this.attentionFactor = made.attentionFactor;
  }

  apply(x: Float32Array, options: XposApplyOptions): Float32Array {
    return xposApply(this.#owned.module, options, { xpos: this.#owned, x });
  }

  scales(positions: Positions & OutOption): Tensor {
    return xposScales(this.#owned.module, positions, { xpos: this.#owned });
  }

  delete(): void {
    this.#owned.delete();
  }
}
