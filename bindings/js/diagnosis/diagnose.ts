// diagnose: each kind of sample goes to the core's function for it.

import * as check from "../base/check.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { listView, shaped, type View } from "../base/view.js";
import { languageOf } from "../hub/explain.js";
import type { Picks } from "../types/files.js";
import type * as t from "../types/index.js";
import * as calls from "./calls.js";
import * as expectations from "./expected.js";
import { explained } from "./explanations.js";
import * as sample from "./sample.js";

type Given = { readonly [name: string]: unknown };
type Sampled = t.Diagnosis["sampled"];

/** The core's answer, and how much of the sample it was given. */
interface Seen<Made = calls.CoreDiagnosis> {
  readonly told: Made;
  readonly sampled: Sampled;
}

/** Positions: a number a token, or one an axis and token. */
interface ReadPositions {
  readonly values: ArrayLike<number>;
  readonly axes: number;
  readonly tokens: number;
}

function readPositions(value: unknown): ReadPositions {
  if (!check.isObject(value) || check.isArray(value) || !check.has(value, "shape")) {
    const { values, length } = is.numbers.read("positions", value as number[]);
    return { values, axes: 1, tokens: length };
  }
  const { data, shape } = check.options(value as t.Ids, ["data", "shape"], "positions");
  const extents = check.shape("positions.shape", shape);
  if (extents.length !== 2) throw check.wrongValue("positions.shape", extents, "[axes, tokens]");
  const view = is.withShape("positions", is.numbers.read("positions.data", data), extents);
  return { values: view.values, axes: extents[0] as number, tokens: extents[1] as number };
}

/** The positions of the picked tokens. */
function pickedPositions({ values, axes, tokens }: ReadPositions, picks: Picks): View<ArrayLike<number>> {
  const all: number[] = [];
  for (let axis = 0; axis < axes; ++axis) {
    const { values: row } = sample.pickedList(values, picks, axis * tokens, tokens);
    for (let i = 0; i < row.length; ++i) all[all.length] = row[i] as number;
  }
  return listView(all);
}

const optionalAxis = is.optional(is.whole);

/** Vectors and where their axes may be. */
interface ReadVectors {
  readonly shape: readonly number[];
  readonly positions: ReadPositions;
  readonly seqAxis: number | undefined;
  readonly dimAxis: number | undefined;
}

function readVectors(given: Given, shape: readonly number[]): ReadVectors {
  const axisOf = (name: string) => {
    const axis = optionalAxis.read(name, given[name] as number);
    return axis !== undefined && axis < 0 ? axis + shape.length : axis;
  };
  const positions = readPositions(given.positions);
  return { shape, positions, seqAxis: axisOf("seqAxis"), dimAxis: axisOf("dimAxis") };
}

/** Tries the axes that the tokens and the dimensions may have, the likeliest first, until something explains the values. */
function overAxes<Made extends calls.CoreDiagnosis | calls.CoreOutputs>(
  vectors: ReadVectors,
  dim: number | undefined,
  look: (picks: Picks[], positions: View<ArrayLike<number>>, seqAxis?: number, dimAxis?: number) => Made,
): Seen<Made> {
  const { shape, positions, seqAxis, dimAxis } = vectors;
  const choices = sample.axesOf(vectors, positions.tokens, dim);
  // A small sample is handed over whole: the core finds its axes.
  if (!sample.isLarge(shape)) {
    return { told: look([], pickedPositions(positions, undefined), seqAxis, dimAxis), sampled: null };
  }
  if (choices.length === 0) {
    const expected = `as many as one axis has of the shape [${shape.join(", ")}]`;
    throw check.wrongValue("positions", positions.tokens, expected);
  }
  let best: Seen<Made> | undefined;
  for (let i = 0; i < choices.length; ++i) {
    const [tokens, dims] = choices[i] as [number, number];
    const { picks, sampled } = sample.vectorPicks(shape, tokens, dims);
    const told = look(picks, pickedPositions(positions, picks[tokens]), tokens, dims);
    best ??= { told, sampled };
    const { verdict } = "verdict" in told ? told : told.b;
    if (verdict !== "none") return { told, sampled };
  }
  return best as Seen<Made>;
}

/** A split head's rotated part by itself is as long as what is expected to rotate. */
function fitted(expected: calls.Expectation, shape: readonly number[]): calls.Expectation {
  const { plan } = expected;
  const rotates = plan?.rotaryDim;
  if (!plan || rotates === undefined || shape.includes(plan.dim) || !shape.includes(rotates)) return expected;
  return { ...expected, plan: { ...plan, dim: rotates }, firstDim: 0 };
}

function checkSameShape(argument: string, { shape }: sample.ReadSample, as: sample.ReadSample): void {
  check.checkExtents(argument, shape, as.shape);
}

function rotation(module: Module, given: Given, expected: expectations.ReadExpectation): Seen {
  const before = sample.readSample("before", given.before);
  const after = sample.readSample("after", given.after);
  checkSameShape("after", after, before);
  const vectors = readVectors(given, before.shape);
  const meant = fitted(expectations.rotationOf(expected, "vectors"), before.shape);
  return overAxes(vectors, meant.plan?.dim, (picks, positions, seqAxis, dimAxis) =>
    calls.diagnoseRotation(
      module,
      {},
      {
        before: { data: sample.picked(module, before, picks), dtype: before.dtype },
        after: { data: sample.picked(module, after, picks), dtype: after.dtype },
        positions,
        axes: vectors.positions.axes,
        seqAxis,
        dimAxis,
        expected: meant,
      },
    ),
  );
}

function outputs(module: Module, given: Given, expected: expectations.ReadExpectation): Seen<calls.CoreOutputs> {
  const a = sample.readSample("a", given.a);
  const b = sample.readSample("b", given.b);
  const before = given.before === undefined ? undefined : sample.readSample("before", given.before);
  checkSameShape("b", b, a);
  if (before) checkSameShape("before", before, a);
  const vectors = readVectors(given, a.shape);
  const meant = fitted(expectations.rotationOf(expected, "vectors"), a.shape);
  const from = (read: sample.ReadSample, picks: Picks[]) => ({
    data: sample.picked(module, read, picks),
    dtype: read.dtype,
  });
  return overAxes(vectors, meant.plan?.dim, (picks, positions, seqAxis, dimAxis) =>
    calls.diagnoseOutputs(
      module,
      {},
      {
        a: from(a, picks),
        b: from(b, picks),
        before: before && from(before, picks),
        positions,
        axes: vectors.positions.axes,
        seqAxis,
        dimAxis,
        expected: meant,
      },
    ),
  );
}

/** A table whose rows are tokens: some of them are picked, of the first of its leading indices. */
function rows(module: Module, given: Given, { shape }: sample.ReadSample) {
  const isComplex = given.cosSin !== undefined && shape.length > 2 && shape[shape.length - 1] === 2;
  const { whole, tokens, sampled } = sample.rowPicks(shape, isComplex ? 3 : 2);
  const count = whole[1] as number;
  const own = given.positions === undefined ? undefined : readPositions(given.positions);
  // A wrong count is for the core to refuse.
  const positions = own
    ? pickedPositions(own, own.tokens === count ? tokens : undefined)
    : tokens && listView([...tokens]);
  return {
    axes: own?.axes ?? 1,
    positions,
    sampled,
    look(read: sample.ReadSample): calls.Sampled {
      const view = sample.picked(module, { ...read, shape: whole }, [[0], tokens]);
      return { data: shaped(view, view.shape.slice(1)), dtype: read.dtype };
    },
  };
}

function cache(module: Module, given: Given, expected: expectations.ReadExpectation): Seen {
  const cos = sample.readSample("cos", given.cos);
  const sin = sample.readSample("sin", given.sin);
  checkSameShape("sin", sin, cos);
  const { axes, positions, look, sampled } = rows(module, given, cos);
  const meant = expectations.rotationOf(expected, "a cache");
  const told = calls.diagnoseCache(module, {}, { cos: look(cos), sin: look(sin), positions, axes, expected: meant });
  return { told, sampled };
}

function complexCache(module: Module, given: Given, expected: expectations.ReadExpectation): Seen {
  const both = sample.readSample("cosSin", given.cosSin);
  const { axes, positions, look, sampled } = rows(module, given, both);
  const meant = expectations.rotationOf(expected, "a cache");
  return { told: calls.diagnoseCache(module, {}, { cos: look(both), positions, axes, expected: meant }), sampled };
}

function table(module: Module, given: Given, expected: expectations.ReadExpectation): Seen {
  const read = sample.readSample("table", given.table);
  const { positions, look, sampled } = rows(module, given, read);
  const meant = expectations.rotationOf(expected, "a table");
  return { told: calls.diagnoseSinusoid(module, {}, { table: look(read), positions, expected: meant }), sampled };
}

/** More frequencies than any head has. */
const mostFrequencies = 65_536;

function frequencies(module: Module, given: Given, expected: expectations.ReadExpectation): Seen {
  const read = sample.readList("frequencies", given.frequencies);
  const { length } = read.view;
  if (length > mostFrequencies) throw check.wrongValue("frequencies", length, `at most ${mostFrequencies} values`);
  const flat = { ...read, shape: [length] };
  const meant = expectations.rotationOf(expected, "frequencies");
  const told = calls.diagnoseFrequencies(
    module,
    {},
    {
      frequencies: { data: sample.picked(module, flat, []), dtype: read.dtype },
      expected: meant,
    },
  );
  return { told, sampled: null };
}

function bias(module: Module, given: Given, expected: expectations.ReadExpectation): Seen {
  const read = sample.readSample("bias", given.bias);
  const first = is.optional(is.whole).read("firstQuery", given.firstQuery as number);
  const { picks, shape, firstQuery, sampled } = sample.biasWindow(read.shape, first);
  const data = sample.picked(module, { ...read, shape }, picks);
  const told = calls.diagnoseBias(
    module,
    {},
    {
      bias: { data: shaped(data, data.shape.slice(-3)), dtype: read.dtype },
      firstQuery,
      expected: expectations.biasOf(expected),
    },
  );
  return { told, sampled };
}

function ids(module: Module, given: Given, expected: expectations.ReadExpectation): Seen {
  const { data, shape } = check.options(given.ids as t.Ids, ["data", "shape"], "ids");
  const extents = check.shape("ids.shape", shape).filter((extent, axis) => extent !== 1 || axis !== 1);
  if (extents.length !== 2) throw check.wrongValue("ids.shape", extents, "[axes, tokens] of one sequence");
  const told = calls.diagnoseIds(
    module,
    {},
    {
      ids: is.withShape("ids", is.numbers.read("ids.data", data), extents),
      axes: extents[0],
      segments: given.segments,
      mergeSize: given.mergeSize,
      tokensPerSecond: given.tokensPerSecond,
      preset: expectations.idsOf(expected),
    },
  );
  return { told, sampled: null };
}

/** The kinds of sample: the option that each is known by, all its options, and the function for it. */
const kinds = [
  { by: "a", kind: "rotation", names: ["a", "b", "before", "positions", "seqAxis", "dimAxis"], look: outputs },
  { by: "before", kind: "rotation", names: ["before", "after", "positions", "seqAxis", "dimAxis"], look: rotation },
  { by: "cos", kind: "cache", names: ["cos", "sin", "positions"], look: cache },
  { by: "cosSin", kind: "cache", names: ["cosSin", "positions"], look: complexCache },
  { by: "table", kind: "sinusoidal", names: ["table", "positions"], look: table },
  { by: "frequencies", kind: "frequencies", names: ["frequencies"], look: frequencies },
  { by: "bias", kind: "bias", names: ["bias", "firstQuery"], look: bias },
  { by: "ids", kind: "ids", names: ["ids", "segments", "mergeSize", "tokensPerSecond"], look: ids },
] as const;

/** Finds what was done to numbers from elsewhere. */
export function diagnose(module: Module, samples: t.Samples, options: t.DiagnoseOptions = {}): t.Diagnosis {
  const read = check.options<t.DiagnoseOptions>(options, ["expected", "language"], "diagnose");
  const language = languageOf(read.language ?? "en");
  if (!check.isObject(samples)) throw check.wrongType("samples", samples, "an object of samples");
  const own = Object.assign(new check.Bare(), samples) as Given;
  const kind = kinds.find(({ by }) => own[by] !== undefined);
  if (!kind) {
    const names = kinds.map(({ by }) => `"${by}"`).join(", ");
    throw check.wrongType("samples", samples, `an object with one of ${names}`);
  }
  const given = check.options<Given>(own, kind.names, "samples");
  const expected = expectations.readExpectation(module, read.expected);
  const { told, sampled } = kind.look(module, given, expected);
  const tell = (one: calls.CoreDiagnosis) => explained(kind.kind, one, sampled, read.expected !== undefined, language);
  if ("verdict" in told) return tell(told);
  const { wrong } = told;
  const a = given.before === undefined ? null : tell(told.a);
  const b = tell(told.b);
  return { ...(wrong === "a" && a ? a : b), outputs: { wrong, a, b } };
}
