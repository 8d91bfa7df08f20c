// diagnose: each kind of sample goes to the core's function for it.

import * as check from "../base/check.js";
import * as is from "../base/kinds.js";
import { languageOf } from "../base/language.js";
import type { Module } from "../base/module.js";
import { listView, shaped } from "../base/view.js";
import type * as t from "../types/index.js";
import * as calls from "./calls.js";
import * as expectations from "./expected.js";
import { explained, type Known } from "./explanations.js";
import { isStill } from "./found.js";
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
  const { values, axes, tokens } = readPositions(given.positions);
  const [seqAxis, dimAxis] = [axisOf("seqAxis"), axisOf("dimAxis")];
  const extent = shape[seqAxis ?? (shape.length === 2 ? 0 : -1)];
  if (extent !== undefined && extent !== tokens && (seqAxis !== undefined || !shape.includes(tokens)))
    throw check.wrongValue("positions", tokens, `${extent}, the extent of the sequence's axis`);
  return { positions: listView(values as number[]), axes, seqAxis, dimAxis };
}

/** A split head's rotated part by itself is as long as what is expected to rotate. */
function fitted(expected: calls.Expectation, shape: readonly number[]): calls.Expectation {
  const { plan } = expected;
  const rotates = plan?.rotaryDim;
  if (!plan || rotates === undefined || shape.includes(plan.dim) || !shape.includes(rotates)) return expected;
  return { ...expected, plan: { ...plan, dim: rotates }, firstDim: 0 };
}

const tensor = ({ view, shape, dtype, quantized }: sample.ReadSample): calls.Sampled => ({
  data: shaped(view, shape),
  dtype,
  quantized,
});

/** The axis of the tokens: the one that is named, or the only one of as many as there are positions. */
function tokenAxis({ positions, axes, seqAxis }: ReturnType<typeof readAxes>, shape: readonly number[]) {
  const tokens = positions.length / axes;
  const fitting = shape.flatMap((extent, axis) => (extent === tokens ? [axis] : []));
  return seqAxis ?? (fitting.length === 1 ? fitting[0] : undefined);
}

/** Where the tokens and dimensions of vectors are, for messages. */
const placesOf = (axes: ReturnType<typeof readAxes>, { shape }: sample.ReadSample) => ({
  tokens: tokenAxis(axes, shape),
  dims: axes.dimAxis ?? shape.length - 1,
});

function checkSameShape(argument: string, { shape }: sample.ReadSample, as: sample.ReadSample): void {
  check.checkExtents(argument, shape, as.shape);
}

function rotation(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const before = sample.readSample("before", given.before);
  const after = sample.readSample("after", given.after);
  checkSameShape("after", after, before);
  const grid = expectations.madeOf(expected, "rotaryGrid");
  if (grid) {
    const seqAxis = optionalAxis.read("seqAxis", given.seqAxis as number);
    return calls.diagnoseGridVectors(
      module,
      {},
      { before: tensor(before), after: tensor(after), seqAxis, expected: grid as never },
    );
  }
  const meant = fitted(expectations.rotationOf(expected, "vectors"), before.shape);
  const axes = readAxes(given, before);
  const read = (own: calls.Sampled) => {
    const made = sample.placed([before, after], placesOf(axes, before), () =>
      calls.diagnoseRotation(module, {}, { before: own, after: tensor(after), ...axes, expected: meant }),
    );
    // Of a layer that does not rotate it is wrong that vectors are rotated, however.
    const rotated = { mistakes: ["rotated"], dims: [], factor: 1, shift: 0, scale: 1 };
    const explanations = made.explanations.map((each) => (isStill(each.found) ? each : { ...each, ...rotated }));
    return expected.isStill ? { ...made, explanations, expected: undefined } : made;
  };
  if (!expected.queries) return read(tensor(before));
  return diagnoseQueries(expected.queries, before, sample.asNumbers(module, before), axes, read);
}

/** Compares queries with their input times what they are multiplied by: a rotation does not change that. */
function diagnoseQueries(
  { temperature, scoreScale }: expectations.QueryFactors,
  { shape, dtype = "float32" }: sample.ReadSample,
  values: ArrayLike<number>,
  axes: ReturnType<typeof readAxes>,
  read: (input: calls.Sampled) => calls.CoreDiagnosis,
): calls.CoreDiagnosis {
  const { length } = values;
  const tokens = tokenAxis(axes, shape);
  if (temperature && tokens === undefined)
    throw check.wrongValue(
      "seqAxis",
      undefined,
      `an axis of ${axes.positions.length} tokens, where queries have a temperature`,
    );
  const inner = temperature ? check.product(shape.slice((tokens as number) + 1)) : 1;
  const times = Array.from(axes.positions.values as ArrayLike<number>, (position) => {
    const { slope = 0, shift = 0, period = 1 } = temperature ?? {};
    return 1 + slope * Math.log(1 + Math.floor((position + shift) / period));
  });
  const scaled = (hasTemperature: boolean): calls.Sampled => {
    const made = new Float64Array(length);
    for (let at = 0; at < length; ++at) {
      const factor = hasTemperature ? (times[Math.floor(at / inner) % times.length] as number) : 1;
      made[at] = (values[at] as number) * scoreScale * factor;
    }
    return { data: shaped(sample.viewAs("before.data", made, "float64"), shape), dtype };
  };
  const found = read(scaled(temperature !== undefined));
  if (!temperature) return found;
  const cold = read(scaled(false));
  const missing = cold.explanations.map((each) => ({ ...each, mistakes: [...each.mistakes, "temperature-missing"] }));
  // What was estimated explains nothing where something listed does.
  const [own, other] = [weightOf(found), weightOf(cold)];
  if (own > other || other === 0) return found;
  if (own < other) return { ...cold, explanations: missing };
  const next = times.every((factor) => factor === 1) ? [temperature.period] : [];
  return {
    ...found,
    verdict: "ambiguous",
    explanations: [...found.explanations, ...missing],
    next: [...new Set([...next, ...found.next, ...cold.next])],
  };
}

/** How much is explained: nothing, by numbers that were estimated, or by what is listed. */
const weightOf = ({ verdict }: calls.CoreDiagnosis) =>
  verdict === "certain" || verdict === "ambiguous" ? 2 : Number(verdict === "likely");

function outputs(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const a = sample.readSample("a", given.a);
  const b = sample.readSample("b", given.b);
  const before = given.before === undefined ? undefined : sample.readSample("before", given.before);
  checkSameShape("b", b, a);
  if (before) checkSameShape("before", before, a);
  const meant = fitted(expectations.rotationOf(expected, "two outputs"), a.shape);
  const axes = readAxes(given, a);
  const input = before && tensor(before);
  return sample.placed([a, b, ...(before ? [before] : [])], placesOf(axes, a), () =>
    calls.diagnoseOutputs(module, {}, { a: tensor(a), b: tensor(b), before: input, ...axes, expected: meant }),
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
  const both = { cos: tensor(cos), sin: tensor(sin) };
  if (grid) return calls.diagnoseGridCache(module, {}, { ...both, expected: grid as never });
  const meant = expectations.rotationOf(expected, "a cache");
  return calls.diagnoseCache(module, {}, { ...both, ...rowPositions(given), expected: meant });
}

function complexCache(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const both = sample.readSample("cosSin", given.cosSin);
  const meant = expectations.rotationOf(expected, "a cache");
  return calls.diagnoseCache(module, {}, { cos: tensor(both), ...rowPositions(given), expected: meant });
}

function table(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const read = sample.readSample("table", given.table);
  const grid = expectations.madeOf(expected, "sinusoidalGrid");
  if (grid) return calls.diagnoseGridTable(module, {}, { table: tensor(read), expected: grid as never });
  const { positions } = rowPositions(given);
  const rows = read.shape.at(-2);
  if (expected.rows !== undefined && expected.rows !== rows)
    throw check.wrongValue("expected.length", expected.rows, `${rows}, the rows of the table`);
  if (positions && expected.positions !== undefined)
    throw check.wrongType("samples.positions", given.positions, `none beside ${expected.positions}`);
  const meant = expectations.rotationOf(expected, "a table");
  return calls.diagnoseSinusoid(module, {}, { table: tensor(read), positions, expected: meant });
}

/** More frequencies than any head has. */
const mostFrequencies = 65_536;

function frequencies(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const read = sample.readList("frequencies", given.frequencies);
  const { length } = read.view;
  if (length > mostFrequencies) throw check.wrongValue("frequencies", length, `at most ${mostFrequencies} values`);
  const meant = expectations.rotationOf(expected, "frequencies");
  const list = tensor({ ...read, shape: [length] });
  return calls.diagnoseFrequencies(module, {}, { frequencies: list, expected: meant });
}

/** A window of patches, of two or of three extents. */
function windowOf({ height, width, depth, classToken }: Given) {
  const named = { ...(depth !== undefined && { depth }), height, width };
  const window = Object.entries(named).map(([name, extent]) => is.count.read(`expected.${name}`, extent as number));
  return { window, classToken: classToken as boolean | undefined };
}

const windowNames = ["height", "width", "depth", "classToken"];
const bucketNames = ["table", "buckets", "maxDistance", "bidirectional"];

/** Options of `t5` as what is expected of a bias of so many queries and keys, which are those given. */
function ofTable(options: Given, { shape }: sample.ReadSample) {
  const names = [...bucketNames, "queries", "keys", "queryOffset", "form", "future"];
  const { queries, keys, queryOffset = 0, form, future, ...own } = check.names<Given>(options, names, "expected");
  for (const [name, given, wanted] of [
    ["queries", queries, shape.at(-2)],
    ["keys", keys, shape.at(-1)],
    ["form", form, "full"],
    ["future", future, future === "mask" ? "mask" : "keep"],
  ])
    if (given !== undefined && given !== wanted) throw check.wrongValue(`expected.${name}`, given, `${wanted}`);
  return { expected: { type: "t5", ...own, causal: future === "mask" }, queryOffset };
}

function bias(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const read = sample.readSample("bias", given.bias);
  const asked = is.optional(is.whole).read("firstQuery", given.firstQuery as number);
  const look = (meant: calls.BiasExpectation | undefined, firstQuery = asked) =>
    calls.diagnoseBias(module, {}, { bias: tensor(read), firstQuery, expected: meant });
  const window = expectations.madeOf(expected, "swinBias");
  if (window) {
    const own = check.names<Given>(window, [...windowNames, "table"], "expected");
    return look({ type: "swin", table: own.table as t.TensorInput, ...windowOf(own) } as never);
  }
  const table = expectations.madeOf(expected, "t5");
  if (!table) return look(expectations.biasOf(expected));
  const { expected: meant, queryOffset } = ofTable(table, read);
  return look(meant as never, asked ?? is.whole.read("expected.queryOffset", queryOffset as number));
}

function ids(module: Module, given: Given, expected: expectations.ReadExpectation) {
  const tensor = is.tensorOf("ids", given.ids);
  const shape = is.shapeOf("ids", tensor);
  const view = is.withShape("ids", is.numbers.read("ids.data", tensor.data as number[]), shape);
  const window = expectations.madeOf(expected, "swinIndex");
  if (window) {
    const own = check.names<Given>(window, windowNames, "expected");
    return calls.diagnoseWindow(module, {}, { ids: view, ...windowOf(own) });
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

type Look = (
  module: Module,
  given: Given,
  expected: expectations.ReadExpectation,
) => calls.CoreDiagnosis | calls.CoreOutputs;

const ofVectors = ["positions", "seqAxis", "dimAxis"];

/** The kinds of sample: the option that each is known by, its name, what it is called, its other options, its function. */
const kinds: readonly (readonly [string, t.Diagnosis["kind"], string, readonly string[], Look])[] = [
  ["a", "rotation", "vectors", ["b", "before", ...ofVectors], outputs],
  ["before", "rotation", "vectors", ["after", ...ofVectors], rotation],
  ["cos", "cache", "a cache", ["sin", "positions"], cache],
  ["cosSin", "cache", "a cache", ["positions"], complexCache],
  ["table", "sinusoidal", "a table", ["positions"], table],
  ["frequencies", "frequencies", "frequencies", [], frequencies],
  ["bias", "bias", "a bias", ["firstQuery"], bias],
  ["ids", "ids", "ids", ["segments", "mergeSize", "tokensPerSecond"], ids],
];

/** Finds what was done to numbers from elsewhere. */
export function diagnose(module: Module, samples: t.Samples, options: t.DiagnoseOptions = {}): t.Diagnosis {
  const read = check.options<t.DiagnoseOptions>(options, ["expected", "partial", "language"], "diagnose");
  const language = languageOf(read.language ?? "en");
  const isPartial = is.optional(is.flag).read("partial", read.partial as boolean) ?? false;
  if (!check.isObject(samples)) throw check.wrongType("samples", samples, "an object of samples");
  const own = check.plain(samples) as Given;
  const found = kinds.find(([by]) => own[by] !== undefined);
  if (!found) {
    const names = kinds.map(([by]) => `"${by}"`).join(", ");
    throw check.wrongType("samples", samples, `an object with one of ${names}`);
  }
  const [by, kind, what, others, look] = found;
  const given = check.names<Given>(own, [by, ...others], "samples");
  const expected = expectations.readExpectation(module, read.expected, what);
  const made = look(module, given, expected);
  const known: Known = {
    kind: expected.made ? "made" : kind,
    isExpected: read.expected !== undefined,
    isPartial,
    layer: expected.layer ?? null,
    expected: made.expected ?? (expected.made && { options: expected.made.options }),
  };
  if ("verdict" in made) return explained(made, known, language);
  const { wrong } = made;
  const a = given.before === undefined ? null : explained(made.a, known, language);
  const b = explained(made.b, known, language);
  return { ...(wrong === "a" && a ? a : b), outputs: { wrong, a, b } };
}
