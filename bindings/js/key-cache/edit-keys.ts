// Keys of a cache after edits. The core is asked twice: first what edits make, which says how large the result is, then
// for the keys.

import { owned } from "../base/buffer.js";
import { define } from "../base/call.js";
import { options as checkOptions, wrongType } from "../base/check.js";
import { sizeOf } from "../base/dtype.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { type ArrayOf, current, type Values, viewOf } from "../base/view.js";
import { axesFields } from "../rotary/rotary.js";
import type * as t from "../types/index.js";
import { keyArray, keyEdit, keyPlaceFields, type ReadKeys, rotation, settleDType } from "./key-edits.js";

const dtypes = ["float32", "float16", "bfloat16", "q8_0"] as const;

/** Keys of which only dtype and size are looked at. */
const keySize: typeof keyArray = {
  ...keyArray,
  write(block, view) {
    block.number(0);
    block.number(view?.length ?? 0);
    block.text(view?.dtype ?? "");
  },
};

export const keyEdits = define(
  {
    name: "keyEdits",
    where: "editKeys",
    inputs: { keys: keySize },
    options: {
      ...keyPlaceFields,
      rotary: rotation,
      firstDim: is.optional(is.whole),
      dtype: is.optional(is.word()),
      edits: is.groups(keyEdit),
    },
    answers: ["handle", "tokens", "dtype", "numbers", "lists"],
  },
  ({ keys, dtype, offset, positions, edits }) => {
    settleDType("keys", keys, dtype);
    if (positions !== undefined && offset !== undefined) throw wrongType("offset", offset, "nothing beside positions");
    if (edits === undefined) throw wrongType("edits", edits, "an array of edits");
  },
  (made, read, module) => ({ ...made, ...read, of: owned(module, "editKeys", made), dtype: dtypes[made.dtype] }),
);

/** Keys that have been read. */
const readKeys: is.Kind<ReadKeys> = { is: keyArray.is, read: (_, keys) => keys, write: keyArray.write };

export const editedKeys = define(
  {
    name: "editedKeys",
    where: "editKeys",
    inputs: {
      edits: is.handle(),
      keys: readKeys,
      newDType: is.word(),
      ...axesFields,
      newShape: is.optional(is.extents),
      numbers: is.whole,
      lists: is.whole,
    },
    options: {},
    results: { out: Float32Array, positions: Float64Array, lengths: Float64Array },
    answers: ["dimension", "ulps"],
  },
  ({ newDType, newShape, numbers, lists }) => ({
    ...(newShape && { out: sizeOfKeys(newDType, newShape) }),
    positions: { shape: [numbers], what: "positions" },
    lengths: { shape: [lists], what: "lists" },
  }),
);

function sizeOfKeys(dtype: string, shape: readonly number[]) {
  if (dtype !== "q8_0") return sizeOf(dtype, shape, "keys");
  const bytes = [...shape.slice(0, -1), ((shape.at(-1) ?? 0) / 32) * 34];
  return { shape: bytes, what: "keys", kindFor: () => Uint8Array as ArrayOf<Values> };
}

const names = [...Object.keys(keyEdits.description.options), "out"] as (keyof t.EditKeysOptions)[];

export function editKeys<K extends t.KeyArray>(module: Module, given: K, options: t.EditKeysOptions): t.EditedKeys<K> {
  const { out, ...cache } = checkOptions(options, names, "editKeys");
  const {
    of,
    keys,
    tokens,
    shape,
    seqAxis,
    dimAxis = -1,
    batchAxis,
    ...read
  } = keyEdits(module, cache, { keys: given });
  try {
    const dtype = read.dtype as t.KeyDType;
    const counted = (axis: number) => (axis < 0 ? axis + shape.length : axis);
    const sequence = counted(seqAxis ?? 1 - counted(dimAxis));
    const isChanged = out === undefined && dtype === keys.dtype && tokens <= (shape[sequence] as number);
    const newShape = shape.map((extent, axis) => (axis === sequence && !isChanged ? tokens : extent));
    // The memory may have grown.
    const there = { ...viewOf("keys", current(module, keys)), type: keys.type, dtype: keys.dtype, isChanged };
    const made = editedKeys(module, out === undefined ? {} : { out }, {
      edits: of,
      keys: there,
      newDType: dtype,
      shape,
      seqAxis,
      dimAxis,
      batchAxis,
      newShape: isChanged ? undefined : newShape,
      numbers: read.numbers,
      lists: read.lists,
    });
    return {
      keys: (made.out?.data ?? current(module, there)) as K,
      dtype,
      shape: newShape,
      positions: made.positions.data,
      lengths: Array.from(made.lengths.data),
      bound: { dimension: made.dimension, ulps: made.ulps },
    };
  } finally {
    of.delete();
  }
}
