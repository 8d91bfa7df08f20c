// The one way from JavaScript to the core and back. A function's description says which options it has, of which kinds,
// and what it makes; checks, packing and what the core reads (embind/structs.mjs) follow from it.
//
// A call goes through three steps: everything of the caller's is read, once and in order, into plain values, which are
// then checked; they are written to one block of the module's memory, with space for the results; the core is entered
// once, and the results are returned.

import type { TensorResult } from "../types/index.js";
import { Block, type Result, type Size } from "./block.js";
import { options as checkOptions, isObject, plain, product, shownShape, wrongType, wrongValue } from "./check.js";
import * as expected from "./expected.js";
import * as is from "./kinds.js";
import type { Module } from "./module.js";
import { tensorResult } from "./tensor-result.js";
import { type ArrayOf, typeOf, type Values, type View, viewOf } from "./view.js";

export type { Size };

type ResultKind = ArrayOf<Values>;
type ResultKinds = { readonly [name: string]: ResultKind };

export interface Description {
  /** The function's name in the module. */
  readonly name: string;
  /** The name of its options in messages; `name` by default. */
  readonly where?: string;
  /** Its arguments beside the options. */
  readonly inputs?: is.Fields;
  readonly options?: is.Fields;
  /** The arrays that it makes: one, or several by name. */
  readonly results?: ResultKind | ResultKinds;
  /** Options that it has in `posenc/full` alone. */
  readonly inFull?: readonly string[];
  /** Numbers that it answers. */
  readonly answers?: readonly string[];
}

type Part<Of, Name extends string, Else> = Of extends { readonly [N in Name]: infer Found } ? Found : Else;
type Read<Of> = is.ReadOf<Part<Of, "inputs", Record<never, never>>> &
  is.ReadOf<Part<Of, "options", Record<never, never>>>;

type Kinds<Of> = Part<Of, "results", Record<never, never>>;
type Made<Kind> =
  Kind extends ArrayOf<infer A extends Values>
    ? Result<A> & (A extends Float32Array ? Pick<TensorResult, "row" | "at"> : unknown)
    : never;
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
  const {
    name,
    where = name,
    inputs = {},
    options = {},
    results = {},
    answers = [],
    inFull,
  } = description as Description;
  const isOne = typeof results === "function";
  const kinds = is.fieldList<ResultKind>(isOne ? { out: results } : (results as ResultKinds));
  const paths = kinds.map((result) => (result.name === "out" ? "out" : `out.${result.name}`));
  const [inputList, optionList] = [is.fieldList<is.AnyKind>(inputs), is.fieldList<is.AnyKind>(options)];
  const known = [...Object.keys(options), ...("results" in description ? ["out"] : [])];

  /** The options of a call without any; undefined where some have to be given. */
  const none = optionList.every(({ kind }) => kind.isOptional) ? {} : undefined;

  function call(module: Module, given: object | undefined = none, beside: object = {}): Taken {
    const besides: Record<string, unknown> = {};
    const seen = new Map<unknown, unknown>();
    // A caller may have given anything where the API has no argument.
    for (const [name, input] of Object.entries({ ...beside })) besides[name] = plain(input, seen, name);
    // A tensor that is changed in place has its shape, and is given back.
    const x = Object.hasOwn(inputs, "x") && Object.hasOwn(options, "shape") && besides.x;
    if (is.isTensor(x)) {
      const { shape: _, ...others } = options;
      const own = checkOptions(given as object, Object.keys(others) as never[], where);
      call(module, { ...own, shape: is.shapeOf("x", x) }, { ...besides, x: x.data });
      return (beside as { x: Taken }).x;
    }
    const own = checkOptions(given as Record<string, unknown>, known, where, inFull);
    const read: Record<string, unknown> = {};
    is.readFields(inputList, besides, read);
    is.readFields(optionList, own, read);
    const { x: values, shape } = read as { x?: View; shape?: readonly number[] };
    const count = product(shape ?? []);
    if (values && shape && Object.hasOwn(inputs, "x") && values.length !== count)
      throw wrongValue("x", values.length, expected.values, { count }, ` for shape ${shownShape(shape)}`);
    const size = sizes(read as Read<Of>) as unknown as { [name: string]: Size };
    const wanted: (Size | undefined)[] = [];
    const names: string[] = [];
    for (let i = 0; i < kinds.length; ++i) {
      const { name } = kinds[i] as { name: string };
      wanted[i] = isOne ? (size as unknown as Size) : Object.hasOwn(size, name) ? size[name] : undefined;
      if (wanted[i]) names.push(paths[i] as string);
    }
    const block = new Block(module, outsOf(names, own.out));
    is.writeFields(block, inputList, read);
    is.writeFields(block, optionList, read);
    const places: ReturnType<Block["result"] | Block["nothing"]>[] = [];
    for (let i = 0; i < kinds.length; ++i) {
      const { kind } = kinds[i] as { kind: ResultKind };
      const asked = wanted[i];
      const path = paths[i] as string;
      places[i] = asked ? block.result(asked.kindFor?.(block.outType(path)) ?? kind, asked, path) : block.nothing();
    }
    const answered = answers.map(() => block.answer());
    return block.run(name, read, () => {
      const made: Record<string, unknown> = {};
      for (let i = 0; i < places.length; ++i) {
        const place = places[i];
        const { name } = kinds[i] as { name: string };
        if (!place) continue;
        const result = { data: block.taken(place), shape: (wanted[i] as Size).shape.slice() };
        made[name] = typeOf(result.data) === "Float32Array" ? tensorResult(result) : result;
      }
      for (let i = 0; i < answered.length; ++i) made[answers[i] as string] = block.answered(answered[i] as number);
      return take((isOne && answers.length === 0 ? made.out : made) as Results<Of>, read as Read<Of>, module);
    });
  }
  return Object.assign(call, { description });
}

/** The arrays of an `out`, each for the result of its name; whether they fit is asked when these are written. */
function outsOf(names: readonly string[], given: unknown, name = "out"): View[] {
  if (given === undefined) return [];
  if (names.includes(name)) {
    if (!typeOf(given)) throw wrongType(name, given, expected.type, { article: "a", type: "typed array" });
    return [viewOf(name, given as Values)];
  }
  const within = names.filter((other) => other.startsWith(`${name}.`));
  if (within.length > 0 && isObject(given) && !typeOf(given))
    return Object.entries(given).flatMap(([key, inner]) => outsOf(names, inner, `${name}.${key}`));
  throw wrongType(name, given, expected.exactly, { value: (within.length === 0 ? names : within).join(", ") });
}

/**
 * The function of a description with inputs: in the API these come first, in the described order, then the options.
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
    const inputs = Object.fromEntries(names.map((name, i) => [name, given[i]]));
    return call(module, given[names.length] as object | undefined, inputs);
  }
  return Object.assign(ordered, { description });
}

// biome-ignore lint/suspicious/noExplicitAny: functions of every kind
type Functions = { readonly [name: string]: (module: Module, ...args: any[]) => unknown };

/** An entry's functions without their first parameter, the module. */
export type Bound<Of extends Functions> = {
  [Name in keyof Of]: Of[Name] extends (module: Module, ...args: infer Args) => infer Made
    ? (...args: Args) => Made
    : never;
};

/** Functions bound to the module, above a prototype. As members of a list they have no name in traces but their own. */
export const bind = <Of extends Functions>(module: Module, functions: Of, prototype = Object.prototype): Bound<Of> =>
  Object.freeze(
    Object.setPrototypeOf(
      Object.fromEntries(
        Object.entries(functions).map(([name, run]) => [name, (...args: unknown[]) => run(module, ...args)]),
      ),
      prototype,
    ),
  );
