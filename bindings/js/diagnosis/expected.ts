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
import { type MadeType, madeTypes } from "./made.js";

/** The ids that were meant. */
interface IdExpectation {
  readonly preset?: string;
  readonly time?: string | undefined;
  readonly next?: string | undefined;
}

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
  readonly ids?: IdExpectation;
  readonly made?: { readonly type: MadeType; readonly options: Given };
  readonly queries?: QueryFactors;
  /** The expected number of a table's rows. */
  readonly rows?: number | undefined;
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

/** The arithmetics of `certify`, by the core's names of them. */
const arithmetics: { readonly [name: string]: string } = {
  exact: "exact",
  transformers: "float32",
  ggml: "product",
  float32: "float32",
  float16: "float16",
  bfloat16: "bfloat16",
};

function arithmeticOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const name = arithmetics[check.text("expected.arithmetic", value)];
  if (name !== undefined) return name;
  const names = Object.keys(arithmetics).map((each) => `"${each}"`);
  throw check.wrongValue("expected.arithmetic", value as string, `one of ${names.join(", ")}`);
}

type Given = { [name: string]: unknown };

/** Options that are known by name; others are refused. */
const read = (value: object, known: readonly string[]): Given => check.names(value as Given, known, "expected");

/** Reads a scaling rule and its lists: fixtures state the options that the core was given. */
function ruleOf(scaling: unknown): unknown {
  if (!check.isObject(scaling) || check.isArray(scaling) || typeOf(scaling)) return scaling;
  const own = { ...scaling } as Given;
  const names = Object.keys(own);
  for (let i = 0; i < names.length; ++i) {
    const name = names[i] as string;
    const value = own[name] as number[];
    const isList = check.isArray(value) || typeOf(value);
    if (isList) own[name] = Array.from(is.numbers.read(`expected.scaling.${name}`, value).values);
  }
  return own;
}

/** Reads what queries are multiplied by; nothing where that is 1. */
function queriesOf(temperature: unknown, scoreScale: unknown): { queries?: QueryFactors } {
  if (temperature === undefined && scoreScale === undefined) return {};
  const scale = is.optional(is.number).read("expected.scoreScale", scoreScale as number) ?? 1;
  if (!(scale > 0) || !Number.isFinite(scale)) throw check.wrongValue("expected.scoreScale", scale, "a number > 0");
  if (temperature === undefined) return { queries: { scoreScale: scale } };
  const argument = "expected.temperature";
  const given = check.options<t.QueryTemperature>(
    temperature as t.QueryTemperature,
    ["slope", "shift", "period"],
    argument,
  );
  const [slope, period, shift] = [
    is.number.read(`${argument}.slope`, given.slope),
    is.number.read(`${argument}.period`, given.period),
    is.optional(is.number).read(`${argument}.shift`, given.shift) ?? 0,
  ];
  if (!(period > 0)) throw check.wrongValue(`${argument}.period`, period, "a number > 0");
  return { queries: { scoreScale: scale, temperature: { slope, shift, period } } };
}

/** Reads options of `rotary` and what surrounds them. */
function plain(value: object, kind: string): ReadExpectation {
  const own = read(value, planNames[kind] ?? planNames.vectors ?? []);
  const { firstDim, inverse, others, mrope, scaling, arithmetic, offset, positionScale, ...rest } = own;
  const { temperature, scoreScale, ...plan } = rest;
  const axes = mrope === undefined ? {} : check.options(mrope as Given, ["sections", "order"], "expected.mrope");
  return {
    rotation: {
      plan: {
        ...(kind === "vectors" ? {} : { layout: "half" }),
        ...plan,
        ...(scaling === undefined ? {} : { scaling: ruleOf(scaling) }),
      } as unknown as PlanOptions,
      firstDim: firstDim as number,
      inverse: inverse as boolean,
      others: others as readonly PlanOptions[],
      sections:
        axes.sections === undefined ? undefined : check.shape("expected.mrope.sections", axes.sections as number[]),
      order: axes.order as string,
      arithmetic: arithmeticOf(arithmetic),
      offset: offset as number,
      positionScale: positionScale as number,
    },
    ...queriesOf(temperature, scoreScale),
    given: value,
  };
}

/** The run of layers that has this one. */
function runOf({ layers }: DecodedModel, index: number): t.ModelLayers {
  let first = 0;
  for (let i = 0; i < layers.length; ++i) {
    const run = layers[i] as t.ModelLayers;
    if (index >= first && index < first + run.count) return run;
    first += run.count;
  }
  throw check.wrongValue("expected.layer", index, `a layer of the model, which has ${first}`);
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
  const settled: Given = {};
  if (own.layout !== undefined) settled.layout = own.layout;
  const length = own.length ?? model.length ?? undefined;
  if (length !== undefined) settled.length = length;
  const { encoding, plans, ids } = model;
  const bias = encoding.type === "alibi" ? { bias: ofAlibi(encoding) } : {};
  const hasRule = ids.rule !== null && ids.rule !== "sequence";
  const rule = hasRule ? { ids: { preset: ids.rule as string } } : {};
  if (plans.length === 0) return { ...bias, ...rule, given: value };
  // Without a layer's number: the first that rotates.
  const asked = own.layer === undefined ? undefined : check.count("expected.layer", own.layer);
  const layers = asked === undefined ? model.layers.find((run) => planOfRun(plans, run)) : runOf(model, asked);
  const plan = layers ? planOfRun(plans, layers) : plans[0];
  if (!plan) throw check.wrongValue("expected.layer", asked, "a layer that rotates");
  const rotation: Expectation = {
    plan: layers ? planOf(plan, layers, settled) : { ...plan.rotary, ...settled },
    firstDim: layers?.dims?.first,
    inverse: plan.inverse,
    others: model.layers
      .map((run) => [run, planOfRun(plans, run)] as const)
      .flatMap(([run, other]) => (other && other !== plan ? [planOf(other, run, settled)] : [])),
    sections: plan.mrope?.sections,
    order: plan.mrope?.order,
    arithmetic: arithmeticOf(own.arithmetic),
    offset: own.offset as number,
  };
  const isQuery = is.optional(is.flag).read("expected.queries", own.queries as boolean) ?? false;
  const queries = queriesOf(isQuery ? (layers?.temperature ?? undefined) : undefined, own.scoreScale);
  return { rotation, ...bias, ...rule, ...queries, given: value };
}

const ofAlibi = ({ slopes, steepness, distance }: t.HubEncoding & { type: "alibi" }): BiasExpectation => ({
  type: "alibi",
  slopes,
  steepness,
  distance,
});

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

/** Returns what is expected of rotations; an expectation of something else is refused. */
export function rotationOf(expected: ReadExpectation, what: string): Expectation {
  if (expected.queries && what !== "vectors") {
    const name = expected.queries.temperature ? "temperature" : "scoreScale";
    throw check.wrongType(`expected.${name}`, expected.queries, `no such option, for ${what}`);
  }
  if (expected.rotation || expected.given === undefined) return expected.rotation ?? {};
  throw check.wrongType("expected", expected.given, `a plan or a rotary model's layer, for ${what}`);
}

/** Returns what is expected of a bias; an expectation of something else is refused. */
export function biasOf({ bias, given }: ReadExpectation): BiasExpectation | undefined {
  if (bias || given === undefined) return bias;
  throw check.wrongType("expected", given, 'an object { type: "alibi" } or { type: "t5" }, for a bias');
}

/** Returns what is expected of ids; an expectation of something else is refused. */
export function idsOf({ ids, given }: ReadExpectation): IdExpectation {
  if (ids || given === undefined) return ids ?? {};
  throw check.wrongType("expected", given, 'an object { type: "ids", preset }, for ids');
}
