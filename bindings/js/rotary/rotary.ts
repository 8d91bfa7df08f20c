import { current, ModuleBuffer } from "../base/buffer.js";
import { define } from "../base/call.js";
import { number as checkNumber, wrongType } from "../base/check.js";
import {
  changed,
  extents,
  type FieldsOf,
  flag,
  floats,
  handle,
  type Kind,
  number,
  optional,
  whole,
  word,
} from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { type Owned, owned, Releasing } from "../base/owned.js";
import type { Values, View } from "../base/view.js";
import { namedPositionFields, positionCount, positionFields, refuseOffset } from "../frequencies/positions.js";
import { scalingFields } from "../frequencies/scaling.js";
import type {
  ApplyOptions,
  FloatBuffer,
  Layout,
  OutOption,
  Positions,
  Rotary,
  RotaryOptions,
  RotaryOuts,
  RotaryStep,
  StepOptions,
  Tensor,
  TensorAxes,
} from "../types/index.js";

export const layout = word("the name of a layout; it has no default");

export const rotaryFields = {
  dim: whole,
  layout,
  base: optional(number),
  rotaryDim: optional(whole),
  exponent: optional(word()),
  ...scalingFields,
} satisfies FieldsOf<RotaryOptions>;

/** What is known of a rotary once it is made. */
export const rotaryAnswers = ["handle", "rotaryDim", "attentionFactor"] as const;

export const axesFields = {
  shape: extents,
  seqAxis: optional(whole),
  dimAxis: optional(whole),
  batchAxis: optional(whole),
} satisfies FieldsOf<TensorAxes>;

export const rotary = define(
  { name: "rotaryMake", where: "rotary", options: rotaryFields, answers: rotaryAnswers },
  () => {},
  (answers, read, module) => new ModuleRotary(module, { ...answers, dim: read.dim, layout: read.layout as Layout }),
);

/** The caller's array, whose values have changed. */
export const rotated = <A extends Values>(_: unknown, { x }: { x: View<A> }, module: Module): A => current(module, x);

export const applyInputs = { rotary: handle<MadeRotary>(), x: changed };

export const applyFields = {
  ...axesFields,
  ...positionFields,
  inverse: optional(flag),
} satisfies FieldsOf<ApplyOptions>;

export const rotaryApply = define(
  { name: "rotaryApply", where: "apply", inputs: applyInputs, options: applyFields },
  refuseOffset,
  rotated,
);

export const rotaryCache = define(
  {
    name: "rotaryCache",
    where: "cache",
    inputs: { rotary: handle<MadeRotary>() },
    options: namedPositionFields satisfies FieldsOf<Positions>,
    results: { cos: Float32Array, sin: Float32Array },
  },
  ({ rotary, ...read }) => {
    const size = { shape: [positionCount(read), rotary.made.rotaryDim / 2], what: "length * rotaryDim / 2" };
    return { cos: size, sin: size };
  },
);

export const rotaryStepMake = define(
  {
    name: "rotaryStepMake",
    where: "step",
    inputs: { rotary: handle<MadeRotary>(), x: floats },
    options: { ...axesFields, inverse: optional(flag) } satisfies FieldsOf<StepOptions>,
    answers: ["handle"],
  },
  () => {},
  (answers, { rotary: _, x: __, ...options }, module) => ({ owned: owned(module, "step", answers), options }),
);

/** What is known of a rotary. */
export interface MadeRotary {
  handle: number;
  dim: number;
  layout: Layout;
  rotaryDim: number;
  attentionFactor: number;
}

export class ModuleRotary extends Releasing implements Rotary {
  readonly dim: number;
  readonly rotaryDim: number;
  readonly layout: Layout;
  readonly attentionFactor: number;
  readonly #owned: Owned<MadeRotary>;

  constructor(module: Module, made: MadeRotary) {
    super();
    this.#owned = owned(module, "rotary", made);
    this.dim = made.dim;
    this.layout = made.layout;
    this.rotaryDim = made.rotaryDim;
    this.attentionFactor = made.attentionFactor;
  }

  /** What a rotary is of the core's. */
  static ownedBy(argument: string, value: unknown): Owned<MadeRotary> {
    if (!(value instanceof ModuleRotary && #owned in value)) throw wrongType(argument, value, ofThisEntry);
    return value.#owned;
  }

  apply(x: Float32Array, options: ApplyOptions): Float32Array {
    return rotaryApply(this.#owned.module, options, { rotary: this.#owned, x });
  }

  step(x: FloatBuffer, options: StepOptions): RotaryStep {
    return new ModuleRotaryStep(this.#owned, x, options);
  }

  cache(positions: Positions & OutOption<RotaryOuts>): { cos: Tensor; sin: Tensor } {
    return rotaryCache(this.#owned.module, positions, { rotary: this.#owned });
  }

  delete(): void {
    this.#owned.delete();
  }
}

const ofThisEntry = "what rotary() of this entry made";

/** A rotary that a caller gives, of the module that is called. */
export const rotaryOption: Kind<Rotary, Owned<MadeRotary>> = {
  is: "handle",
  read: (argument, value) => ModuleRotary.ownedBy(argument, value),
  write(block, rotary, argument) {
    if (rotary?.module !== block.module) throw wrongType(argument, rotary, ofThisEntry);
    block.number(rotary.address);
  },
};

/** The same rotation again and again: of a buffer, whose place is known, past all that a call does. */
class ModuleRotaryStep extends Releasing implements RotaryStep {
  readonly #rotary: Owned<MadeRotary>;
  readonly #x: FloatBuffer;
  /** As they were read. */
  readonly #options: object;
  readonly #owned: Owned;

  constructor(rotary: Owned<MadeRotary>, x: FloatBuffer, given: StepOptions) {
    super();
    ModuleBuffer.addressOf(rotary.module, "x", x);
    const { owned, options } = rotaryStepMake(rotary.module, given, { rotary, x: x.view });
    this.#rotary = rotary;
    this.#x = x;
    this.#options = options;
    this.#owned = owned;
  }

  apply(position: number): void {
    this.#rotary.address;
    const { module } = this.#rotary;
    ModuleBuffer.addressOf(module, "x", this.#x);
    const step = this.#owned.address;
    if (module._rotary_step(step, checkNumber("position", position)) === 0) {
      // The same, slower, says what is wrong.
      const options = { ...this.#options, offset: position };
      rotaryApply(module, options, { rotary: this.#rotary, x: this.#x.view });
    }
  }

  delete(): void {
    this.#owned.delete();
  }
}
