// Fixtures for a port: inputs and outputs that distinguish each known mistake, and tests that read them.

import { define } from "../base/call.js";
import { options as checkOptions, whole as checkWhole, has, isArray, isObject, wrongType } from "../base/check.js";
import { taken } from "../base/json.js";
import * as is from "../base/kinds.js";
import { languageOf } from "../base/language.js";
import type { Module } from "../base/module.js";
import { knownModel } from "../hub/model.js";
import { placesOf } from "../hub/places.js";
import { toNpy } from "../npy.js";
import { portTests } from "../ports/port-tests.js";
import type * as t from "../types/index.js";
import { type Expectation, expectation } from "./calls.js";
import { readExpectation, rotationOf } from "./expected.js";
import { mistakes } from "./mistakes.js";

/** A fixture of the core. */
interface CoreFixture {
  axes: number;
  positions: number[];
  input: number[];
  outputs: number[];
  indices: number[];
  rotated: number;
  float32: number[];
  bfloat16: number[];
  mistakes: t.FixtureMistake[];
  undetected: t.Mistake[];
  scoreTolerance: number;
  namedResidual: number;
}

export const makeFixture = define(
  {
    name: "fixture",
    where: "fixtures",
    inputs: { expected: expectation, length: is.whole },
    answers: ["handle", "address", "size"],
  },
  () => {},
  (made, _, module) => taken(made, module)() as CoreFixture,
);

const about =
  "Rotate each section's input (queries; keys are twice that), the same in each of the heads, and look at each head's outputs at its indices, token * dim + dimension: " +
  "each has to be within its token's tolerance. A mistake's score is <output - right, moves> / <moves, moves> at its " +
  "indices, 0 if all is right and 1 if it was made: within scoreTolerance, it was not.";

/** Keys are queries times this: other numbers, which any dtype represents exactly. */
const keys = 2;

/** More than one, so that a port that counts positions along them differs; other than the tokens of any section. */
const heads = 2;

const defaultLength = 4096;

/** Layers that rotate alike, and what is expected of them. */
interface Kind {
  readonly name: string;
  readonly layers: string;
  readonly expected: Expectation;
}

/** Rounds to so many digits that the last is a small part of the tolerance. */
const rounded = (value: number, tolerance: number): number =>
  Number(value.toFixed(Math.min(20, Math.max(0, Math.ceil(-Math.log10(tolerance / 10)))))) + 0; // never -0

/** Rounds up to two digits. */
function roundedUp(value: number): number {
  const digit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return value === 0 ? 0 : Number((Math.ceil(value / digit) * digit).toPrecision(2));
}

/** The dimensions that rotate, of a plan for whole heads. */
function dimsOf({ plan, firstDim }: Expectation): t.HeadDims {
  const { dim = 0, rotaryDim = dim } = plan ?? {};
  return { first: firstDim ?? 0, count: rotaryDim, dim };
}

/** Rounds moves to a thousandth of the largest: scores and residuals are sums of many. */
function shortened({ names, times, at, moves, bfloat16 }: t.FixtureMistake, scoreTolerance: number): t.FixtureMistake {
  const largest = (moves ?? []).reduce((most, move) => Math.max(most, Math.abs(move)), 0);
  const own =
    times === undefined
      ? { at: at ?? [], moves: (moves ?? []).map((move) => rounded(move, largest / 100)) }
      : { times };
  if (bfloat16 === undefined || bfloat16 === scoreTolerance) return { names, ...own };
  return { names, ...own, bfloat16: bfloat16 === null ? null : roundedUp(bfloat16) };
}

function sectionOf({ name, layers, expected }: Kind, core: CoreFixture): t.FixtureSection {
  const { axes, positions, input, indices, rotated, mistakes: all, undetected, scoreTolerance } = core;
  const dims = dimsOf(expected);
  const tokens = positions.length / axes;
  const float32 = core.float32.map(roundedUp);
  const tokenOf = (index: number) => Math.floor(index / dims.dim);
  const { plan, inverse, sections, order } = expected;
  const stated = Object.fromEntries(Object.entries(plan ?? {}).filter(([, value]) => value !== undefined));
  return {
    name,
    layers,
    plan: { ...stated, ...(inverse ? { inverse } : {}), ...(sections ? { mrope: { sections, order } } : {}) },
    dims,
    positions: Array.from({ length: axes }, (_, axis) => positions.slice(axis * tokens, (axis + 1) * tokens)),
    input,
    indices,
    rotated,
    outputs: indices.map((index) => rounded(core.outputs[index] as number, float32[tokenOf(index)] as number)),
    tolerances: { float32, bfloat16: core.bfloat16.map(roundedUp) },
    mistakes: all.map((mistake) => shortened(mistake, scoreTolerance)),
    undetected,
  };
}

/** Files for a program that reads arrays: whole, in float32. */
function arraysOf(name: string, { axes, positions, input, outputs }: CoreFixture): t.FixtureFile[] {
  const tokens = positions.length / axes;
  const repeated = Float32Array.from({ length: outputs.length }, (_, i) => input[i % input.length] as number);
  const file = (what: string, data: Float32Array | Int32Array, shape: number[]): t.FixtureFile => ({
    name: `${name}.${what}.npy`,
    data: toNpy({ data, shape }),
  });
  return [
    file("positions", Int32Array.from(positions), [axes, tokens]),
    file("input", repeated, [tokens, input.length]),
    file("output", Float32Array.from(outputs), [tokens, input.length]),
  ];
}

const isPlain = (value: unknown): boolean => !isObject(value) || (isArray(value) && !value.some(isObject));

/** Prints an object of lists of numbers on one line: people read the file, too. */
function printed(value: unknown, indent = "", isItem = false): string {
  if (isPlain(value) || (isItem && isObject(value) && Object.values(value).every(isPlain)))
    return JSON.stringify(value);
  const inner = `${indent} `;
  if (isArray(value))
    return `[\n${value.map((item) => `${inner}${printed(item, inner, true)}`).join(",\n")}\n${indent}]`;
  const members = Object.entries(value as object)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${printed(member, inner)}`);
  return `{\n${members.join(",\n")}\n${indent}}`;
}

/** The kinds of layer of a model that rotate, or a plan's one. */
function kindsOf(module: Module, given: t.Model | t.FixturePlan, options: t.FixtureOptions): Kind[] {
  const expectationOf = (value: unknown) => rotationOf(readExpectation(module, value, "vectors"), "fixtures");
  const model = knownModel(given);
  if (!model) {
    if (!isObject(given) || has(given, "type")) throw wrongType("model", given, "what model() made, or a plan");
    const { layout } = options;
    return [{ name: "all", layers: "", expected: expectationOf(layout === undefined ? given : { ...given, layout }) }];
  }
  if (model.plans.length === 0) throw wrongType("model", model.type, "a model that rotates queries and keys");
  const kinds: Kind[] = [];
  for (const [index, { layerType }] of model.plans.entries()) {
    const layers = placesOf(model, (run) => run.plan === index);
    if (layers === "" && model.layers.length > 0) continue;
    const layer = layers === "" ? {} : { layer: Number.parseInt(layers, 10) };
    const length = model.length === null ? {} : { length: model.length };
    const expected = expectationOf({ model: given, ...layer, ...length, ...options });
    kinds.push({ name: layerType ?? "all", layers, expected });
  }
  return kinds;
}

export function fixtures(module: Module, given: t.Model | t.FixturePlan, options: t.FixtureOptions = {}): t.Fixtures {
  const { language, ...read } = checkOptions<t.FixtureOptions>(options, ["length", "layout", "language"], "fixtures");
  const sentences = mistakes(module, { language: languageOf(language ?? "en") });
  const length = read.length === undefined ? undefined : checkWhole("length", read.length);
  const settled = {
    ...(length === undefined ? {} : { length }),
    ...(read.layout === undefined ? {} : { layout: read.layout }),
  };
  const kinds = kindsOf(module, given, settled);
  const cores = kinds.map(({ expected }) =>
    makeFixture(module, {}, { expected, length: length ?? expected.plan?.length ?? defaultLength }),
  );
  const sections = kinds.map((kind, i) => sectionOf(kind, cores[i] as CoreFixture));
  const named = new Set(sections.flatMap((section) => section.mistakes.flatMap(({ names }) => names)));
  const { scoreTolerance, namedResidual } = cores[0] as CoreFixture;
  const json: t.FixtureData = {
    format: "posenc-fixtures-2",
    about,
    model: knownModel(given)?.type ?? null,
    heads,
    keys,
    scoreTolerance,
    namedResidual,
    meanings: Object.fromEntries(
      sentences.flatMap(({ mistake, text }) => (named.has(mistake) ? [[mistake, text]] : [])),
    ),
    sections,
  };
  const arrays = cores.flatMap((each, i) => arraysOf((kinds[i] as Kind).name, each));
  const files = [{ name: "fixtures.json", data: `${printed(json)}\n` }, ...arrays];
  return { json, files: [...files, ...portTests] };
}
