// Cosines and sines in the forms of other implementations: written, and rotated by.

import { define, inputsFirst, type Size } from "../base/call.js";
import { options as checkOptions, wrongType, wrongValue } from "../base/check.js";
import { dtypeOption, named, sizeOf } from "../base/dtype.js";
import {
  changed,
  type FieldsOf,
  flag,
  handle,
  type Kind,
  optional,
  type ReadOf,
  type ReadTensor,
  tensor,
  word,
} from "../base/kinds.js";
import { namedPositionFields, positionFields, positionShape, refuseOffset } from "../frequencies/positions.js";
import type { CacheForm, RotateWithAnyCache } from "../types/index.js";
import { axesFields, layout, type MadeRotary, rotaryOption, rotated } from "./rotary.js";

const form = word("the name of a form; it has no default") as Kind<CacheForm, string>;

const cacheFields = { ...namedPositionFields, dtype: dtypeOption };

const cacheArrays = { cos: Float32Array, sin: Float32Array, cosSin: Float32Array };

type ReadCache = Parameters<typeof positionShape>[0] & {
  rotary: { made: MadeRotary };
  form: string;
  dtype: string | undefined;
};

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

/** Of a rotary's own method; the form is the method's. */
export const cacheOfRotary = define(
  {
    name: "rotaryFullCache",
    where: "cache",
    inputs: { rotary: handle<MadeRotary>(), form },
    options: cacheFields,
    results: cacheArrays,
  },
  cacheSizes,
  namedEach,
);

export const rotaryCache = define(
  {
    name: "rotaryFullCache",
    where: "rotaryCache",
    options: { rotary: rotaryOption, form, ...cacheFields },
    results: cacheArrays,
  },
  cacheSizes,
  namedEach,
);

const rotateFields = {
  ...axesFields,
  ...positionFields,
  layout,
  form,
  inverse: optional(flag),
} satisfies FieldsOf<RotateWithAnyCache & { form: CacheForm }>;

const arrayFields = { cos: optional(tensor()), sin: optional(tensor()), cosSin: optional(tensor()) };

/** The cache's array of cosines, which with the form "ggml" holds the sines too. */
function cosinesOf(read: ReadOf<typeof rotateFields & typeof arrayFields>): ReadTensor {
  const wanted = read.form === "ggml" ? (["cosSin"] as const) : (["cos", "sin"] as const);
  const known = [...Object.keys(rotateFields), ...wanted];
  for (const name of ["cos", "sin", "cosSin"] as const) {
    if (read[name] !== undefined) checkOptions({ [name]: read[name] }, known, "rotateWithCache");
  }
  const [cos, sin] = wanted.map((name) => read[name] ?? tensor().read(name, undefined as never));
  if (sin && String(cos?.shape) !== String(sin.shape))
    throw wrongValue("sin.shape", sin.shape, `[${cos?.shape.join(", ")}]`);
  return cos as ReadTensor;
}

export const rotateWithCache = inputsFirst(
  define(
    { name: "rotateWithCache", inputs: { x: changed }, options: { ...rotateFields, ...arrayFields } },
    (read) => {
      refuseOffset(read);
      const { shape } = cosinesOf(read);
      if (shape.length !== 2 && shape.length !== 3) throw wrongValue("cos.shape", shape, "two or three axes");
      const rows = read.positions?.values ?? read.offset;
      if (shape.length === 3 && shape[0] !== 1 && rows !== undefined) {
        throw wrongType("positions", rows, "nothing beside a cache of several batches");
      }
    },
    rotated,
  ),
);
