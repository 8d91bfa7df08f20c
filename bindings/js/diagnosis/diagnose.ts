// diagnose: each kind of sample goes to the core's function for it.

import * as check from "../base/check.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { listView } from "../base/view.js";
import { languageOf } from "../hub/explain.js";
import type * as t from "../types/index.js";
import * as calls from "./calls.js";
import * as expectations from "./expected.js";
import { explained } from "./explanations.js";
import { diagnoseGridCache, diagnoseGridTable, diagnoseGridVectors, diagnosePairs } from "./made-samples.js";
import * as sample from "./sample.js";

type Given = { readonly [name: string]: unknown };

/** Positions: a number a token, or one an axis and token. */
interface ReadPositions {
  readonly values: ArrayLike<number>;
  readonly axes: number;
  readonly tokens: number;
}

/** Axes and tokens, where a batch has one sequence. */
function ofOneSequence(argument: string, shape: readonly number[]): [number, number] {
  const extents = shape.length === 3 ? shape.filter((extent, axis) => extent !== 1 || axis !== 1) : shape;
  if (extents.length > 2 || extents.length === 0)
    throw check.wrongValue(`${argument}.shape`, shape, "[tokens] or [axes, tokens] of one sequence");
  return [extents.length === 1 ? 1 : (extents[0] as number), extents.at(-1) as number];
}

function readPositions(value: unknown): ReadPositions {
  const { values, shape } = is.shapedNumbers("positions", value);
  const [axes, tokens] = ofOneSequence("positions", shape);
  return { values, axes, tokens };
}

const optionalAxis = is.optional(is.whole);

/** Positions, and where the axes of vectors are. */
function readAxes(given: Given, { shape }: sample.ReadSample) {
  const axisOf = (name: string) => {
    const axis = optionalAxis.read(name, given[name] as number);
    return axis !== undefined && axis < 0 ? axis + shape.length : axis;
  };
  const { values, axes } = readPositions(given.positions);
  return { positions: listView(values as number[]), axes, seqAxis: axisOf("seqAxis"), dimAxis: axisOf("dimAxis") };
}

/** A split head's rotated part by itself is as long as what is expected to rotate. */
function fitted(expected: calls.Expectation, shape: readonly number[]): calls.Expectation {
  const { plan } = expected;
  const rotates = plan?.rotaryDim;
  if (!plan || rotates === undefined || shape.includes(plan.dim) || !shape.includes(rotates)) return expected;
  return { ...expected, plan: { ...plan, dim: rotates }, firstDim: 0 };
}

const tensor = (module: Module, read: sample.ReadSample): calls.Sampled => ({
  data: sample.allValues(module, read),
  dtype: read.dtype,
});

/** All values of a tensor, as they are: numbers, or -Infinity where they are a bias. */
function numbers(module: Module, read: sample.ReadSample): ArrayLike<number> {
  const values = sample.allValues(module, read).values as ArrayLike<number>;
  for (let at = 0; at < values.length; ++at) {
    const value = values[at] as number;
    if (Number.isFinite(value) || (value === Number.NEGATIVE_INFINITY && read.argument === "bias")) continue;
    throw check.wrongValue(`${read.argument}.data[${at}]`, value, "a finite number");
  }
  return values;
}

function checkSameShape(argument: string, { shape }: sample.ReadSample, as: sample.ReadSample): void {
  check.checkExtents(argument, shape, as.shape);
}

function rotation(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const before = sample.readSample("before", given.before);
  const after = sample.readSample("after", given.after);
  checkSameShape("after", after, before);
  const grid = expectations.madeOf(expected, "rotaryGrid");
  if (grid) {
    const values = [numbers(module, before), numbers(module, after)] as const;
    return diagnoseGridVectors(
      module,
      [before, after],
      values,
      grid,
      optionalAxis.read("seqAxis", given.seqAxis as number),
    );
  }
  const meant = fitted(expectations.rotationOf(expected, "vectors"), before.shape);
  const axes = readAxes(given, before);
  return calls.diagnoseRotation(
    module,
    {},
    { before: tensor(module, before), after: tensor(module, after), ...axes, expected: meant },
  );
}

function outputs(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const a = sample.readSample("a", given.a);
  const b = sample.readSample("b", given.b);
  const before = given.before === undefined ? undefined : sample.readSample("before", given.before);
  checkSameShape("b", b, a);
  if (before) checkSameShape("before", before, a);
  const meant = fitted(expectations.rotationOf(expected, "vectors"), a.shape);
  const axes = readAxes(given, a);
  const input = before && tensor(module, before);
  return calls.diagnoseOutputs(
    module,
    {},
    { a: tensor(module, a), b: tensor(module, b), before: input, ...axes, expected: meant },
  );
}

/** Positions of a cache's rows, where they are given. */
function rowPositions(given: Given) {
  if (given.positions === undefined) return { positions: undefined, axes: 1 };
  const { values, axes } = readPositions(given.positions);
  return { positions: listView(values as number[]), axes };
}

function cache(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const cos = sample.readSample("cos", given.cos);
  const sin = sample.readSample("sin", given.sin);
  checkSameShape("sin", sin, cos);
  const grid = expectations.madeOf(expected, "rotaryGrid");
  if (grid) return diagnoseGridCache(module, cos, [numbers(module, cos), numbers(module, sin)], grid);
  const meant = expectations.rotationOf(expected, "a cache");
  const both = { cos: tensor(module, cos), sin: tensor(module, sin) };
  return calls.diagnoseCache(module, {}, { ...both, ...rowPositions(given), expected: meant });
}

function complexCache(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const both = sample.readSample("cosSin", given.cosSin);
  const meant = expectations.rotationOf(expected, "a cache");
  return calls.diagnoseCache(module, {}, { cos: tensor(module, both), ...rowPositions(given), expected: meant });
}

function table(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const read = sample.readSample("table", given.table);
  const grid = expectations.madeOf(expected, "sinusoidalGrid");
  if (grid) return diagnoseGridTable(module, read, numbers(module, read), grid);
  const { positions } = rowPositions(given);
  const rows = read.shape.at(-2);
  if (expected.rows !== undefined && expected.rows !== rows)
    throw check.wrongValue("expected.length", expected.rows, `${rows}, the rows of the table`);
  const meant = expectations.rotationOf(expected, "a table");
  return calls.diagnoseSinusoid(module, {}, { table: tensor(module, read), positions, expected: meant });
}

/** More frequencies than any head has. */
const mostFrequencies = 65_536;

function frequencies(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const read = sample.readList("frequencies", given.frequencies);
  const { length } = read.view;
  if (length > mostFrequencies) throw check.wrongValue("frequencies", length, `at most ${mostFrequencies} values`);
  const meant = expectations.rotationOf(expected, "frequencies");
  const list = tensor(module, { ...read, shape: [length] });
  return calls.diagnoseFrequencies(module, {}, { frequencies: list, expected: meant });
}

/** T5's bias is of as many queries and keys as were given, unless it is said. */
function pairsOf(type: string, options: Given, { shape }: sample.ReadSample): Given {
  if (type !== "t5") return options;
  const [queries, keys] = shape.slice(-2);
  return { queries, keys, form: "full", ...options };
}

function bias(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const read = sample.readSample("bias", given.bias);
  for (const type of ["swinBias", "t5"] as const) {
    const options = expectations.madeOf(expected, type);
    if (options) return diagnosePairs(module, type, read, numbers(module, read), pairsOf(type, options, read));
  }
  const firstQuery = is.optional(is.whole).read("firstQuery", given.firstQuery as number);
  const meant = expectations.biasOf(expected);
  return calls.diagnoseBias(module, {}, { bias: tensor(module, read), firstQuery, expected: meant });
}

function ids(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const tensor = is.tensorOf("ids", given.ids);
  const shape = is.shapeOf("ids", tensor);
  const view = is.withShape("ids", is.numbers.read("ids.data", tensor.data as number[]), shape);
  const window = expectations.madeOf(expected, "swinIndex");
  if (window) {
    return diagnosePairs(module, "swinIndex", { argument: "ids", dtype: undefined }, view.values, window);
  }
  const extents = ofOneSequence("ids", shape);
  return calls.diagnoseIds(
    module,
    {},
    {
      ids: is.withShape("ids", view, extents),
      axes: extents[0],
      segments: given.segments,
      mergeSize: given.mergeSize,
      tokensPerSecond: given.tokensPerSecond,
      ...expectations.idsOf(expected),
    },
  );
}

/** The kinds of sample: the option that each is known by, all its options, and the function for it. */
const kinds = [
  {
    by: "a",
    kind: "rotation",
    what: "vectors",
    names: ["a", "b", "before", "positions", "seqAxis", "dimAxis"],
    look: outputs,
  },
  {
    by: "before",
    kind: "rotation",
    what: "vectors",
    names: ["before", "after", "positions", "seqAxis", "dimAxis"],
    look: rotation,
  },
  { by: "cos", kind: "cache", what: "a cache", names: ["cos", "sin", "positions"], look: cache },
  { by: "cosSin", kind: "cache", what: "a cache", names: ["cosSin", "positions"], look: complexCache },
  { by: "table", kind: "sinusoidal", what: "a table", names: ["table", "positions"], look: table },
  { by: "frequencies", kind: "frequencies", what: "frequencies", names: ["frequencies"], look: frequencies },
  { by: "bias", kind: "bias", what: "a bias", names: ["bias", "firstQuery"], look: bias },
  { by: "ids", kind: "ids", what: "ids", names: ["ids", "segments", "mergeSize", "tokensPerSecond"], look: ids },
] as const;

/** Finds what was done to numbers from elsewhere. */
export function diagnose(module: Module, samples: t.Samples, options: t.DiagnoseOptions = {}): t.Diagnosis {
  const read = check.options<t.DiagnoseOptions>(options, ["expected", "partial", "language"], "diagnose");
  const language = languageOf(read.language ?? "en");
  const isPartial = is.optional(is.flag).read("partial", read.partial as boolean) ?? false;
  if (!check.isObject(samples)) throw check.wrongType("samples", samples, "an object of samples");
  const own = Object.assign(new check.Bare(), samples) as Given;
  const kind = kinds.find(({ by }) => own[by] !== undefined);
  if (!kind) {
    const names = kinds.map(({ by }) => `"${by}"`).join(", ");
    throw check.wrongType("samples", samples, `an object with one of ${names}`);
  }
  const given = check.options<Given>(own, kind.names, "samples");
  const expected = expectations.readExpectation(module, read.expected, kind.what);
  const found = kind.look(module, given, expected);
  const explain = (one: calls.CoreDiagnosis) =>
    explained(
      expected.made ? "made" : kind.kind,
      one,
      { isExpected: read.expected !== undefined, isPartial },
      language,
    );
  if ("verdict" in found) return explain(found);
  const { wrong } = found;
  const a = given.before === undefined ? null : explain(found.a);
  const b = explain(found.b);
  return { ...(wrong === "a" && a ? a : b), outputs: { wrong, a, b } };
}
