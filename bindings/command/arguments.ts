// Reads the arguments that follow a command's name.

import { type ParseArgsConfig, parseArgs } from "node:util";
import { refusal } from "../js/base/check.js";
import * as expected from "../js/base/expected.js";
import type { Picks } from "../js/types/files.js";
import type { RotaryOptions } from "../js/types/index.js";
import { UsageFailure } from "./failure.js";
import { isFile, openTensor } from "./files/tensors.js";
import type { Progress } from "./progress.js";

type Flags = NonNullable<ParseArgsConfig["options"]>;

/** Lists the options that all commands take. */
const shared = {
  json: { type: "boolean" },
  lang: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const satisfies Flags;

/** Standard input, or an array in it. */
const isInput = /^-(:.+)?$/s;

/** In place of the dash of an array in standard input, which would be taken for an option. */
const dash = "\0";

const dashed = <Value>(given: Value): Value | string =>
  typeof given === "string" && given.startsWith(dash) ? `-${given.slice(1)}` : given;

/** A command's arguments as they were given. */
export interface Given {
  readonly files: readonly string[];
  readonly flags: { readonly [name: string]: string | boolean | undefined };
  readonly isJson: boolean;
  readonly language: "en" | "zh";
}

/** Texts and switches, each by its name, with the letter that is short for it. */
export const texts = (...names: string[]): Flags => Object.fromEntries(names.map((name) => [name, { type: "string" }]));
export const switches = (...names: string[]): Flags =>
  Object.fromEntries(names.map((name) => [name, { type: "boolean" }]));
export const output: Flags = { output: { type: "string", short: "o" }, force: { type: "boolean" } };

export function readArguments(args: readonly string[], known: Flags): Given {
  const options = { ...shared, ...known };
  try {
    const parsed = parseArgs({
      args: args.map((arg) => (arg.startsWith("-:") ? dash + arg.slice(1) : arg)),
      options,
      allowPositionals: true,
      strict: true,
    });
    const files = parsed.positionals.map(dashed) as string[];
    const flags = Object.fromEntries(Object.entries(parsed.values).map(([name, value]) => [name, dashed(value)]));
    const { lang: language = "en", json: isJson = false } = flags;
    if (language !== "en" && language !== "zh") throw new Error(`--lang: ${language}, expected en or zh`);
    const inputs = [...files, flags.expected, flags.positions].filter((each) => isInput.test(String(each)));
    if (inputs.length > 1) throw new Error(`${inputs.join(", ")}: expected standard input once`);
    return { files, flags: flags as Given["flags"], isJson: isJson === true, language };
  } catch (error) {
    const { message } = error as Error;
    const [, argument] = /^Unknown option '([^']*)'/.exec(message) ?? [];
    if (argument === undefined) throw new UsageFailure(message);
    const names = Object.keys(options).map((name) => `--${name}`);
    const parameters = { names: names.join(", ") };
    throw refusal(TypeError, expected.option, {
      argument,
      value: argument,
      shown: "no option",
      given: argument,
      parameters,
    });
  }
}

/** As many files as a command takes. */
export function filesOf({ files }: Given, least: number, most: number, what: string): readonly string[] {
  if (files.length >= least && files.length <= most) return files;
  throw new UsageFailure(`${files.length} arguments, expected ${what}`);
}

export function numberOf({ flags }: Given, name: string): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const number = typeof text === "string" && text.trim() !== "" ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) throw new UsageFailure(`--${name}: ${text}, expected a number`);
  return number;
}

export const textOf = ({ flags }: Given, name: string): string | undefined => flags[name] as string | undefined;

/** Parses a flag's JSON. */
export function jsonOf(given: Given, name: string): unknown {
  const text = textOf(given, name);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageFailure(`--${name}: no JSON (${(error as Error).message})`);
  }
}

/** The same, which has to be an object. */
export function objectOf(given: Given, name: string): { [name: string]: unknown } | undefined {
  const value = jsonOf(given, name);
  if (value === undefined) return undefined;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as { [name: string]: unknown };
  throw new UsageFailure(`--${name}: expected an object of JSON`);
}

/** The plan that is given in place of a config: one of both is expected, and a layer of a config alone. */
export function planInPlaceOf(config: string | undefined, given: Given): Partial<RotaryOptions> | undefined {
  const plan = objectOf(given, "plan") as Partial<RotaryOptions> | undefined;
  if ((config === undefined) === (plan === undefined)) throw new UsageFailure("expected a config.json, or --plan");
  if (plan && textOf(given, "layer") !== undefined) throw new UsageFailure("--layer: given beside --plan");
  return plan;
}

/** Positions: numbers, ranges "0..15", or a file of them, [tokens] or [axes, tokens]. */
export interface ReadPositions {
  readonly values: readonly number[];
  readonly axes: number;
  readonly tokens: number;
}

/** More are not given one by one. */
const mostPositions = 2 ** 20;

function listed(text: string): number[] {
  return text.split(",").flatMap((part) => {
    const range = /^\s*(-?\d+)\.\.(-?\d+)\s*$/.exec(part);
    const [from, to] = range ? [Number(range[1]), Number(range[2])] : [Number(part), Number(part)];
    if (
      part.trim() === "" ||
      !Number.isFinite(from) ||
      !Number.isFinite(to) ||
      to < from ||
      to - from >= mostPositions
    ) {
      throw new UsageFailure(`--positions: ${JSON.stringify(part)}, expected numbers, ranges (0..15), or a file`);
    }
    return range ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : [from];
  });
}

export async function positionsOf(given: Given, progress: Progress): Promise<ReadPositions | undefined> {
  const text = textOf(given, "positions");
  if (text === undefined) return undefined;
  if (!isFile(text)) {
    const values = listed(text);
    return { values, axes: 1, tokens: values.length };
  }
  const { shape, read } = await openTensor(text, progress);
  const own = shape.filter((extent, axis) => extent !== 1 || axis === shape.length - 1);
  const [tokens = 1, axes = 1, ...more] = [...own].reverse();
  if (more.length > 0 || tokens * axes > mostPositions)
    throw new UsageFailure(`--positions: shape [${shape.join(", ")}], expected [tokens] or [axes, tokens]`);
  return { values: Array.from((await read([])).data), axes, tokens };
}

/** Picks the positions of some tokens, as `diagnose` takes them. */
export function pickedPositions({ values, axes, tokens }: ReadPositions, picks: Picks) {
  const chosen = picks ?? Array.from({ length: tokens }, (_, i) => i);
  const all = Array.from({ length: axes }, (_, axis) => chosen.map((i) => values[axis * tokens + i] as number)).flat();
  if (axes === 1) return all;
  return { data: all, shape: [axes, chosen.length] };
}
