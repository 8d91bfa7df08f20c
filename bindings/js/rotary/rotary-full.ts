// The full entry's rotary: with a choice of precision, and for values of any dtype; and its cosines and sines in the
// forms of other implementations, written and rotated by.

import { define, inputsFirst, type Size } from "../base/call.js";
import { names as checkNames, plain, wrongShape, wrongType, wrongValue } from "../base/check.js";
import { named, sizeOf } from "../base/dtype.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import { changedStored, dtypeNamed, dtypeOf, dtypeOption } from "../base/stored.js";
import { current, ownerOf, type View, viewOf } from "../base/view.js";
import { namedPositionFields, positionFields, positionShape, refuseOffset } from "../frequencies/positions.js";
import type * as t from "../types/index.js";
import * as base from "./rotary.js";
import { type RotaryBlock, rotaryBlocks } from "./rotary-blocks.js";

const makeFields = {
  ...base.rotaryFields,
  precision: is.optional(is.word()),
} satisfies is.FieldsOf<t.PreciseRotaryOptions>;

export const rotary = define(
  { name: "rotaryFull", where: "rotary", options: makeFields, answers: base.rotaryAnswers },
  () => {},
  (answers, options, module) =>
    new FullRotary(module, "rotary", { ...answers, ...base.named(options), options }) as t.StoredRotary,
);

const applied = {
  name: "rotaryFullApply",
  where: "apply",
  inputs: { rotary: base.rotaryHandle, x: changedStored },
  options: { ...base.applyFields, firstDim: is.optional(is.whole), dtype: dtypeOption },
} as const;

type ReadApply = is.ReadOf<typeof applied.inputs> &
  is.ReadOf<typeof applied.options> & {
    /** The caller's array, where the rest of a call is about a block of it. */
    whole?: View;
  };

function checkApply(read: ReadApply): void {
  refuseOffset(read);
  read.x.dtype = dtypeOf("x", read.x, read.dtype);
}

const applyToBlock = define(applied, checkApply);

/** Rotates all blocks of a large array but the last, which is left to be rotated; nothing where a block is refused. */
function rotateBlocks(read: ReadApply): void {
  const { rotary, x, inverse = false, firstDim } = read;
  const dtype = x.dtype as t.DType;
  const others = firstDim === undefined ? { inverse, dtype } : { inverse, dtype, firstDim };
  let before: RotaryBlock | undefined;
  for (const block of rotaryBlocks(read)) {
    if (before) {
      const { x: values, ...place } = before;
      try {
        applyToBlock(rotary.module, { ...place, ...others }, { rotary, x: values });
      } catch (error) {
        if (read.whole) throw error;
        return; // The call as a whole is refused in the same way.
      }
      read.whole = x;
    }
    before = block;
  }
  if (!before) return;
  const { x: values, ...place } = before;
  Object.assign(read, place, { x: Object.assign(viewOf("x", values), { type: x.type, dtype }) });
}

export const rotaryFullApply = define(
  applied,
  (read) => {
    checkApply(read);
    if (!ownerOf("x", read.x)) rotateBlocks(read);
  },
  (_, { whole, x }: ReadApply, module) => current(module, whole ?? x),
);

const form = is.named as is.Kind<t.CacheForm, string>;

const cacheFields = { ...namedPositionFields, dtype: dtypeOption };

const cacheArrays = { cos: Float32Array, sin: Float32Array, cosSin: Float32Array };

interface ReadCache extends is.ReadOf<typeof cacheFields> {
  rotary: { made: base.MadeRotary };
  form: string;
}

function cacheSizes({ rotary, form, dtype, ...positions }: ReadCache): { [name in keyof typeof cacheArrays]?: Size } {
  const { rotaryDim } = rotary.made;
  const rows = positionShape(positions);
  const batch = form.startsWith("huggingface") && rows.length === 1 ? [1] : [];
  const row = form === "onnx" ? rotaryDim / 2 : rotaryDim;
  const size = sizeOf(dtype, [...batch, ...rows, row], "length * rotaryDim");
  return form === "ggml" ? { cosSin: size } : { cos: size, sin: size };
}

const namedEach = <Of extends object>(made: Of, { dtype }: ReadCache): Of =>
  Object.fromEntries(Object.entries(made).map(([name, result]) => [name, named(result, dtype)])) as Of;

const called = { name: "rotaryFullCache", results: cacheArrays } as const;

/** Writes the cache for a rotary's own method, which names the form. */
export const cacheOfRotary = define(
  { ...called, where: "cache", inputs: { rotary: base.rotaryHandle, form }, options: cacheFields },
  cacheSizes,
  namedEach,
);

export const rotaryCache = define(
  { ...called, where: "rotaryCache", options: { rotary: base.rotaryOption, form, ...cacheFields } },
  cacheSizes,
  namedEach,
);

class FullRotary extends base.ModuleRotary {
  // The overloads of the published interface tie the results' types to the dtype.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  override apply(x: any, options: { dtype?: unknown }): any {
    const read = plain(x);
    const dtype = is.isTensor(read) ? dtypeNamed(read) : undefined;
    const own = dtype === undefined ? options : { dtype, ...options };
    if (dtype !== undefined && own.dtype !== dtype)
      throw wrongType("dtype", own.dtype, expected.exactly, { value: `"${dtype}"` });
    const made = base.Rotation.run(this, rotaryFullApply, own, { x: read });
    return is.isTensor(read) ? x : made;
  }

  // biome-ignore lint/suspicious/noExplicitAny: see above
  override cache(positions: object): any {
    return base.Rotation.run(this, cacheOfRotary, positions, { form: "onnx" });
  }
}

const rotateFields = {
  ...base.axesFields,
  ...positionFields,
  layout: base.layout,
  form,
  inverse: is.optional(is.flag),
} satisfies is.FieldsOf<t.RotateWithAnyCache & { form: t.CacheForm }>;

const arrayFields = {
  cos: is.optional(is.tensor()),
  sin: is.optional(is.tensor()),
  cosSin: is.optional(is.tensor()),
};

const together = ["cosSin"] as const;
const apart = ["cos", "sin"] as const;

/** The cache's array of cosines, which with the form "ggml" holds the sines too. */
function cosinesOf(read: is.ReadOf<typeof rotateFields & typeof arrayFields>): is.ReadTensor {
  const isShared = read.form === "ggml";
  const wanted = isShared ? together : apart;
  for (const name of isShared ? apart : together) {
    if (read[name] === undefined) continue;
    checkNames({ [name]: read[name] }, [...Object.keys(rotateFields), ...wanted], "rotateWithCache");
  }
  const [cos, sin] = wanted.map((name) => read[name] ?? is.tensor().read(name, undefined as never));
  if (sin && sin.shape.join() !== cos?.shape.join()) throw wrongShape("sin", sin.shape, cos?.shape ?? []);
  return cos as is.ReadTensor;
}

export const rotateWithCache = inputsFirst(
  { name: "rotateWithCache", inputs: { x: is.changed }, options: { ...rotateFields, ...arrayFields } },
  (read) => {
    refuseOffset(read);
    const { shape } = cosinesOf(read);
    if (shape.length !== 2 && shape.length !== 3)
      throw wrongValue("cos.shape", shape, expected.axes, { count: "two or three" });
    const rows = read.positions?.values ?? read.offset;
    if (shape.length === 3 && shape[0] !== 1 && rows !== undefined)
      throw wrongType("positions", rows, expected.nothing, {}, " beside a cache of several batches");
  },
  base.rotated,
);
