// Reads what is expected: a plan, a layer of a model, or another encoding, as the core takes it.

import * as check from "../base/check.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { typeOf } from "../base/view.js";
import { type DecodedModel, modelOf } from "../hub/model.js";
import { planOfRun } from "../hub/places.js";
import { sinusoidalPlan } from "../sinusoidal/sinusoidal.js";
import type * as t from "../types/index.js";
import type { BiasExpectation, Expectation, PlanOptions } from "./calls.js";

/** The functions whose numbers this knows, by `expected.type`; T5's where its table is given. */
const madeTypes = ["sinusoidalGrid", "rotaryGrid", "swinIndex", "swinBias", "t5"] as const;
type MadeType = (typeof madeTypes)[number];

/** Queries are multiplied by this beside their rotation. */
export interface QueryFactors {
  readonly temperature?: Required<t.QueryTemperature>;
  readonly scoreScale: number;
}

/** Holds what is expected; the kind of the samples decides which part of it is used. */
export interface ReadExpectation {
  /** The expectation of rotations, caches, frequencies and sinusoidal tables. */
  readonly rotation?: Expectation;
  readonly bias?: BiasExpectation;
  readonly ids?: { readonly [name in "preset" | "time" | "next"]?: string };
  readonly made?: { readonly type: MadeType; readonly options: Given };
  readonly queries?: QueryFactors;
  /** The expected number of a table's rows. */
  readonly rows?: number | undefined;
  /** The option that says a table's positions, if one does. */
  readonly positions?: string | undefined;
  /** The layer of a model that was taken, where layers differ and none was named. */
  readonly layer?: number;
  /** The layer does not rotate. */
  readonly isStill?: boolean;
  /** The caller's value, for a message. */
  readonly given: unknown;
}

const frequencyNames = ["dim", "base", "rotaryDim", "exponent", "exponentDim", "scaling", "length"] as const;
const angleNames = ["inverse", "others", "mrope", "arithmetic", "offset", "positionScale"] as const;

/** The options of a plan that each kind of sample shows; others are refused, since they would not be compared. */
const planNames: { readonly [kind: string]: readonly string[] } = {
  vectors: [...frequencyNames, ...angleNames, "layout", "firstDim", "temperature", "scoreScale"],
  "a cache": [...frequencyNames, ...angleNames],
  "a table": ["dim", "base", "exponent", "exponentDim", "scaling", "length", "arithmetic", "offset", "positionScale"],
  frequencies: [...frequencyNames, "inverse", "others"],
};

const arithmetics = ["exact", "transformers", "ggml", "float32", "float16", "bfloat16"];
/** What the core calls two of them. */
const coreNames = new Map(Object.entries({ transformers: "float32", ggml: "product" }));

function arithmeticOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const name = check.text("expected.arithmetic", value);
  if (arithmetics.includes(name)) return coreNames.get(name) ?? name;
  throw check.wrongValue("expected.arithmetic", name, `one of ${arithmetics.map((each) => `"${each}"`).join(", ")}`);
}

type Given = { [name: string]: unknown };

/** Options that are known by name; others are refused. */
const read = (value: object, known: readonly string[]): Given => check.names(value as Given, known, "expected");

/** Reads a scaling rule and its lists: fixtures state the options that the core was given. */
function ruleOf(scaling: unknown): unknown {
  if (!check.isObject(scaling) || check.isArray(scaling) || typeOf(scaling)) return scaling;
  return Object.fromEntries(
    Object.entries(scaling).map(([name, value]) => {
      const isList = check.isArray(value) || typeOf(value);
      return [name, isList ? Array.from(is.numbers.read(`expected.scaling.${name}`, value).values) : value];
    }),
  );
}

const temperatureFields = { slope: is.number, shift: is.optional(is.number), period: is.number };
const temperatureKind = is.optional(is.group<t.QueryTemperature, typeof temperatureFields>(temperatureFields));

/** Reads what queries are multiplied by; nothing where that is 1. */
function queriesOf(given: unknown, scoreScale: unknown): { queries?: QueryFactors } {
  if (given === undefined && scoreScale === undefined) return {};
  const scale = is.optional(is.number).read("expected.scoreScale", scoreScale as number) ?? 1;
  if (!(scale > 0) || !Number.isFinite(scale)) throw check.wrongValue("expected.scoreScale", scale, "a number > 0");
  const read = temperatureKind.read("expected.temperature", given as t.QueryTemperature);
  if (!read) return { queries: { scoreScale: scale } };
  if (!(read.period > 0)) throw check.wrongValue("expected.temperature.period", read.period, "a number > 0");
  return { queries: { scoreScale: scale, temperature: { ...read, shift: read.shift ?? 0 } } };
}

/** Reads options of `rotary` and what surrounds them. */
function plain(value: object, kind: string): ReadExpectation {
  const own = read(value, planNames[kind] ?? planNames.vectors ?? []);
  const { mrope, scaling, arithmetic, temperature, scoreScale, ...rest } = own;
  const { firstDim, inverse, others, offset, positionScale, ...plan } = rest;
  const axes = mrope === undefined ? {} : check.options(mrope as Given, ["sections", "order"], "expected.mrope");
  const { sections, order } = axes;
  const rotation = {
    ...{ firstDim, inverse, others, offset, positionScale, order },
    plan: {
      ...(kind === "vectors" ? {} : { layout: "half" }),
      ...plan,
      ...(scaling === undefined ? {} : { scaling: ruleOf(scaling) }),
    },
    sections: sections === undefined ? undefined : check.shape("expected.mrope.sections", sections),
    arithmetic: arithmeticOf(arithmetic),
  };
  return { rotation: rotation as Expectation, ...queriesOf(temperature, scoreScale), given: value };
}

/** The layer that was named, or where all that rotate are alike the first of these; others have to be named. */
function layerOf({ layers, plans }: DecodedModel, named: number | undefined, isQuery: boolean) {
  let first = 0;
  const runs = layers.map((run) => {
    first += run.count;
    return { run, first: first - run.count, plan: planOfRun(plans, run) };
  });
  if (named !== undefined) {
    const found = runs.find(({ run, first }) => named < first + run.count);
    if (!found) throw check.wrongValue("expected.layer", named, `a layer of the model, which has ${first}`);
    return { ...found, isTaken: false };
  }
  const rotating = runs.filter(({ plan }) => plan);
  const [found] = rotating;
  const keyOf = ({ run }: (typeof runs)[number]) =>
    JSON.stringify([run.plan, run.dims, isQuery ? run.temperature : null]);
  const kinds = new Map([...rotating].reverse().map((each) => [keyOf(each), each.first]));
  if (kinds.size > 1) {
    const some = [...kinds.values()].sort((a, b) => a - b).join(" or ");
    throw check.wrongType("expected.layer", named, `a layer's number, as ${some}, which rotate in different ways`);
  }
  return found && { ...found, isTaken: rotating.length < runs.length };
}

/** A plan of a model's as options for the dimensions of the whole head, which rotate in part. */
function planOf(plan: t.HubPlan, layers: t.ModelLayers, settled: Given): PlanOptions {
  const { dims } = layers;
  const whole = dims ? { dim: dims.dim, rotaryDim: dims.count } : {};
  return { ...plan.rotary, ...whole, ...settled };
}

function ofModel(value: object, kind: string): ReadExpectation {
  const names = ["model", "layer", "length", "arithmetic", "offset"];
  const own = read(value, kind === "vectors" ? [...names, "layout", "queries", "scoreScale"] : names);
  const model = modelOf("expected.model", own.model);
  const settled: Given = {
    ...(own.layout !== undefined && { layout: own.layout }),
    ...(own.length !== undefined && { length: own.length }),
  };
  const { encoding, plans, ids } = model;
  const { heads: _, ...alibi } = encoding as t.HubEncoding & { type: "alibi" };
  const bias = encoding.type === "alibi" ? { bias: alibi } : {};
  const rule = ids.rule === null || ids.rule === "sequence" ? {} : { ids: { preset: ids.rule } };
  if (plans.length === 0 || kind === "ids" || kind === "a bias") return { ...bias, ...rule, given: value };
  const asked = own.layer === undefined ? undefined : check.count("expected.layer", own.layer);
  const isQuery = is.optional(is.flag).read("expected.queries", own.queries as boolean) ?? false;
  const found = layerOf(model, asked, isQuery);
  const isStill = found !== undefined && found.run.plan === null;
  if (found && !found.plan && !(isStill && kind === "vectors"))
    throw check.wrongValue("expected.layer", asked, "a layer that rotates");
  // A layer that does not rotate has the dimensions of those that do, and frequencies of 0.
  const layers = isStill ? model.layers.find((run) => planOfRun(plans, run)) : found?.run;
  const plan = (layers && planOfRun(plans, layers)) ?? (plans[0] as t.HubPlan);
  const meant = layers ? planOf(plan, layers, settled) : { ...plan.rotary, ...settled };
  const { dim, rotaryDim = dim } = meant;
  const still = { scaling: { type: "given", frequencies: Array(rotaryDim / 2).fill(0) } } as const;
  const rotation: Expectation = {
    plan: isStill ? { ...meant, ...still } : meant,
    firstDim: layers?.dims?.first,
    inverse: plan.inverse,
    others: model.layers
      .map((run) => [run, planOfRun(plans, run)] as const)
      .flatMap(([run, other]) => (other && (isStill || other !== plan) ? [planOf(other, run, settled)] : [])),
    sections: plan.mrope?.sections,
    order: plan.mrope?.order,
    arithmetic: arithmeticOf(own.arithmetic),
    offset: own.offset as number,
  };
  const queries = queriesOf(isQuery ? (found?.run.temperature ?? undefined) : undefined, own.scoreScale);
  const taken = found?.isTaken ? { layer: found.first } : {};
  return { rotation, ...bias, ...rule, ...queries, ...taken, isStill, given: value };
}

const biasNames = {
  alibi: ["slopes", "steepness", "distance", "heads", "firstHead", "causal"],
  t5: ["buckets", "maxDistance", "bidirectional", "causal"],
} as const;

/** Scale and offset of positions that are evenly spaced; others are refused. */
function evenly(positions: unknown): { scale: number; offset: number } {
  const { values, length } = is.numbers.read("expected.positions", positions as number[]);
  const offset = values[0] ?? 0;
  const scale = length > 1 ? (values[1] as number) - offset : 1;
  for (let i = 0; i < length; ++i) {
    if (values[i] === offset + i * scale) continue;
    throw check.wrongValue("expected.positions", values[i] as number, "evenly spaced ones, or samples.positions");
  }
  return { scale, offset };
}

/** Options of `sinusoidal`, with those of their preset; the samples have the rows. */
function ofTable(module: Module, own: Given, given: object): ReadExpectation {
  const { type: _t, length, positions, offset, arithmetic, paddingIdx, ...options } = own;
  if (options.out !== undefined || options.precision !== undefined) {
    const name = options.out === undefined ? "precision" : "out";
    throw check.wrongType(`expected.${name}`, options[name], "no such option: a table does not show it");
  }
  const { dim, base, exponent, shift, order, amplitude, scale, sines } = sinusoidalPlan(module, options);
  const first = is.optional(is.number).read("expected.offset", offset as number) ?? 0;
  const spaced = positions === undefined ? { scale: 1, offset: first } : evenly(positions);
  const angles = { offset: scale * spaced.offset, positionScale: scale * spaced.scale };
  // base^(-i / (dim / 2 - shift)) is the paper's with another denominator.
  const same: Given = exponent === "half" ? { exponentDim: dim - 2 * shift } : { exponent };
  const plan = { dim, base, layout: "half", ...same } as PlanOptions;
  return {
    rotation: {
      plan,
      arrangement: order,
      amplitude,
      paddingRow: paddingIdx !== undefined,
      zeroColumn: dim % 2 === 1 && 2 * sines.length < dim,
      arithmetic: arithmeticOf(arithmetic),
      ...angles,
    },
    rows: is.optional(is.whole).read("expected.length", length as number),
    positions: positions !== undefined ? "expected.positions" : first !== 0 ? "expected.offset" : undefined,
    given,
  };
}

/** Reads what is expected of a kind of samples, once. */
export function readExpectation(module: Module, given: unknown, kind: string): ReadExpectation {
  const value = check.plain(given);
  if (value === undefined) return { given: undefined };
  if (!check.isObject(value)) throw check.wrongType("expected", value, "options of what was meant");
  if (check.has(value, "model")) return ofModel(value, kind);
  if (!check.has(value, "type")) return plain(value, kind);
  const own = value as Given;
  const type = check.text("expected.type", own.type);
  if (type === "sinusoidal") return ofTable(module, own, value);
  if (type === "ids") {
    const { preset, time, next } = read(own, ["type", "preset", "time", "next"]);
    const ids = { preset: check.text("expected.preset", preset), time: time as string, next: next as string };
    return { ids, given: value };
  }
  if (type === "t5" && own.table !== undefined) {
    const { type: _t, causal, ...options } = own;
    const future = is.optional(is.flag).read("expected.causal", causal as boolean) ? { future: "mask" } : {};
    return { made: { type, options: { ...options, ...future } }, given: value };
  }
  if (type === "alibi" || type === "t5") {
    const options = read(own, ["type", ...biasNames[type]]) as unknown as BiasExpectation;
    return { bias: options, given: value };
  }
  if (type !== "t5" && (madeTypes as readonly string[]).includes(type)) {
    const { type: _t, ...options } = own;
    return { made: { type: type as MadeType, options }, given: value };
  }
  const known = ["sinusoidal", "alibi", "ids", ...madeTypes].map((name) => `"${name}"`);
  throw check.wrongValue("expected.type", type, `one of ${known.join(", ")}`);
}

/** Returns the options of a function whose numbers are expected; undefined where they are of another. */
export function madeOf({ made }: ReadExpectation, type: MadeType): Given | undefined {
  return made?.type === type ? made.options : undefined;
}

/** The part of what is expected that a kind of samples uses; an expectation of something else is refused. */
export function partOf<Name extends "rotation" | "bias" | "ids">(
  expected: ReadExpectation,
  name: Name,
  wanted: string,
): ReadExpectation[Name] {
  if (expected[name] || expected.given === undefined) return expected[name];
  throw check.wrongType("expected", expected.given, wanted);
}

export function rotationOf(expected: ReadExpectation, what: string): Expectation {
  if (expected.queries && what !== "vectors") {
    const name = expected.queries.temperature ? "temperature" : "scoreScale";
    throw check.wrongType(`expected.${name}`, expected.queries, `no such option, for ${what}`);
  }
  return partOf(expected, "rotation", `a plan or a rotary model's layer, for ${what}`) ?? {};
}
