// The one way from JavaScript to the core and back. A function's description says which options it has, of which kinds,
// and what it makes; checks, packing and what the core reads (embind/structs.mjs) follow from it.
//
// A call goes through three steps: everything of the caller's is read, once; it is written to one block of the module's
// memory, with room for the results; the core is entered once, and what it made is handed out.

import { Block, type Result } from "./block.js";
import { options as checkOptions } from "./check.js";
import { type Fields, type ReadOf, readFields, writeFields } from "./kinds.js";
import type { Module } from "./module.js";
import { outsOf } from "./outs.js";
import type { ArrayOf, Values } from "./view.js";

/** A result's shape, and what its size is called when there is no memory for it. */
export interface Size {
  readonly shape: readonly number[];
  readonly what: string;
  /** Its type, where the options decide it, by that of the array given for it. */
  readonly kindFor?: (given: string | undefined) => ArrayOf<Values>;
}

type ResultKind = ArrayOf<Values>;
type ResultKinds = { readonly [name: string]: ResultKind };

export interface Description {
  /** What the module calls the function. */
  readonly name: string;
  /** What its options are called in messages; `name` unless it says another. */
  readonly where?: string;
  /** What it is given beside its options. */
  readonly inputs?: Fields;
  readonly options?: Fields;
  /** The arrays that it makes: one, or several by name. */
  readonly results?: ResultKind | ResultKinds;
  /** Numbers that it answers. */
  readonly answers?: readonly string[];
}

type Part<Of, Name extends string, Else> = Of extends { readonly [N in Name]: infer Found } ? Found : Else;
type Read<Of> = ReadOf<Part<Of, "inputs", Record<never, never>>> & ReadOf<Part<Of, "options", Record<never, never>>>;

type Kinds<Of> = Part<Of, "results", Record<never, never>>;
type Made<Kind> = Kind extends ArrayOf<infer A extends Values> ? Result<A> : never;
type MadeBy<Of> =
  Kinds<Of> extends ResultKind ? { out: Made<Kinds<Of>> } : { [N in keyof Kinds<Of>]: Made<Kinds<Of>[N]> };
type Answers<Of> = Of extends { readonly answers: readonly (infer Name extends string)[] }
  ? { [N in Name]: number }
  : unknown;
/** One array by itself; else all that is made and answered, by name. */
type Results<Of> = Of extends { answers: unknown }
  ? MadeBy<Of> & Answers<Of>
  : Kinds<Of> extends ResultKind
    ? Made<Kinds<Of>>
    : MadeBy<Of>;
type Sizes<Of> = Kinds<Of> extends ResultKind ? Size : { readonly [N in keyof Kinds<Of>]?: Size | undefined };

/** Calls the core with a caller's options, and with what it is given beside them. */
export interface Call<Of extends Description, Taken> {
  (module: Module, options?: object, inputs?: object): Taken;
  readonly description: Of;
}

/**
 * The function that a description describes. `sizes` says how large its results are, by what was read, and throws where
 * options do not fit together; a result of several that it leaves out is not wanted. `take` makes of the results what
 * the caller gets.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function define<const Of extends Description, Taken = Results<Of>>(
  description: Of,
  sizes: (read: Read<Of>) => Of extends { results: unknown } ? Sizes<Of> : void,
  take: (made: Results<Of>, read: Read<Of>, module: Module) => Taken = (made) => made as unknown as Taken,
): Call<Of, Taken> {
  const { name, where = name, inputs = {}, options = {}, results = {}, answers = [] } = description as Description;
  const isOne = typeof results === "function";
  const kinds = Object.entries(isOne ? { out: results } : (results as ResultKinds));
  const pathOf = (result: string) => (result === "out" ? result : `out.${result}`);
  const pathsOf = (wanted: object) =>
    Object.entries(wanted).flatMap(([result, size]) => (size ? [pathOf(result)] : []));
  const known = [...Object.keys(options), ...("results" in description ? ["out"] : [])];

  /** What stands for options that are left out: some have to be given. */
  const none = Object.values(options).every(({ isOptional }) => isOptional) ? {} : undefined;

  function call(module: Module, given: object | undefined = none, beside: object = {}): Taken {
    const own = checkOptions(given as Record<string, unknown>, known, where);
    const read: Record<string, unknown> = {};
    readFields(inputs, beside as Record<string, unknown>, read);
    readFields(options, own, read);
    const size = sizes(read as Read<Of>) as unknown;
    const wanted = (isOne ? { out: size } : (size ?? {})) as Record<string, Size | undefined>;
    const outs = own.out === undefined ? [] : outsOf(pathsOf(wanted), own.out);
    const block = new Block(module, outs);
    writeFields(block, inputs, read);
    writeFields(block, options, read);
    const places = kinds.map(([result, kind]) => {
      const asked = wanted[result];
      if (!asked) return block.nothing();
      const path = pathOf(result);
      return block.result(asked.kindFor?.(block.outType(path)) ?? kind, asked, path);
    });
    const answered = answers.map(() => block.answer());
    return block.run(name, read, () => {
      const made: Record<string, unknown> = {};
      places.forEach((place, i) => {
        const [result] = kinds[i] as [string, ResultKind];
        if (place) made[result] = { data: block.taken(place), shape: [...(wanted[result] as Size).shape] };
      });
      answered.forEach((at, i) => {
        made[answers[i] as string] = block.answered(at);
      });
      return take((isOne && answers.length === 0 ? made.out : made) as Results<Of>, read as Read<Of>, module);
    });
  }
  return Object.assign(call, { description });
}

/**
 * The same for a function that is given something beside its options: in the API this comes first, in the described
 * order.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function inputsFirst<const Of extends Description, Taken = Results<Of>>(
  description: Of,
  sizes: (read: Read<Of>) => Of extends { results: unknown } ? Sizes<Of> : void,
  take?: (made: Results<Of>, read: Read<Of>, module: Module) => Taken,
) {
  const call = define(description, sizes, take);
  const names = Object.keys(description.inputs ?? {});
  function ordered(module: Module, ...given: unknown[]): Taken {
    const inputs: Record<string, unknown> = {};
    names.forEach((name, i) => {
      inputs[name] = given[i];
    });
    return call(module, given[names.length] as object | undefined, inputs);
  }
  return Object.assign(ordered, { description });
}
