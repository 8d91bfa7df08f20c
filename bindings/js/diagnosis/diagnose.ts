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

/** Where the tokens and dimensions of a cache or a table are. */
const rowsOf = ({ shape }: sample.ReadSample) => ({ tokens: shape.length - 2, dims: shape.length - 1 });

/** A kind of sample: the call and the answer that it has, what it is called, its tensors and its other options. */
interface Form {
  readonly call: string;
  readonly kind: t.Diagnosis["kind"];
  readonly what: string;
  readonly tensors: readonly string[];
  readonly others: readonly string[];
  /** The function of grids that may be expected of it. */
  readonly grid?: "rotaryGrid" | "sinusoidalGrid" | undefined;
}

const form = (
  call: string,
  kind: Form["kind"],
  what: string,
  tensors: readonly string[],
  others: readonly string[] = [],
  grid?: Form["grid"],
): Form => ({ call, kind, what, tensors, others, grid });

const ofVectors = ["positions", "seqAxis", "dimAxis"];
const ofIds = ["ids", "segments", "mergeSize", "tokensPerSecond"];

/** Each by the option that it is known by. */
const forms: { readonly [by: string]: Form } = {
  a: form("outputs", "rotation", "vectors", ["a", "b", "before"], ofVectors),
  before: form("rotation", "rotation", "vectors", ["before", "after"], ofVectors, "rotaryGrid"),
  cos: form("cache", "cache", "a cache", ["cos", "sin"], ["positions"], "rotaryGrid"),
  cosSin: form("cache", "cache", "a cache", ["cosSin"], ["positions"]),
  table: form("table", "sinusoidal", "a table", ["table"], ["positions"], "sinusoidalGrid"),
  frequencies: form("frequencies", "frequencies", "frequencies", ["frequencies"]),
  bias: form("bias", "bias", "a bias", ["bias"], ["firstQuery"]),
  ids: form("ids", "ids", "ids", [], ofIds),
};

/** Reads the tensors of a kind, which have one shape; frequencies are a list, of no more than any head has. */
function readTensors({ call, tensors }: Form, given: Given): sample.ReadSample[] {
  if (call === "frequencies") {
    const read = sample.readList("frequencies", given.frequencies);
    const { length } = read.view;
    if (length > 65_536) throw check.wrongValue("frequencies", length, "at most 65536 values");
    return [{ ...read, shape: [length] }];
  }
  // The input of two outputs may be left out.
  const names = tensors.filter((name) => call !== "outputs" || name !== "before" || given[name] !== undefined);
  const read = names.map((name) => sample.readSample(name, given[name]));
  for (const { argument, shape } of read) check.checkExtents(argument, shape, read[0]?.shape ?? shape);
  return read;
}

/** Asks the core about samples, of which the first may be another. */
type Ask = (inputs: object, first?: calls.Sampled) => calls.CoreDiagnosis;

/** Asks about vectors: of queries beside what they are multiplied by, of two outputs as of one rotation. */
function askVectors(
  module: Module,
  samples: readonly sample.ReadSample[],
  given: Given,
  expected: expectations.ReadExpectation,
  ask: Ask,
) {
  const first = samples[0] as sample.ReadSample;
  const isRotation = first.argument === "before";
  const meant = fitted(expectations.rotationOf(expected, isRotation ? "vectors" : "two outputs"), first.shape);
  const axes = readAxes(given, first);
  const read = (own?: calls.Sampled) => {
    const made = sample.placed(samples, placesOf(axes, first), () => ask({ ...axes, expected: meant }, own));
    if (!expected.isStill || !isRotation) return made;
    // Of a layer that does not rotate it is wrong that vectors are rotated, however.
    const rotated = { mistakes: ["rotated"], dims: [], factor: 1, shift: 0, scale: 1 };
    const explanations = made.explanations.map((each) => (isStill(each.found) ? each : { ...each, ...rotated }));
    return { ...made, explanations, expected: undefined };
  };
  const { queries } = expected;
  return queries ? diagnoseQueries(queries, first, sample.asNumbers(module, first), axes, read) : read();
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

/** Positions of the rows of a cache or a table, where they are given. */
function rowPositions(
  given: Given,
  { call }: Form,
  expected: expectations.ReadExpectation,
  { shape }: sample.ReadSample,
) {
  const rows = shape.at(-2);
  if (expected.rows !== undefined && expected.rows !== rows)
    throw check.wrongValue("expected.length", expected.rows, `${rows}, the rows of the table`);
  if (given.positions === undefined) return { axes: 1 };
  if (expected.positions !== undefined)
    throw check.wrongType("samples.positions", given.positions, `none beside ${expected.positions}`);
  const { values, axes } = readPositions(given.positions);
  return { positions: listView(values as number[]), axes: call === "table" ? 1 : axes };
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

/** What is expected of a bias, and its first query. */
function biasInputs(given: Given, expected: expectations.ReadExpectation, read: sample.ReadSample) {
  const firstQuery = optionalAxis.read("firstQuery", given.firstQuery as number);
  const window = expectations.madeOf(expected, "swinBias");
  if (window) {
    const own = check.names<Given>(window, [...windowNames, "table"], "expected");
    return { firstQuery, bias: { type: "swin", table: own.table, ...windowOf(own) } };
  }
  const table = expectations.madeOf(expected, "t5");
  const wanted = 'an object { type: "alibi" } or { type: "t5" }, for a bias';
  if (!table) return { firstQuery, bias: expectations.partOf(expected, "bias", wanted) };
  const { expected: bias, queryOffset } = ofTable(table, read);
  return { bias, firstQuery: firstQuery ?? is.whole.read("expected.queryOffset", queryOffset as number) };
}

/** Reads the samples of a form, and what the core makes of them. */
function look(
  module: Module,
  form: Form,
  given: Given,
  expected: expectations.ReadExpectation,
): calls.CoreDiagnosis | calls.CoreOutputs {
  if (form.call === "ids") return ids(module, given, expected);
  const samples = readTensors(form, given);
  const [first, ...rest] = samples as [sample.ReadSample];
  const ask = (inputs: object, own = tensor(first)) => {
    const beside = { kind: form.call, samples: [own, ...rest.map(tensor)], axes: 1, expected: {}, ...inputs };
    return calls.diagnoseSamples(module, {}, beside);
  };
  const grid = form.grid && expectations.madeOf(expected, form.grid);
  if (grid) {
    const seqAxis = optionalAxis.read("seqAxis", given.seqAxis as number);
    const inputs = { seqAxis, [form.grid as string]: grid };
    return sample.placed(samples, { ...rowsOf(first), ...(seqAxis !== undefined && { tokens: seqAxis }) }, () =>
      ask(inputs),
    );
  }
  if (form.call === "bias") return ask(biasInputs(given, expected, first));
  if (form.what === "vectors") return askVectors(module, samples, given, expected, ask as Ask);
  const meant = expectations.rotationOf(expected, form.what);
  const inputs = { ...rowPositions(given, form, expected, first), expected: meant };
  return sample.placed(samples, rowsOf(first), () => ask(inputs));
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
      ...expectations.partOf(expected, "ids", 'an object { type: "ids", preset }, for ids'),
    },
  );
}

/** What is said of a tensor is refused elsewhere, and it is said where it belongs. */
function checkPlaces(given: unknown, where: string, { tensors }: Form): void {
  for (const name of ["dtype", "quantized"] as const)
    if (check.isObject(given) && check.has(given, name)) {
      const places = tensors.map((each) => `samples.${each}.${name}`).join(", ");
      throw check.wrongType(`${where}.${name}`, given[name], `no such option: it belongs to a tensor, as ${places}`);
    }
}

/** Finds what was done to numbers from elsewhere. */
export function diagnose(module: Module, samples: t.Samples, options: t.DiagnoseOptions = {}): t.Diagnosis {
  if (!check.isObject(samples)) throw check.wrongType("samples", samples, "an object of samples");
  const own = check.plain(samples) as Given;
  const by = Object.keys(forms).find((name) => own[name] !== undefined);
  const form = forms[by ?? ""];
  if (!form) {
    const names = Object.keys(forms).map((name) => `"${name}"`);
    throw check.wrongType("samples", samples, `an object with one of ${names.join(", ")}`);
  }
  checkPlaces(options, "diagnose", form);
  checkPlaces(own, "samples", form);
  const read = check.options<t.DiagnoseOptions>(options, ["expected", "partial", "language"], "diagnose");
  const language = languageOf(read.language ?? "en");
  const isPartial = is.optional(is.flag).read("partial", read.partial as boolean) ?? false;
  const given = check.names<Given>(own, [...form.tensors, ...form.others], "samples");
  const expected = expectations.readExpectation(module, read.expected, form.what);
  const made = look(module, form, given, expected);
  const known: Known = {
    kind: expected.made ? "made" : form.kind,
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
