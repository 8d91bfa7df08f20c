// Checks that a JavaScript value can become an argument of the core, which checks what it may mean. Errors of both are
// thrown here.

import type * as t from "../types/index.js";
import * as expected from "./expected.js";
import type { Module } from "./module.js";

/** Longer values are cut where a message shows them. */
const shownLength = 60;

/** The longest name. A longer one would fill the module's memory, and the message, before the core could refuse it. */
const longestName = 256;

/** The longest name of a file, with a tensor's in it, in a message. */
const longestFile = 1024;

/** Escapes control characters, line ends and bidirectional marks. */
const escaped = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

const cut = (text: string, length = shownLength): string => (text.length > length ? `${text.slice(0, length)}…` : text);

/** A text in quotes, cut. */
export function quoted(text: string): string {
  const length = text.length > shownLength ? ` (${text.length} characters)` : "";
  return `${JSON.stringify(cut(text))}${length}`;
}

/** The digits of a bigint of at most 64 bits; those of a larger one would take seconds. */
const shownInteger = (value: bigint): string => (BigInt.asIntN(64, value) === value ? `${value}n` : "a bigint");

/** A value as a message shows it, which is short whatever the value is. */
function shown(value: unknown, isItem = false): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return shownInteger(value);
  if (typeof value !== "object" || value === null) return cut(String(value));
  if (isItem || !isArray(value) || value.length > 8)
    return cut(Object.prototype.toString.call(value).replace("[object Object]", "an object"));
  return `[${Array.from(value, (item) => shown(item, true)).join(", ")}]`;
}

/** Some engines have it. */
const { captureStackTrace } = Error as { captureStackTrace?: (error: Error, above: unknown) => void };

export type Parameters = { readonly [name: string]: number | string };

/** The parts of an error beside its code. */
interface Refusal {
  readonly argument: string;
  readonly value: unknown;
  /** How the value is shown. */
  readonly shown: string;
  readonly parameters?: Parameters | undefined;
  /** Text that follows the sentence. */
  readonly note?: string | undefined;
  /** The misspelt name, where it is not the value. */
  readonly given?: string;
  /** Whether the argument is a file: its name is shown whole, and the sentence is the rest of the message. */
  readonly isFile?: boolean;
}

/** The error: a message, and its parts as fields. `expected` is a code and its sentence (expected.ts). */
export function refusal<E extends Error>(
  Type: new (message: string) => E,
  expected: string,
  { argument, value, shown, parameters = {}, note = "", given = shown, isFile = false }: Refusal,
): E & t.ErrorFields {
  // A sentence without a code may have bars and braces of its own: they came from a file.
  const code = /^[a-z_]+(?=\|)/.exec(expected)?.[0];
  const filled = code
    ? expected.slice(code.length + 1).replace(/\{(\w+)\}/g, (_, name) => String(parameters[name]))
    : expected;
  const sentence = filled + note;
  const names = String(parameters.names ?? "").split(", ");
  const message = isFile
    ? `${cut(argument, longestFile)}: ${sentence}`
    : `${cut(argument, 2 * shownLength)}: ${shown}, expected ${suggesting(given, names, sentence)}`;
  const named = code ? parameters : { condition: sentence };
  const fields = {
    code: code ?? (isFile ? "file" : "other"),
    argument,
    value,
    shown,
    expected: sentence,
    parameters: named,
  } as t.ErrorFields;
  // Not enumerable: an uncaught error is printed as its message alone.
  const error = new Type(escaped(message));
  // The stack begins at the check that failed.
  captureStackTrace?.(error, refusal);
  for (const name in fields) Object.defineProperty(error, name, { value: fields[name as keyof t.ErrorFields] });
  return error as E & t.ErrorFields;
}

/** The fields of an error of this library, as they can be sent to another thread: objects are left out. */
export function fieldsOf(error: unknown): t.ErrorFields | undefined {
  if (!isObject(error) || !has(error, "parameters")) return undefined;
  const { code, argument, value, shown, expected, parameters } = error as unknown as t.ErrorFields;
  const sent = typeof value === "string" || typeof value === "number" ? value : undefined;
  return { code, argument, value: sent, shown, expected, parameters };
}

export const wrongType = (argument: string, value: unknown, expected: string, parameters?: Parameters, note?: string) =>
  refusal(TypeError, expected, { argument, value, shown: shown(value), parameters, note });

export const wrongValue = (
  argument: string,
  value: unknown,
  expected: string,
  parameters?: Parameters,
  note?: string,
) => refusal(RangeError, expected, { argument, value, shown: shown(value), parameters, note });

/** Names of options and words, each with those that it has elsewhere. They are hints: nothing goes by them. */
const elsewhere =
  "base theta ropetheta|dim headdim dmodel embeddim|offset start startpos|half neox gptneox|interleaved gptj|" +
  "type ropetype|originallength originalmaxpositionembeddings|float16 fp16|mask attnmask|keymask attentionmask|" +
  "heads numkeyvalueheads|scale softmaxscale|shape dims|capacity maxlength|window slidingwindow";

/** Letters and digits alone, in lower case. */
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, "");

/** How many letters to change, to leave out or to exchange with the next, and to add, which counts less: "concat". */
function distance(one: string, other: string): number {
  const rows: number[][] = [];
  const most = one.length + other.length;
  const at = (i: number, j: number, cost: number | boolean) => (rows[i]?.[j] ?? most) + Number(cost);
  for (let i = 0; i <= one.length; ++i) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= other.length; ++j) {
      const isTurned = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const turned = isTurned ? at(i - 2, j - 2, 1) : most;
      const changed = at(i - 1, j - 1, one[i - 1] !== other[j - 1]);
      row[j] = i + j && Math.min(at(i - 1, j, 1), at(i, j - 1, 0.3), changed, turned);
    }
  }
  return at(one.length, other.length, 0);
}

/** Puts the name that is nearest to a misspelt one, or means the same, in front of the sentence. */
function suggesting(given: string, names: readonly string[], expected: string): string {
  const word = bare(given.slice(0, shownLength));
  const far = (name: string) =>
    new RegExp(`\\b${bare(name)} [^|]*\\b${word}\\b`).test(elsewhere) ? -1 : distance(word, bare(name)) / word.length;
  const best = names.reduce((one, other) => (far(other) < far(one) ? other : one), names[0] as string);
  return word && best && far(best) <= 0.4 ? `${best} (or ${expected})` : expected;
}

/** What the core is given in the place of a word that has no default and is missing. */
export const missingWord = "\0";

/** A module's memory, another object whenever that has grown. */
export const memoryOf = ({ HEAPF64 }: Module): ArrayBufferLike => HEAPF64.buffer;

/** A text of the core, decoded from UTF-8. */
export const textAt = (module: Module, address: number, size: number): string =>
  new TextDecoder().decode(new Uint8Array(memoryOf(module), address, size));

/** The core's error, which it reports in cells (embind/crossing.cpp) and which is released. */
export function reported(module: Module, report: number): Error & t.ErrorFields {
  const cell = (index: number): string | number => {
    const at = report / 8 + 3 * index;
    const address = module.HEAPF64[at + 1] as number;
    return address ? textAt(module, address, module.HEAPF64[at + 2] as number) : (module.HEAPF64[at] as number);
  };
  const [argument, value, sentence, note] = [0, 1, 2, 3].map(cell) as [string, string | number, string, string];
  const parameters: Record<string, number | string> = {};
  let next = 4;
  for (const [, name] of sentence.matchAll(/\{(\w+)\}/g)) parameters[name as string] = cell(next++);
  module.release(report);
  // The core puts words into quotation marks, and leaves them as they are; "none" is what is missing.
  const isWord = /^".*"$/s.test(String(value));
  const word = isWord ? (value as string).slice(1, -1) : value;
  const shown = isWord ? quoted(word as string) : cut(String(value));
  if (word === missingWord) return wrongType(argument, undefined, expected.named, parameters);
  const remedy = argument === "memory" ? toFree : "";
  return refusal(RangeError, sentence, {
    argument,
    value: value === "none" ? undefined : word,
    shown,
    parameters,
    note: note + remedy,
  });
}

/** Engines free what is forgotten when the task that runs has ended, whatever is tried. */
const toFree = ", 2 GiB: dispose() of something; what is forgotten is freed between tasks";

/** More values than the module's memory has space for. */
export const noMemory = (argument: string, length: unknown) =>
  wrongValue(argument, length, expected.memory, {}, toFree);

export const isArray = (value: unknown): value is unknown[] => Array.isArray(value);
export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether an object or its class has a property of this name; those of Object do not count. */
export const has = <Name extends string>(object: object, name: Name): object is { [N in Name]: unknown } =>
  Object.hasOwn(object, name) || (name in object && !(name in Object.prototype));

/** What a tensor of a class has, in this library's words or those of ONNX Runtime and transformers.js. */
const ofTensors = ["data", "shape", "dims", "dtype", "type"];

/** An object's properties: its own, or those of a tensor by its class; undefined for what only its class understands. */
function propertiesOf(value: object): Record<string, unknown> | undefined {
  const above = Object.getPrototypeOf(value);
  if (above === null || Object.getPrototypeOf(above) === null) return { ...value };
  if (!has(value, "data")) return undefined;
  const members = value as Record<string, unknown>;
  return Object.fromEntries(ofTensors.flatMap((name) => (has(value, name) ? [[name, members[name]]] : [])));
}

/** As many doubles as the module's memory has space for: a longer list is refused by its length alone. */
const longestList = 2 ** 28;

/**
 * What a caller gave as plain values: each property is read once, in order, and after it no accessor of the caller's runs.
 * Typed arrays are as they were, and so are objects of classes that are no tensors. `path` is its name in messages.
 */
export function plain<T>(value: T, seen = new Map<unknown, unknown>(), path = "value"): T {
  if (!isObject(value) || ArrayBuffer.isView(value)) return value;
  const known = seen.get(value);
  if (known) return known as T;
  if (isArray(value)) {
    const { length } = value;
    if (length > longestList) throw noMemory(path, length);
    const items: unknown[] = [];
    seen.set(value, items);
    for (let i = 0; i < length; ++i) {
      const item = value[i];
      items[i] = isObject(item) ? plain(item, seen, path) : item;
    }
    return items as T;
  }
  const read = propertiesOf(value);
  if (!read) return value;
  seen.set(value, read);
  for (const name of Object.keys(read)) read[name] = plain(read[name], seen, `${path}.${name}`);
  return read as T;
}

/** Throws for a name that is not known: a misspelt one would otherwise be ignored. */
export function names<T extends object>(
  value: T,
  known: readonly (keyof T & string)[],
  where: string,
  inFull: readonly string[] = [],
): T {
  if (!isObject(value) || ArrayBuffer.isView(value)) throw wrongType(where, value, expected.options);
  const key = Object.keys(value).find((name) => !(known as readonly string[]).includes(name));
  if (key === undefined) return value;
  const wrong = value[key as keyof T];
  const parameters = { names: known.join(", ") };
  throw refusal(TypeError, expected.option, {
    argument: `${where}.${key}`,
    value: wrong,
    shown: shown(wrong),
    parameters,
    given: cut(key),
    note: inFull.includes(key) ? `; ${key} is an option of posenc/full` : "",
  });
}

/** A caller's options as plain values, of known names. */
export function options<T extends object>(
  value: T,
  known: readonly (keyof T & string)[],
  where: string,
  inFull?: readonly string[],
): T {
  const given = names(isObject(value) && !ArrayBuffer.isView(value) ? { ...value } : value, known, where, inFull);
  const seen = new Map<unknown, unknown>();
  for (const name of Object.keys(given) as (keyof T)[]) given[name] = plain(given[name], seen, name as string);
  return given;
}

export function number(argument: string, value: unknown): number {
  if (typeof value !== "number") throw wrongType(argument, value, expected.number);
  return value;
}

/** A whole number that a double represents exactly; the core checks its range. */
export function whole(argument: string, value: unknown): number {
  if (!Number.isSafeInteger(number(argument, value))) throw wrongValue(argument, value, expected.whole);
  return value as number;
}

/** A whole number that counts something. */
export function count(argument: string, value: unknown): number {
  if (whole(argument, value) < 0) throw wrongValue(argument, value, expected.whole_at_least, { least: 0 });
  return value as number;
}

export function text(argument: string, value: unknown): string {
  if (typeof value !== "string") throw wrongType(argument, value, expected.string);
  if (value.length > longestName) throw wrongValue(argument, value, expected.characters, { most: longestName });
  return value;
}

export function flag(argument: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw wrongType(argument, value, expected.flag);
  return value;
}

/** Extents, each a whole number >= 0. */
export function shape(argument: string, value: unknown): number[] {
  if (!isArray(value)) throw wrongType(argument, value, expected.array_of, { items: "extents" });
  const wrong = value.findIndex((extent) => !(Number.isSafeInteger(extent) && (extent as number) >= 0));
  if (wrong >= 0) count(`${argument}[${wrong}]`, value[wrong]);
  return value as number[];
}

/** Throws unless a tensor's extents are these. */
export function checkExtents(argument: string, given: readonly number[], wanted: readonly number[]): void {
  const { length } = wanted;
  if (given.length !== length) throw wrongValue(`${argument}.shape`, given, expected.axes, { count: length });
  if (given.join() !== wanted.join()) throw wrongShape(argument, given, wanted);
}

/** The error of a shape that is not the one wanted. */
export const wrongShape = (argument: string, given: readonly number[], wanted: readonly (number | string)[]) =>
  wrongValue(`${argument}.shape`, given, expected.shape, { shape: shownShape(wanted) });

/** A shape as a message shows it, which is short. */
export const shownShape = (extents: readonly (number | string)[]): string =>
  `[${cut(extents.slice(0, 64).join(", "))}]`;

export function product(extents: readonly number[]): number {
  let all = 1;
  for (let i = 0; i < extents.length; ++i) all *= extents[i] as number;
  return all;
}
