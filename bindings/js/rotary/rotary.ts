import { knownOf, ModuleBuffer, type Owned, owned, Releasing } from "../base/buffer.js";
import { type Call, type Description, define } from "../base/call.js";
import { number as checkNumber, isObject, wrongType } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { current, type Values, type View } from "../base/view.js";
import { namedPositionFields, positionCount, positionFields, refuseOffset } from "../frequencies/positions.js";
import { scalingFields } from "../frequencies/scaling.js";
import type * as t from "../types/index.js";

/** Holds what is known of everything that rotates once it is made. */
export interface MadeRotation {
  handle: number;
  dim: number;
  rotaryDim: number;
  attentionFactor: number;
  /** The options that it was made with. */
  options?: object;
}

/** An object of the core's that rotates: it has what is known of it as properties. */
export abstract class Rotation<Made extends MadeRotation = MadeRotation> extends Releasing {
  declare readonly dim: number;
  declare readonly rotaryDim: number;
  declare readonly attentionFactor: number;
  readonly #owned: Owned<Made>;

  constructor(module: Module, what: string, made: Made) {
    super();
    const { handle: _, options: __, ...known } = made;
    Object.assign(this, known);
    this.#owned = owned(module, what, made);
  }

  /** Returns the core's object; undefined for one made elsewhere. */
  protected static ownedBy<Made extends MadeRotation>(rotation: Rotation<Made>): Owned<Made> | undefined {
    return #owned in rotation ? rotation.#owned : undefined;
  }

  /** Calls the core with one, and with what is given beside the options; no method, which users would see. */
  static run<Taken>(of: Rotation, call: Call<Description, Taken>, options: object, beside?: object): Taken {
    return call(of.#owned.module, options, { rotary: of.#owned, ...beside });
  }

  override [knownOf](): object {
    const given = Object.entries(this.#owned.made.options ?? this).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      given.map(([name, value]) => [name, isObject(value) && "type" in value ? { type: value.type } : value]),
    );
  }

  delete(): void {
    this.#owned.delete();
  }
}

export const layout = is.named;

export const rotaryFields = {
  dim: is.whole,
  layout,
  base: is.optional(is.number),
  rotaryDim: is.optional(is.whole),
  exponent: is.optional(is.word()),
  ...scalingFields,
} satisfies is.FieldsOf<t.RotaryOptions>;

/** Names what the core answers when it has made one. */
export const rotaryAnswers = ["handle", "rotaryDim", "attentionFactor"] as const;

/** Holds what is known of a rotary. */
export interface MadeRotary extends MadeRotation {
  layout: string;
}

/** A rotary by whose method the core is called. */
export const rotaryHandle = is.handle<MadeRotary>();

export const axesFields = {
  shape: is.extents,
  seqAxis: is.optional(is.whole),
  dimAxis: is.optional(is.whole),
  batchAxis: is.optional(is.whole),
} satisfies is.FieldsOf<t.TensorAxes>;

/** What of the options is known of a rotary. */
export const named = ({ dim, layout }: { dim: number; layout: string }) => ({ dim, layout });

export const rotary = define(
  { name: "rotaryMake", where: "rotary", options: rotaryFields, answers: rotaryAnswers, inFull: ["precision"] },
  () => {},
  (answers, options, module) => new ModuleRotary(module, "rotary", { ...answers, ...named(options), options }),
);

/** The caller's array, whose values have changed. */
export const rotated = <A extends Values>(_: unknown, { x }: { x: View<A> }, module: Module): A => current(module, x);

export const applyFields = {
  ...axesFields,
  ...positionFields,
  inverse: is.optional(is.flag),
} satisfies is.FieldsOf<t.ApplyOptions>;

export const rotaryApply = define(
  { name: "rotaryApply", where: "apply", inputs: { rotary: rotaryHandle, x: is.changed }, options: applyFields },
  refuseOffset,
  rotated,
);

export const rotaryCache = define(
  {
    name: "rotaryCache",
    where: "cache",
    inputs: { rotary: rotaryHandle },
    options: namedPositionFields satisfies is.FieldsOf<t.Positions>,
    results: { cos: Float32Array, sin: Float32Array },
  },
  (read) => {
    const size = { shape: [positionCount(read), read.rotary.made.rotaryDim / 2], what: "length * rotaryDim / 2" };
    return { cos: size, sin: size };
  },
);

export const rotaryStepMake = define(
  {
    name: "rotaryStepMake",
    where: "step",
    inputs: { rotary: rotaryHandle, x: is.floats },
    options: { ...axesFields, inverse: is.optional(is.flag) } satisfies is.FieldsOf<t.StepOptions>,
    answers: ["handle"],
  },
  () => {},
  (answers, { rotary: _, x: __, ...options }, module) => ({ owned: owned(module, "step", answers), options }),
);

const ofThisEntry = { maker: "rotary()" };

export class ModuleRotary extends Rotation<MadeRotary> implements t.Rotary {
  declare readonly layout: t.Layout;

  /** Returns the core's object of a rotary that a caller gives. */
  static given(argument: string, value: unknown): Owned<MadeRotary> {
    const known = value instanceof ModuleRotary ? Rotation.ownedBy(value) : undefined;
    if (!known) throw wrongType(argument, value, expected.made_by, ofThisEntry);
    return known;
  }

  // The overloads of the published interface tie what is given back to what is given.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  apply(x: any, options: object): any {
    return Rotation.run(this, rotaryApply, options, { x });
  }

  step(x: t.FloatBuffer | Float32Array, options: t.StepOptions): t.RotaryStep {
    return new ModuleRotaryStep(ModuleRotary.given("rotary", this), x, options);
  }

  cache(positions: t.Positions & t.OutOption<t.RotaryOuts>): { cos: t.TensorResult; sin: t.TensorResult } {
    return Rotation.run(this, rotaryCache, positions);
  }
}

/** A rotary that a caller gives, of the module that is called. */
export const rotaryOption: is.Kind<t.Rotary, Owned<MadeRotary>> = {
  is: "handle",
  read: (argument, value) => ModuleRotary.given(argument, value),
  write(block, rotary, argument) {
    if (!rotary) return block.number(0);
    if (rotary.module !== block.module) throw wrongType(argument, rotary, expected.made_by, ofThisEntry);
    block.number(rotary.address);
  },
};

/** Repeats one rotation of a buffer, whose address is known, without the checks of a call. */
class ModuleRotaryStep extends Releasing implements t.RotaryStep {
  readonly #rotary: Owned<MadeRotary>;
  readonly #x: ReturnType<typeof ModuleBuffer.of>;
  /** As they were read. */
  readonly #options: object;
  readonly #owned: Owned;

  constructor(rotary: Owned<MadeRotary>, x: t.FloatBuffer | Float32Array, given: t.StepOptions) {
    super();
    this.#rotary = rotary;
    this.#x = ModuleBuffer.of(rotary.module, "x", x);
    const { owned, options } = rotaryStepMake(rotary.module, given, { rotary, x: this.#x.values() });
    this.#options = options;
    this.#owned = owned;
  }

  apply(position: number | t.PositionList): void {
    this.#rotary.address;
    const { module } = this.#rotary;
    this.#x.owner.address;
    const step = this.#owned.address;
    const isList = isObject(position);
    if (isList || module._rotary_step(step, checkNumber("position", position)) === 0) {
      // The same, slower, takes a list, and says what is wrong.
      const options = { ...this.#options, [isList ? "positions" : "offset"]: position };
      rotaryApply(module, options, { rotary: this.#rotary, x: this.#x.values() });
    }
  }

  delete(): void {
    this.#owned.delete();
  }
}
