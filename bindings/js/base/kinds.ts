// The kinds of option: what a JavaScript value must be, and how the core is given it. A function's description (call.ts)
// names one for each of its options; the structs that the core reads are written from the same descriptions
// (embind/structs.mjs), which knows each kind of this file.

import type { Tensor } from "../types/index.js";
import type { Block } from "./block.js";
import * as check from "./check.js";
import type { Owned } from "./owned.js";
import { type ArrayOf, listView, typed, typeOf, type Values, type View, viewOf } from "./view.js";

/** Of what a caller gives comes what a call reads of it, once. */
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

/** What one call has read. */
// biome-ignore lint/suspicious/noExplicitAny: the kind says what it reads
export type ReadOf<Of> = { [Name in keyof Of]: Of[Name] extends Kind<any, infer Read> ? Read : never };

/** Reads each option; `where` is empty for those of a call, else ends with a point. */
export function readFields(
  fields: Fields,
  given: Record<string, unknown>,
  read: Record<string, unknown> = {},
  where = "",
): Record<string, unknown> {
  for (const name in fields) read[name] = (fields[name] as AnyKind).read(where + name, given[name]);
  return read;
}

/** Adds what was read, in the order of the description; nothing was read for a group that was left out. */
export function writeFields(block: Block, fields: Fields, read: Record<string, unknown> = {}, where = ""): void {
  for (const name in fields) (fields[name] as AnyKind).write(block, read[name], where + name);
}

/** An option that may be left out: what that means is for the core to say. */
export const optional = <Given, Read>(
  kind: Kind<Given, Read>,
  expected = "a number, or nothing in its place",
): Kind<Given | undefined, Read | undefined> => ({
  ...kind,
  isOptional: true,
  read(argument, value) {
    const read = value === undefined ? undefined : kind.read(argument, value);
    // So the core is told of an option that was left out.
    if (Number.isNaN(read)) throw check.wrongValue(argument, value, expected);
    if (read === "") throw check.wrongValue(argument, value, "a name, or nothing in its place");
    return read;
  },
});

const scalar = <Value extends number | boolean>(
  is: string,
  read: (argument: string, value: unknown) => Value,
): Kind<Value> => ({
  is,
  read,
  write: (block, value) => block.number(value === undefined ? Number.NaN : Number(value)),
});

export const number = scalar("number", check.number);
/** A whole number that a double holds exactly; how large it may be is for the core to say. */
export const whole = scalar("whole", check.whole);
/** A whole number that counts something. */
export const count = scalar("whole", check.count);
export const flag = scalar("flag", check.flag);

/** An object of the core's: its address is asked for when nothing of the caller's can run any more. */
export const handle = <Made extends { handle: number }>(): Kind<Owned<Made>> => ({
  is: "handle",
  read: (_, object) => object,
  write: (block, object) => block.number(object?.address ?? 0),
});

/** A word of a vocabulary, which the core knows; one without a default says so. */
export const word = (expected?: string): Kind<string> => ({
  is: "word",
  read: (argument, value) => check.text(argument, value, expected),
  write: (block, value = "") => block.text(value),
});

/** An array of one type, read where it stands if that is in a buffer. */
const arrayOf = <A extends Values>(kind: ArrayOf<A>): Kind<A, View<A>> => ({
  is: "array",
  read: (argument, value) => typed(argument, value, kind),
  write: (block, view, argument) => (view ? block.array(kind, view, argument) : block.nothing()),
});

export const floats = arrayOf<Float32Array>(Float32Array);
export const ints = arrayOf<Int32Array>(Int32Array);

/** Values that the call changes in place. */
export const changed: Kind<Float32Array, View<Float32Array>> = {
  is: "array",
  read: floats.read,
  write: (block, view, argument) => (view ? block.array(Float32Array, view, argument, true) : block.nothing()),
};

/** A list of any numbers, which the core is given as doubles. */
export const numbers: Kind<ArrayLike<number>, View<ArrayLike<number>>> = {
  is: "array",
  read(argument, value) {
    const isTyped = /^(?!Big)/.test(typeOf(value) ?? "Big");
    if (!isTyped && !Array.isArray(value)) throw check.wrongType(argument, value, "an array of numbers");
    const view = isTyped ? viewOf(value as Float64Array) : listView([...(value as number[])]);
    const wrong = isTyped ? -1 : view.values.findIndex((item: unknown) => typeof item !== "number");
    if (wrong >= 0) throw check.wrongType(`${argument}[${wrong}]`, view.values[wrong], "a number");
    return view;
  },
  write: (block, view, argument) => (view ? block.copy(Float64Array, view, argument) : block.nothing()),
};

/** Extents, each a whole number >= 0. */
export const extents: Kind<readonly number[], number[]> = {
  is: "extents",
  read: check.shape,
  write: (block, list = []) => block.list(list),
};

/** What a call reads of a tensor. */
export interface ReadTensor extends View<Float32Array> {
  readonly shape: readonly number[];
}

/** A tensor of float32 values whose data fits its shape; of `rank` axes, where that is given. */
export const tensor = (rank?: number): Kind<Tensor, ReadTensor> => ({
  is: "tensor",
  read(argument, value) {
    if (typeof value !== "object" || value === null) throw check.wrongType(argument, value, "a tensor { data, shape }");
    const data = floats.read(`${argument}.data`, value.data);
    const shape = check.shape(`${argument}.shape`, value.shape);
    if (rank !== undefined && shape.length !== rank) throw check.wrongValue(`${argument}.shape`, shape, `${rank} axes`);
    if (shape.length === 0) throw check.wrongValue(`${argument}.shape`, shape, "at least one axis");
    const size = check.product(shape);
    if (data.length !== size) {
      throw check.wrongValue(`${argument}.data`, data.length, `${size} values for shape [${shape.join(", ")}]`);
    }
    const { values, buffer, byteOffset, byteLength, length } = data;
    return { values, buffer, byteOffset, byteLength, length, shape };
  },
  write(block, read, argument) {
    floats.write(block, read, argument);
    block.list(read?.shape ?? []);
  },
});

/** Options within an option; messages name them with what they are within, unless `where` says otherwise. */
export const group = <Given extends object, const Of extends Fields>(
  fields: Of & FieldsOf<Given>,
  where?: string,
): Kind<Given, ReadOf<Of>> & { fields: Of } => ({
  is: "group",
  fields,
  read(argument, value) {
    const own = check.options(value, Object.keys(fields) as (keyof Given & string)[], argument);
    return readFields(fields, own as Record<string, unknown>, {}, where ?? `${argument}.`) as ReadOf<Of>;
  },
  write: (block, read, argument) => writeFields(block, fields, read, where ?? `${argument}.`),
});

/** One of several rules, each with options of its own, in an object { type, ... }. */
export const oneOf = <Given extends { type: string }>(
  rules: {
    readonly [Type in Given["type"]]: FieldsOf<Omit<Extract<Given, { type: Type }>, "type">>;
  },
): Kind<Given, { type: string; read: object }> & { rules: Record<string, Fields> } => ({
  is: "rule",
  rules,
  read(argument, value) {
    if (typeof value !== "object" || value === null) throw check.wrongType(argument, value, "an object { type, … }");
    const own: Record<string, unknown> = { ...value };
    const type = check.text(`${argument}.type`, own.type);
    // One of an unknown type goes on to the core, which lists the known.
    const fields: Fields = Object.hasOwn(rules, type) ? rules[type as Given["type"]] : {};
    if (Object.hasOwn(rules, type)) check.options(own, ["type", ...Object.keys(fields)], argument);
    return { type, read: readFields(fields, own, {}, `${argument}.`) };
  },
  write(block, rule, argument) {
    block.text(rule?.type ?? "");
    if (rule)
      writeFields(
        block,
        (rules as Record<string, Fields>)[rule.type] ?? {},
        rule.read as Record<string, unknown>,
        `${argument}.`,
      );
  },
});
