// Edits of cached keys: each with options of its own, given to the core as one group that has all of them.

import type { Block } from "../base/block.js";
import type { Owned } from "../base/buffer.js";
import { wrongType, wrongValue } from "../base/check.js";
import * as is from "../base/kinds.js";
import { changedStored, dtypeOf, typeOfStored } from "../base/stored.js";
import { typeOf, type Values, type View, viewOf } from "../base/view.js";
import { ModuleMrope } from "../grid/mrope.js";
import { PointRotary } from "../grid/point-rotary.js";
import { axesFields, type MadeRotation, Rotation } from "../rotary/rotary.js";
import { ModuleXpos } from "../rotary/xpos.js";
import type * as t from "../types/index.js";

/** Values as a cache holds them. */
export interface ReadKeys extends View<Values> {
  /** Whether the call changes them where they are. */
  isChanged?: boolean;
}

/** Keys of any dtype, whose name `settleDType` finds out before they are written. */
export const keyArray: is.Kind<t.KeyArray, ReadKeys> = {
  is: "stored",
  read(argument, value) {
    if (typeOf(value) === "Uint8Array") return viewOf(argument, value as Uint8Array);
    const type = typeOfStored(value) ?? "";
    if (["Float32Array", "Float16Array", "Uint16Array"].includes(type))
      return changedStored.read(argument, value as Float32Array);
    throw wrongType(argument, value, "a Float32Array, Float16Array, Uint16Array or Uint8Array");
  },
  write(block, view, argument) {
    if (!view) {
      block.nothing();
      block.text("");
      return;
    }
    const kind = view.dtype === "float32" ? Float32Array : view.dtype === "q8_0" ? Uint8Array : Uint16Array;
    block.array(kind, view, argument, view.isChanged);
    block.text(view.dtype);
  },
};

export function settleDType(argument: string, keys: ReadKeys, dtype: string | undefined): void {
  const isBytes = typeOf(keys.values) === "Uint8Array";
  if (isBytes && dtype !== undefined && dtype !== "q8_0")
    throw wrongType("dtype", dtype, '"q8_0", or nothing beside a Uint8Array');
  if (!isBytes && dtype === "q8_0") throw wrongType(argument, keys.values, "a Uint8Array, of q8_0");
  keys.dtype = isBytes ? "q8_0" : dtypeOf(argument, keys, dtype);
}

/** Any rotation, as what it is of the core's. */
class AnyRotation extends Rotation {
  static given(rotation: Rotation): Owned<MadeRotation> | undefined {
    return Rotation.ownedBy(rotation);
  }
}

interface ReadRotation {
  kind: string;
  of: Owned<MadeRotation>;
}

function kindOf(rotation: Rotation): string {
  if (rotation instanceof ModuleXpos) return "xpos";
  if (rotation instanceof ModuleMrope) return "mrope";
  return rotation instanceof PointRotary ? "grid" : "rotary";
}

export const rotationFields = { kind: is.word(), of: is.handle<MadeRotation>() };

/** Reads the rotation of keys, and its kind. */
export const rotation: is.Kind<t.KeyRotation, ReadRotation> & { fields: typeof rotationFields } = {
  ...(is.group(rotationFields) as unknown as { is: "group"; fields: typeof rotationFields }),
  read(argument, value) {
    const of = value instanceof Rotation ? AnyRotation.given(value) : undefined;
    if (!of) throw wrongType(argument, value, "what rotary(), xpos(), mrope(), rotaryGrid() or rotaryMixed() made");
    return { kind: kindOf(value as unknown as Rotation), of };
  },
  write(block, read, argument) {
    if (Object.hasOwn(this, "isOptional")) block.number(Number(read !== undefined));
    if (!read) return;
    if (read.of.module !== block.module) throw wrongType(argument, read, "a rotation of this entry's module");
    rotationFields.kind.write(block, read.kind, argument);
    rotationFields.of.write(block, read.of, argument);
  },
};

/** Positions with the shape that they were given, of one to three axes. */
const positions: is.Kind<t.PositionList, View<ArrayLike<number>>> = {
  is: "tensor",
  read(argument, list) {
    const view = is.shapedNumbers(argument, list);
    const { length } = view.shape;
    if (length < 1 || length > 3) throw wrongValue(`${argument}.shape`, view.shape, "one to three axes");
    return view;
  },
  write: is.writeDoubles as is.Kind<never, View<ArrayLike<number>>>["write"],
};

/** Where tokens are, in memory and in the sequence. */
export const keyPlaceFields = {
  ...axesFields,
  offset: is.optional(is.number),
  positions: is.optional(positions),
};

const rangeFields = {
  from: is.optional(is.whole),
  to: is.optional(is.whole),
  list: is.optional(is.whole),
};

const by: is.Kind<number | ArrayLike<number>, View<ArrayLike<number>>> = {
  ...is.numbers,
  read: (argument, value) => is.numbers.read(argument, typeof value === "number" ? [value] : value),
};

const keepPositions = is.optional(is.flag);

/** Describes how options of another edit are refused. */
const rules = {
  shift: { ...rangeFields, by },
  move: { ...rangeFields, at: is.whole, keepPositions },
  drop: { ...rangeFields, keepPositions },
  insert: {
    at: is.whole,
    list: rangeFields.list,
    keys: is.optional(keyArray),
    count: is.optional(is.whole),
    ...keyPlaceFields,
    shape: is.optional(is.extents),
    rotary: is.optional(rotation),
    dtype: is.optional(is.word()),
    keepPositions,
  },
  rotate: { rotary: rotation },
  divide: { ...rangeFields, by: is.number, plus: is.optional(is.number) },
  convert: { dtype: is.word() },
};
const rule = is.oneOf<t.KeyEdit>(rules as never);

/** All that an edit may say. */
export const keyEditFields = {
  type: is.word(),
  ...rangeFields,
  at: is.optional(is.whole),
  by: is.optional(by),
  plus: is.optional(is.number),
  keepPositions,
  count: is.optional(is.whole),
  keys: is.optional(keyArray),
  ...keyPlaceFields,
  shape: is.extents,
  rotary: is.optional(rotation),
  dtype: is.optional(is.word()),
};

type ReadEdit = Partial<is.ReadOf<typeof keyEditFields>>;

const editFields = is.fieldList<is.AnyKind>(keyEditFields);

export const keyEdit: is.Kind<t.KeyEdit, ReadEdit> & { fields: typeof keyEditFields } = {
  is: "group",
  fields: keyEditFields,
  read(argument, value) {
    const { type, read } = rule.read(argument, value);
    const edit: ReadEdit = { ...read, type };
    if (typeof read.by === "number") edit.by = by.read(`${argument}.by`, read.by);
    if (edit.keys) {
      settleDType(`${argument}.keys`, edit.keys, edit.dtype);
      if (edit.shape === undefined) is.extents.read(`${argument}.shape`, undefined as never);
    }
    return edit;
  },
  write: (block: Block, read, argument) => is.writeFields(block, editFields, read ?? {}, `${argument}.`),
};
