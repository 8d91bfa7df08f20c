// The kinds of option: what a JavaScript value must be, and how the core is given it. A function's description (call.ts)
// names one for each of its options; the structs that the core reads are written from the same descriptions
// (embind/structs.mjs), which knows each kind of this file.

import type { BooleanTensor, IdList, IdTensor, NumberList, TensorInput } from "../types/index.js";
import type { Block } from "./block.js";
import type { Owned } from "./buffer.js";
import * as check from "./check.js";
import * as expected from "./expected.js";
import {
  type ArrayOf,
  copyOf,
  isCopy,
  listView,
  shaped,
  typed,
  typeOf,
  type Values,
  type View,
  viewOf,
} from "./view.js";

/** A kind of option: what a plain value (check.ts) must be, and how it is written for the core. */
export interface Kind<Given, Read = Given> {
  /** Its name in embind/structs.mjs. */
  readonly is: string;
  readonly isOptional?: true;
  /** Throws unless the value can become an argument of the core. */
  readonly read: (argument: string, value: Given) => Read;
  /** Adds it to what the core is given; `undefined` for an option that was left out. */
  readonly write: (block: Block, value: Read | undefined, argument: string) => void;
}

// biome-ignore lint/suspicious/noExplicitAny: a description holds kinds of everything
export type AnyKind = Kind<any, any>;
export type Fields = { readonly [option: string]: AnyKind };

/** The kinds of an interface's options. Where results go is no option of the core's. */
// biome-ignore lint/suspicious/noExplicitAny: what is read may be anything
export type FieldsOf<Options> = { readonly [Name in keyof Omit<Options, "out">]-?: Kind<Options[Name], any> };

/** The options that one call has read. */
// biome-ignore lint/suspicious/noExplicitAny: the kind says what it reads
export type ReadOf<Of> = { [Name in keyof Of]: Of[Name] extends Kind<any, infer Read> ? Read : never };

/** An object's own properties as a list, which every call goes through. */
export const fieldList = <Kind>(fields: { readonly [name: string]: Kind }): FieldList<Kind> =>
  Object.entries(fields).map(([name, kind]) => ({ name, kind }));

type FieldList<Kind = AnyKind> = readonly { readonly name: string; readonly kind: Kind }[];

/** Reads each option; `where` is empty for those of a call, else ends with a point. */
export function readFields(
  fields: FieldList,
  given: Record<string, unknown>,
  read: Record<string, unknown>,
  where = "",
): Record<string, unknown> {
  for (let i = 0; i < fields.length; ++i) {
    const { name, kind } = fields[i] as FieldList[number];
    read[name] = kind.read(where + name, given[name]);
  }
  return read;
}

/** Adds what was read, in the order of the description; nothing was read for a group that was left out. */
export function writeFields(block: Block, fields: FieldList, read: Record<string, unknown>, where = ""): void {
  for (let i = 0; i < fields.length; ++i) {
    const { name, kind } = fields[i] as FieldList[number];
    kind.write(block, read[name], where + name);
  }
}

/** An option that may be left out; the core has its default. */
/* @__NO_SIDE_EFFECTS__ */
export const optional = <Given, Read>(
  kind: Kind<Given, Read>,
  wanted: string = expected.number_if_given,
  parameters?: check.Parameters,
): Kind<Given | undefined, Read | undefined> => ({
  ...kind,
  isOptional: true,
  read(argument, value) {
    const read = value === undefined ? undefined : kind.read(argument, value);
    // NaN is how an option that was left out is written for the core.
    if (Number.isNaN(read)) throw check.wrongValue(argument, value, wanted, parameters);
    if (read === "") throw check.wrongValue(argument, value, expected.name_if_given);
    return read;
  },
});

/* @__NO_SIDE_EFFECTS__ */
const scalar = <Value extends number | boolean>(
  is: string,
  read: (argument: string, value: unknown) => Value,
): Kind<Value> => ({
  is,
  read,
  write: (block, value) => block.number(value === undefined ? Number.NaN : Number(value)),
});

export const number = scalar("number", check.number);
/** A whole number that a double holds exactly; the core checks how large it may be. */
export const whole = scalar("whole", check.whole);
/** A whole number that counts something. */
export const count = scalar("whole", check.count);
export const flag = scalar("flag", check.flag);

/** An object of the core's. */
/* @__NO_SIDE_EFFECTS__ */
export const handle = <Made extends { handle: number }>(): Kind<Owned<Made>> => ({
  is: "handle",
  read: (_, object) => object,
  write: (block, object) => block.number(object?.address ?? 0),
});

/** A word of a vocabulary, which the core checks. */
/* @__NO_SIDE_EFFECTS__ */
export const word = (): Kind<string> => ({
  is: "word",
  read: check.text,
  write: (block, value = "") => block.text(value),
});

/** A word that has no default: where it is missing, the core's error lists those that there are. */
export const named: Kind<string> = {
  ...word(),
  read: (argument, value) => (value === undefined ? check.missingWord : check.text(argument, value)),
};

/** An array of one type, not copied if it is in a buffer of the library's; its values may change. */
/* @__NO_SIDE_EFFECTS__ */
const arrayOf = <A extends Values>(kind: ArrayOf<A>, isChanged?: boolean): Kind<A, View<A>> => ({
  is: "array",
  read: (argument, value) => typed(argument, value, kind),
  write: (block, view, argument) => (view ? block.array(kind, view, argument, isChanged) : block.nothing()),
});

export const floats = arrayOf<Float32Array>(Float32Array);
export const ints = arrayOf<Int32Array>(Int32Array);

/** Values that the call changes in place. */
export const changed = arrayOf<Float32Array>(Float32Array, true);

/** An integer of 64 bits, which has to be exact as a double. */
function doubleAt(item: unknown, i: number, argument: string): number {
  const double = Number(item);
  if (Number.isSafeInteger(double)) return double;
  throw check.wrongValue(`${argument}[${i}]`, item, expected.whole_from_to, { least: "-2^53", most: "2^53" });
}

const flat = "; lists of lists are given flat";

function readNumbers(argument: string, value: NumberList, note = flat, items = "numbers"): View<ArrayLike<number>> {
  const type = typeOf(value);
  const isBig = type?.startsWith("Big");
  if (type && !isBig) return copyOf(argument, viewOf(argument, value as Float64Array), Float64Array);
  if (!isBig && !check.isArray(value)) throw check.wrongType(argument, value, expected.array_of, { items });
  if (isBig) return listView(Array.from(value as ArrayLike<unknown>, (item, i) => doubleAt(item, i, argument)));
  const wrong = (value as readonly unknown[]).findIndex((item) => typeof item !== "number");
  const item: unknown = value[wrong];
  if (wrong >= 0)
    throw check.wrongType(`${argument}[${wrong}]`, item, expected.number, {}, check.isObject(item) ? note : "");
  return listView(value as unknown as number[]);
}

/** A list of any numbers, which the core is given as doubles. */
export const numbers: Kind<NumberList, View<ArrayLike<number>>> = {
  is: "array",
  read: (argument, value) => readNumbers(argument, value),
  write: (block, view, argument) => (view ? block.copy(Float64Array, view, argument) : block.nothing()),
};

/** Extents, each a whole number >= 0. */
export const extents: Kind<readonly number[], number[]> = {
  is: "extents",
  read: check.shape,
  write: (block, list = []) => block.list(list),
};

/** Two numbers of a list's kind. */
/* @__NO_SIDE_EFFECTS__ */
export const pair = <Given, Read extends { readonly length: number }>(kind: Kind<Given, Read>, wanted: string) => ({
  ...kind,
  read(argument: string, value: Given) {
    const read = kind.read(argument, value);
    if (read.length !== 2) throw check.wrongValue(argument, value, wanted);
    return read;
  },
});

/** One whole number, or a list with one for each row of a batch. */
export const wholes: Kind<number | NumberList, readonly number[]> = {
  is: "wholes",
  read(argument, value) {
    if (typeof value === "number") return [check.whole(argument, value)];
    const { values } = readNumbers(argument, value, flat, "numbers, or one number");
    return Array.from(values, (item, i) => check.whole(`${argument}[${i}]`, item));
  },
  write: (block, list = []) => block.list(list),
};

export type ReadTensor = View<Float32Array>;

/** Gives values their shape; throws unless they fit it. */
export function withShape<A>(argument: string, view: View<A>, shape: readonly number[]): View<A> {
  const size = check.product(shape);
  if (view.length !== size) {
    const note = ` for shape ${check.shownShape(shape)}`;
    throw check.wrongValue(`${argument}.data`, view.length, expected.values, { count: size }, note);
  }
  return shaped(view, shape);
}

/** Whether numbers come with a shape; tensors of ONNX Runtime and transformers.js call it `dims`. */
export const isTensor = (value: unknown): value is { data: unknown } =>
  check.isObject(value) && ["data", "shape", "dims"].some((name) => check.has(value, name));

export const shapeOf = (argument: string, value: object): number[] =>
  check.has(value, "dims") && !check.has(value, "shape")
    ? check.shape(`${argument}.dims`, value.dims)
    : check.shape(`${argument}.shape`, (value as { shape?: unknown }).shape);

/** A tensor of another library, or one of ours, which has nothing else. */
export const tensorOf = (argument: string, value: unknown): { data: unknown } =>
  check.isObject(value) && check.has(value, "dims")
    ? (value as object as { data: unknown })
    : check.names(value as { data: unknown; shape: unknown }, ["data", "shape"], argument);

/** Numbers as a list, which has one axis, or as a tensor. */
export function shapedNumbers(argument: string, value: unknown): View<ArrayLike<number>> {
  if (isTensor(value)) {
    const view = numbers.read(`${argument}.data`, value.data as NumberList);
    return withShape(argument, view, shapeOf(argument, value));
  }
  const view = readNumbers(argument, value as NumberList, `${flat}: { data, shape }`);
  return shaped(view, [view.length]);
}

/** A tensor of float32 values whose data fits its shape; of `rank` axes, where that is given. */
/* @__NO_SIDE_EFFECTS__ */
export const tensor = (rank?: number): Kind<TensorInput, ReadTensor> => ({
  is: "tensor",
  read(argument, value) {
    if (!isTensor(value)) throw check.wrongType(argument, value, expected.tensor);
    const data = floats.read(`${argument}.data`, value.data);
    const shape = shapeOf(argument, value);
    const where = `${argument}.shape`;
    if (rank !== undefined && shape.length !== rank)
      throw check.wrongValue(where, shape, expected.axes, { count: rank });
    if (shape.length === 0) throw check.wrongValue(where, shape, expected.any_axis);
    return withShape(argument, data, shape);
  },
  write(block, read, argument) {
    floats.write(block, read, argument);
    block.list(read?.shape ?? []);
  },
});

/** An array of this type is given as it is, a list of numbers as one. */
/* @__NO_SIDE_EFFECTS__ */
const valuesAs =
  (kind: ArrayOf<Values>): Kind<never, View<ArrayLike<number>>>["write"] =>
  (block, read, argument) => {
    if (!read) block.nothing();
    else if (typeOf(read.values) === kind.name && !isCopy(read)) block.array(kind, read as View, argument);
    else block.copy(kind, read, argument);
    block.list(read?.shape ?? []);
  };

export const writeInts = valuesAs(Int32Array);
export const writeDoubles = valuesAs(Float64Array);

/** Whole numbers of 32 bits; an Int32Array is taken as it is. */
function readInts(argument: string, value: unknown): View<Int32Array> {
  if (typeOf(value) === "Int32Array") return viewOf(argument, value as Int32Array);
  const view = numbers.read(argument, value as NumberList);
  const values = new Int32Array(view.values);
  for (let i = 0; i < view.length; ++i) {
    if (values[i] === view.values[i]) continue;
    const range = { least: "-2^31", most: "2^31 - 1" };
    throw check.wrongValue(`${argument}[${i}]`, view.values[i], expected.whole_from_to, range);
  }
  return viewOf(argument, values);
}

/** Ids with their shape. */
export const idTensor: Kind<IdTensor, View<Int32Array>> = {
  is: "tensor",
  read(argument, value) {
    const given = tensorOf(argument, value);
    return withShape(argument, readInts(`${argument}.data`, given.data), shapeOf(argument, given));
  },
  write: writeInts,
};

/** Ids with a shape, or a list of them. */
export const ids: Kind<IdList, View<Int32Array>> = {
  is: "tensor",
  read(argument, value) {
    if (!check.isArray(value) && !typeOf(value)) {
      if (check.isObject(value)) return idTensor.read(argument, value as IdTensor);
      throw check.wrongType(argument, value, expected.ids);
    }
    const view = readInts(argument, value);
    return shaped(view, [view.length]);
  },
  write: writeInts,
};

/** Booleans with their shape, as bytes; whole numbers of any type are true unless they are 0. */
export const booleans: Kind<BooleanTensor, View<ArrayLike<number>>> = {
  is: "tensor",
  read(argument, value) {
    const given = tensorOf(argument, value);
    const { data } = given;
    const wrong = () =>
      check.wrongType(
        `${argument}.data`,
        data,
        expected.type,
        { article: "a", type: "Uint8Array" },
        ", another array of whole numbers, or booleans",
      );
    const type = typeOf(data);
    const isBytes = type === "Uint8Array";
    const isWhole = type !== undefined && /int/i.test(type);
    if (!isWhole && !check.isArray(data)) throw wrong();
    const view: View<ArrayLike<number>> = isBytes
      ? viewOf(`${argument}.data`, data as Uint8Array)
      : listView(
          Array.from(data as ArrayLike<unknown>, (item) => {
            if (!isWhole && typeof item !== "boolean") throw wrong();
            return Number(Boolean(item));
          }),
        );
    return withShape(argument, view, shapeOf(argument, given));
  },
  write: valuesAs(Uint8Array),
};

/** Options within an option; messages name them with what they are within, unless `where` says otherwise. */
/* @__NO_SIDE_EFFECTS__ */
export const group = <Given extends object, const Of extends Fields>(
  fields: Of & FieldsOf<Given>,
  where?: string,
): Kind<Given, ReadOf<Of>> & { fields: Of } => {
  const list = fieldList<AnyKind>(fields);
  const names = list.map(({ name }) => name as keyof Given & string);
  return {
    is: "group",
    fields,
    read(argument, value) {
      const own = check.names(value, names, argument) as Record<string, unknown>;
      return readFields(list, own, {}, where ?? `${argument}.`) as ReadOf<Of>;
    },
    write(block, read, argument) {
      if (Object.hasOwn(this, "isOptional")) block.number(Number(read !== undefined));
      if (read) writeFields(block, list, read, where ?? `${argument}.`);
    },
  };
};

/** A list of groups of options, of any length. */
/* @__NO_SIDE_EFFECTS__ */
export const groups = <Given extends object, Read>(
  items: Kind<Given, Read> & { fields: Fields },
): Kind<readonly Given[] | undefined, Read[] | undefined> & { items: { fields: Fields } } => ({
  is: "groups",
  items,
  read(argument, value) {
    if (value === undefined) return undefined;
    if (!check.isArray(value))
      throw check.wrongType(argument, value, expected.array_of, { items: "objects of options" });
    return value.map((item, i) => items.read(`${argument}[${i}]`, item as Given));
  },
  write(block, read, argument) {
    const length = read?.length ?? 0;
    block.number(length);
    for (let i = 0; i < length; ++i) items.write(block, read?.[i], `${argument}[${i}]`);
  },
});

/** One of several rules, each with options of its own, in an object { type, ... }. */
/* @__NO_SIDE_EFFECTS__ */
export const oneOf = <Given extends { type: string }>(
  rules: {
    readonly [Type in Given["type"]]: FieldsOf<Omit<Extract<Given, { type: Type }>, "type">>;
  },
): Kind<Given, { type: string; read: Record<string, unknown> }> & { rules: Record<string, Fields> } => {
  const lists = new Map(fieldList<Fields>(rules).map(({ name, kind }) => [name, fieldList<AnyKind>(kind)]));
  return {
    is: "rule",
    rules,
    read(argument, value) {
      if (!check.isObject(value)) throw check.wrongType(argument, value, expected.rule);
      const own = value as Record<string, unknown>;
      const names = Object.keys(rules)
        .map((name) => `"${name}"`)
        .join(", ");
      if (own.type === undefined) {
        const { rope_type: other } = own;
        if (other !== undefined) check.names(own, ["type"], argument);
        throw check.wrongType(`${argument}.type`, own.type, expected.one_of, { names });
      }
      const type = check.text(`${argument}.type`, own.type);
      if (type === "") throw check.wrongValue(`${argument}.type`, type, expected.one_of, { names });
      // One of an unknown type goes on to the core, which lists the known.
      const fields = lists.get(type);
      if (fields) check.names(own, ["type", ...fields.map(({ name }) => name)], argument);
      return { type, read: readFields(fields ?? [], own, {}, `${argument}.`) };
    },
    write(block, rule, argument) {
      block.text(rule?.type ?? "");
      if (rule) writeFields(block, lists.get(rule.type) ?? [], rule.read, `${argument}.`);
    },
  };
};
