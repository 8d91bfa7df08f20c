// Encodings whose numbers follow from options alone: grids, windows, T5's bias with its table. Numbers from elsewhere are
// compared with what the library makes of each way to be wrong. There are few, so that all are made, one mistake at a
// time and two.

import * as check from "../base/check.js";
import type { Module } from "../base/module.js";
import { rotaryGrid } from "../grid/point-rotary.js";
import { sinusoidalGrid } from "../grid/sinusoidal-grid.js";
import { t5 } from "../relative/biases.js";
import { swinBias, swinIndex } from "../relative/swin.js";
import type * as t from "../types/index.js";
import type { CoreDiagnosis, CoreExplanation } from "./calls.js";
import type { ReadSample } from "./sample.js";

type Options = { readonly [name: string]: unknown };
type Numbers = ArrayLike<number>;

/** The functions whose numbers this knows, by `expected.type`; T5's where its table is given. */
export const madeTypes = ["sinusoidalGrid", "rotaryGrid", "swinIndex", "swinBias", "t5"] as const;
export type MadeType = (typeof madeTypes)[number];

/** One way in which a grid may be encoded: options of the library's function, and what happens around it. */
interface Way {
  readonly options: Options;
  /** What is done to the points of cells, one after the other. */
  readonly points: readonly PointChange[];
  /** What is done to the numbers that come out. */
  readonly outputs: readonly ("transposed" | "negated" | "exchanged" | "window" | "scaled")[];
}

type PointChange = (points: Float64Array, axes: number, grid: readonly number[]) => Float64Array;

/** A mistake: what it makes of a right way; undefined where it means nothing. */
interface Change {
  readonly mistake: string;
  readonly of: (way: Way) => Way | undefined;
}

/** What was given, as rows of cells: the numbers, and what roundings may have moved each by. */
interface Given {
  readonly arrays: readonly Numbers[];
  readonly units: readonly Numbers[];
  readonly dtype: string | undefined;
  /** What the library makes of a way, as many numbers; undefined where the way is none. */
  readonly make: (way: Way) => readonly Numbers[] | undefined;
}

/** A residual of so many units is what roundings cause: as in the core. */
const explainedUnits = 8;
const [mistakeBits, certainBits] = [6, 20];

/** Half of the last place of each type, relative. */
const rounding: { readonly [dtype: string]: number } = { float16: 2 ** -11, bfloat16: 2 ** -8 };
const unitOf = (dtype: string | undefined) => rounding[dtype ?? "float32"] ?? 2 ** -24;

const withOptions = (way: Way, more: Options): Way => ({ ...way, options: { ...way.options, ...more } });
const withPoints = (way: Way, change: PointChange): Way => ({ ...way, points: [...way.points, change] });
const withOutput = (way: Way, change: Way["outputs"][number]): Way => ({ ...way, outputs: [...way.outputs, change] });

const transposed: PointChange = (points, axes, grid) => {
  if (axes < 2) return points;
  const [rows, columns] = grid.slice(-2) as [number, number];
  const made = new Float64Array(points.length);
  const size = rows * columns;
  for (let cell = 0; cell * axes < points.length; ++cell) {
    const [plane, at] = [Math.floor(cell / size), cell % size];
    const from = plane * size + (at % rows) * columns + Math.floor(at / rows);
    for (let axis = 0; axis < axes; ++axis) made[cell * axes + axis] = points[from * axes + axis] as number;
  }
  return made;
};

const exchanged: PointChange = (points, axes) =>
  points.map((_, at) => {
    const axis = at % axes;
    const last = axes - 1;
    const other = axis === last ? last - 1 : axis === last - 1 ? last : axis;
    return points[at - axis + other] as number;
  });

const mapped =
  (change: (point: number, extent: number) => number): PointChange =>
  (points, axes, grid) =>
    points.map((point, at) => change(point, grid[grid.length - axes + (at % axes)] as number));

const bases = [10000, 100, 10, 256, 1000, 20, 500000];

/** The mistakes of encodings that rotate. */
const rotaryChanges: readonly Change[] = [
  ...["half", "interleaved"].map((layout) => ({
    mistake: "layout",
    of: (way: Way) => (layout === way.options.layout ? undefined : withOptions(way, { layout })),
  })),
  ...bases.map((base) => ({ mistake: "base", of: (way: Way) => withOptions(way, { base }) })),
  { mistake: "axes-order", of: (way) => withPoints(way, exchanged) },
  { mistake: "cell-order", of: (way) => withPoints(way, transposed) },
  ...[1, -1, 0.5].map((by) => ({
    mistake: "first-position",
    of: (way: Way) =>
      withPoints(
        way,
        mapped((point) => point + by),
      ),
  })),
  {
    mistake: "position-scale",
    of: (way) =>
      withPoints(
        way,
        mapped((point, extent) => point / extent),
      ),
  },
  {
    mistake: "position-scale",
    of: (way) =>
      withPoints(
        way,
        mapped((point, extent) => (2 * point + 1 - extent) / extent),
      ),
  },
  {
    mistake: "position-scale",
    of: (way) =>
      withPoints(
        way,
        mapped((point, extent) => (point * extent + extent - 1) / 2),
      ),
  },
  {
    mistake: "restarted",
    of: (way) =>
      withOptions(
        way,
        way.options.preset === "pixtral"
          ? { layout: "half", ...way.options, preset: "axial", axes: 2 }
          : { preset: "pixtral" },
      ),
  },
  { mistake: "sign", of: (way) => withOptions(way, { inverse: !way.options.inverse }) },
  { mistake: "not-rotated", of: (way) => withPoints(way, (points) => points.map(() => 0)) },
  ...["qwen2-vl", "pixtral", "dinov3", "llama4", "timm", "timm-pixel", "rope-vit", "croco"]
    .concat(["rotary-embedding-torch", "rotary-embedding-torch-pixel", "wan", "cogvideox", "hunyuan-video", "flux"])
    .map((preset) => ({ mistake: "scaling-other", of: (way: Way) => ofPreset(way, preset) })),
];

/** Another preset has its own options. */
function ofPreset({ options, ...way }: Way, preset: string): Way | undefined {
  if (preset === options.preset) return undefined;
  const { dim, shape, grid, prefixTokens, suffixTokens, inverse, mask } = options;
  const kept = { dim, shape, grid, prefixTokens, suffixTokens, inverse, mask, preset };
  return { ...way, options: Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) };
}

const scaled: Change = { mistake: "amplitude", of: (way) => withOutput(way, "scaled") };
const exchangedPairs: Change = { mistake: "sign", of: (way) => withOutput(way, "exchanged") };

const tableChanges: readonly Change[] = [
  ...["interleaved", "split", "cosines-first"].map((order) => ({
    mistake: "arrangement",
    of: (way: Way) => withOptions(way, { order }),
  })),
  ...["by-axis", "by-function"].map((arrangement) => ({
    mistake: "arrangement",
    of: (way: Way) => withOptions(way, { arrangement }),
  })),
  ...["first-first", "last-first"].map((axes) => ({
    mistake: "axes-order",
    of: (way: Way) => withOptions(way, { axes }),
  })),
  { mistake: "cell-order", of: (way) => withOutput(way, "transposed") },
  ...[0, 1, 0.5].map((start) => ({ mistake: "first-position", of: (way: Way) => withOptions(way, { start }) })),
  ...[true, false].map((normalised) => ({
    mistake: "position-scale",
    of: (way: Way) => ofNormalised(way, normalised),
  })),
  ...[1, 2 * Math.PI, 16].map((extent) => ({
    mistake: "position-scale",
    of: (way: Way) => withOptions(way, { extent, normalised: true }),
  })),
  ...bases.map((base) => ({ mistake: "base", of: (way: Way) => withOptions(way, { base }) })),
  { mistake: "sign", of: (way) => withOutput(way, "negated") },
  scaled,
  ...["detr", "mae", "timm", "diffusers", "positional-encodings"].map((preset) => ({
    mistake: "scaling-other",
    of: (way: Way) => ofPreset(way, preset),
  })),
];

const ofNormalised = (way: Way, normalised: boolean): Way =>
  withOptions(way, normalised ? { normalised } : { normalised, extent: undefined, epsilon: undefined });

const t5Changes: readonly Change[] = [
  exchangedPairs,
  scaled,
  ...[0, 1, -1].map((by) => ({
    mistake: "first-position",
    of: (way: Way) => {
      const right = Number(way.options.queryOffset ?? 0);
      return withOptions(way, { queryOffset: by === 0 ? 0 : right + by });
    },
  })),
  ...["mask", "keep"].map((future) => ({ mistake: "causal", of: (way: Way) => withOptions(way, { future }) })),
  ...[true, false].map((bidirectional) => ({
    mistake: "buckets",
    of: (way: Way) => withOptions(way, { bidirectional }),
  })),
  ...[16, 20, 64, 128, 256, 512].map((maxDistance) => ({
    mistake: "buckets",
    of: (way: Way) => withOptions(way, { maxDistance }),
  })),
];

const windowChanges: readonly Change[] = [
  exchangedPairs,
  scaled,
  {
    mistake: "axes-order",
    of: (way) => withOptions(way, { height: way.options.width, width: way.options.height }),
  },
  { mistake: "cell-order", of: (way) => withOutput(way, "window") },
];

/** The ways that one mistake and two make of the right one, which is first. */
function waysOf(right: Way, changes: readonly Change[]): { way: Way; mistakes: string[] }[] {
  const made = [{ way: right, mistakes: [] as string[] }];
  for (const [i, first] of changes.entries()) {
    const one = first.of(right);
    if (!one) continue;
    made.push({ way: one, mistakes: [first.mistake] });
    for (const second of changes.slice(i + 1)) {
      const two = second.mistake === first.mistake ? undefined : second.of(one);
      if (two) made.push({ way: two, mistakes: [first.mistake, second.mistake] });
    }
  }
  return made.sort((a, b) => a.mistakes.length - b.mistakes.length);
}

interface Fit {
  readonly units: number;
  readonly residual: number;
  /** What the residuals cost, in bits. */
  readonly bits: number;
  readonly departs: ReadonlySet<number>;
}

/** Masks of scores are of many values, and one. */
const isMasked = (value: number) => value < -1e4;

const distance = (a: number, b: number) => (isMasked(a) && isMasked(b) ? 0 : Math.abs(a - b));

/** Numbers times what makes the largest of them the one that was given; undefined where that is 1. */
function scaledTo(given: Numbers, numbers: Numbers): Numbers | undefined {
  let largest = 0;
  for (let at = 1; at < numbers.length; ++at) {
    const [size, most] = [numbers[at] as number, numbers[largest] as number];
    if (!isMasked(size) && (isMasked(most) || Math.abs(size) > Math.abs(most))) largest = at;
  }
  const factor = (given[largest] as number) / (numbers[largest] as number);
  if (!Number.isFinite(factor) || Math.abs(factor - 1) < 2 ** -8) return undefined;
  return Float64Array.from(numbers, (value) => value * factor);
}

/** Compares numbers, of which `width` are of a cell. */
function fitOf(given: Given, made: readonly Numbers[], width: number): Fit {
  let [units, residual, bits] = [0, 0, 0];
  const departs = new Set<number>();
  for (const [k, numbers] of made.entries()) {
    const [right, unit] = [given.arrays[k] as Numbers, given.units[k] as Numbers];
    for (let at = 0; at < right.length; ++at) {
      const far = distance(right[at] as number, numbers[at] as number);
      const own = far / (unit[at] as number);
      if (own > explainedUnits) departs.add(Math.floor(at / width));
      [units, residual] = [Math.max(units, own), Math.max(residual, far)];
      bits += Math.log2(1 + own * own);
    }
  }
  return { units, residual, bits, departs };
}

/** So many cells are compared first: a way that is wrong is wrong at once. */
function isHopeless(given: Given, made: readonly Numbers[], width: number): boolean {
  for (const [k, numbers] of made.entries()) {
    const [right, unit] = [given.arrays[k] as Numbers, given.units[k] as Numbers];
    const end = Math.min(right.length, 8 * width);
    for (let at = 0; at < end; ++at)
      if (Math.abs((right[at] as number) - (numbers[at] as number)) > 64 * explainedUnits * (unit[at] as number))
        return true;
  }
  return false;
}

const nowhere = { tokens: [], heads: [], pairs: [], ofTokens: 0 };

/** Ranks the ways that explain the numbers: the fewest mistakes first. */
function judged(type: MadeType, given: Given, right: Way, changes: readonly Change[], width: number): CoreDiagnosis {
  const dtype = (given.dtype ?? "float32") as CoreDiagnosis["dtype"];
  const empty = { explanations: [], next: [], dtype, departure: nowhere };
  if (given.arrays.every((numbers) => Array.prototype.every.call(numbers, (value) => value === 0)))
    return { ...empty, verdict: "too-little" };
  const explained: { way: Way; mistakes: string[]; fit: Fit; made: readonly Numbers[] }[] = [];
  let nearest = Number.POSITIVE_INFINITY;
  let expectedFit: Fit | undefined;
  for (const { way, mistakes } of waysOf(right, changes)) {
    const found = explained[0];
    // One mistake more than the best is a rival; two are none.
    if (found && mistakes.length > found.mistakes.length + 1) break;
    const made = given.make(way);
    if (!made || (mistakes.length === 2 && isHopeless(given, made, width))) continue;
    const fit = fitOf(given, made, width);
    if (mistakes.length === 0) expectedFit = fit;
    const isLonger = (other: { mistakes: string[]; made: readonly Numbers[] }) =>
      other.mistakes.every((name) => mistakes.includes(name)) && areSame(other.made, made);
    if (fit.units > explainedUnits) nearest = Math.min(nearest, fit.bits + mistakeBits * mistakes.length);
    else if (!explained.some(isLonger)) explained.push({ way, mistakes, fit, made });
  }
  const [best] = explained;
  if (!best) {
    const all = [...(expectedFit?.departs ?? [])].sort((a, b) => a - b);
    const ofTokens = Math.floor((given.arrays[0] as Numbers).length / width);
    const departure = all.length < ofTokens ? { ...nowhere, tokens: all, ofTokens } : nowhere;
    return { ...empty, verdict: "none", departure };
  }
  const bits = Math.max(Math.min(nearest, 1e6) - best.fit.bits - mistakeBits * best.mistakes.length, 0);
  // What a mistake more explains as well does not tell whether it was made.
  const verdict = explained.length > 1 ? "ambiguous" : bits < certainBits ? "likely" : "certain";
  const explanations = (verdict === "ambiguous" ? explained : [best]).slice(0, 8);
  return {
    ...empty,
    verdict,
    explanations: explanations.map(({ way, mistakes, fit }) => explanationOf(type, way, mistakes, fit, bits, given)),
  };
}

const areSame = (a: readonly Numbers[], b: readonly Numbers[]) =>
  a.every((array, k) => Array.prototype.every.call(array, (value, at) => value === b[k]?.[at]));

function explanationOf(
  type: MadeType,
  way: Way,
  mistakes: string[],
  fit: Fit,
  bits: number,
  { dtype }: Given,
): CoreExplanation {
  const { table: _t, mask: _m, ...kept } = way.options;
  return {
    found: { type: "made", function: type, options: kept },
    mistakes,
    ulps: fit.residual / (2 * unitOf(dtype)),
    units: fit.units,
    bits,
    dims: [],
    dimsBefore: false,
    factor: 1,
    shift: 0,
    scale: 1,
  };
}

/** A way's numbers; undefined where the library refuses it. */
function attempted<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    // The library's own errors have a code; others are faults of this code.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** Angles of float32, which most code has, are off by so much of the largest one. */
const float32Angle = 2 ** -22;

function largestAngle({ preset, maxFrequency, extent }: Options, shape: readonly number[]): number {
  const size = Math.max(1, ...shape);
  if (preset === "timm-pixel") return (Math.PI * Number(maxFrequency ?? 224)) / 2;
  if (preset === "rotary-embedding-torch-pixel") return (Math.PI * Number(maxFrequency ?? 10)) / 2;
  return Math.max(size, Number(extent ?? 2 * Math.PI));
}

/** Magnitudes, of at least `least`. */
const sizes = (values: Numbers, least: number) =>
  Float64Array.from(values, (value) => Math.max(Math.abs(value), least));

/** A table as rows of cells: dimensions last, or in front of the grid's axes. */
function rowsOf({ view, shape, argument }: ReadSample, values: Numbers, dim: number): Numbers {
  if (shape[shape.length - 1] === dim) return values;
  const axis = shape.indexOf(dim);
  if (axis < 0) throw check.wrongValue(`${argument}.shape`, shape, `an axis of ${dim} dimensions, the expected dim`);
  const inner = check.product(shape.slice(axis + 1));
  const made = new Float64Array(view.length);
  for (let at = 0; at < made.length; ++at) {
    const [outer, rest] = [Math.floor(at / (dim * inner)), at % (dim * inner)];
    made[(outer * inner + (rest % inner)) * dim + Math.floor(rest / inner)] = values[at] as number;
  }
  return made;
}

/** Rows of a table in the order of the transposed grid; rows in front stay. */
function transposedRows(table: Numbers, grid: readonly number[], dim: number, prefix: number): Numbers {
  const made = Float64Array.from(table);
  for (const [cell, source] of orderOf(grid).entries())
    for (let k = 0; k < dim; ++k) made[(prefix + cell) * dim + k] = table[(prefix + source) * dim + k] as number;
  return made;
}

/** Where each cell of the transposed grid is in the grid. */
function orderOf([rows = 1, columns = 1]: readonly number[]): Float64Array {
  return Float64Array.from({ length: rows * columns }, (_, cell) => (cell % rows) * columns + Math.floor(cell / rows));
}

const gridOf = ({ shape, grid }: Options) =>
  shape === undefined ? check.shape("expected.grid", grid) : check.shape("expected.shape", shape);

export function diagnoseGridTable(
  module: Module,
  sample: ReadSample,
  values: Numbers,
  options: Options,
): CoreDiagnosis {
  const right = sinusoidalGrid(module, options as never) as unknown as t.Tensor;
  const grid = gridOf(options);
  const dim = options.dim as number;
  const own = rowsOf(sample, values, dim);
  checkSize(sample, own.length, right.data.length);
  const loose = float32Angle * largestAngle(options, grid);
  const unit = unitOf(sample.dtype);
  const units = sizes(own, 2 ** -10).map((size) => size * unit + loose / explainedUnits);
  const make = ({ options: given, outputs }: Way) =>
    attempted(() => {
      let { data } = sinusoidalGrid(module, given as never) as unknown as { data: Numbers };
      if (data.length !== own.length) return undefined;
      const prefix = Number(given.prefixTokens ?? 0);
      for (const change of outputs) {
        if (change === "transposed" && grid.length !== 2) return undefined;
        const made =
          change === "transposed"
            ? transposedRows(data, grid, dim, prefix)
            : change === "scaled"
              ? scaledTo(own, data)
              : Float64Array.from(data, (x) => -x);
        if (!made) return undefined;
        data = made;
      }
      return [data];
    });
  const given: Given = { arrays: [own], units: [units], dtype: sample.dtype, make };
  return judged("sinusoidalGrid", given, { options, points: [], outputs: [] }, tableChanges, dim);
}

function checkSize({ argument }: ReadSample, size: number, expected: number): void {
  if (size !== expected)
    throw check.wrongValue(`${argument}.shape`, size, `${expected} values, as expected.shape and dim`);
}

/** A rotation of a grid as a way has it, and its points. */
function rotating<T>(
  module: Module,
  { options, points: changes }: Way,
  grid: readonly number[],
  use: (made: t.GridRotary, points: Float64Array, around: Options) => T,
): T | undefined {
  return attempted(() => {
    const { grid: _g, inverse: _i, prefixTokens, suffixTokens, ...own } = options;
    const made = rotaryGrid(module, own as never) as unknown as t.GridRotary;
    try {
      let points = made.points(grid);
      for (const change of changes) points = change(points, made.axes, grid);
      return use(made, points, { prefixTokens, suffixTokens });
    } finally {
      made.delete();
    }
  });
}

export function diagnoseGridVectors(
  module: Module,
  [before, after]: readonly [ReadSample, ReadSample],
  [was, is]: readonly [Numbers, Numbers],
  options: Options,
  seqAxis: number | undefined,
): CoreDiagnosis {
  const grid = gridOf(options);
  const input = Float32Array.from(was);
  const { shape } = before;
  const make = (way: Way) =>
    rotating(module, way, grid, (made, points, around) => [
      made.apply(input.slice(), {
        shape,
        points,
        ...around,
        ...(seqAxis === undefined ? {} : { seqAxis }),
        inverse: way.options.inverse === true,
      } as t.GridRotaryApply),
    ]);
  const right: Way = { options, points: [], outputs: [] };
  // What is expected and cannot be is refused by the library's own words.
  const { inverse: _i, grid: _g, prefixTokens: _p, suffixTokens: _s, ...own } = options;
  (rotaryGrid(module, own as never) as unknown as t.GridRotary).delete();
  if (!make(right)) throw check.wrongValue("expected.grid", grid, "the grid whose cells are the tokens of before");
  const dim = shape[shape.length - 1] as number;
  const loose = (float32Angle * largestAngle(options, grid)) / explainedUnits;
  const unit = unitOf(after.dtype) + 2 ** -24;
  const units = new Float64Array(is.length);
  for (let start = 0; start < is.length; start += dim) {
    let size = 0;
    for (let k = 0; k < dim; ++k)
      size = Math.max(size, Math.abs(was[start + k] as number), Math.abs(is[start + k] as number));
    units.fill(size * (unit + loose) || Number.MIN_VALUE, start, start + dim);
  }
  return judged("rotaryGrid", { arrays: [is], units: [units], dtype: after.dtype, make }, right, rotaryChanges, dim);
}

export function diagnoseGridCache(
  module: Module,
  sample: ReadSample,
  [cosines, sines]: readonly [Numbers, Numbers],
  options: Options,
): CoreDiagnosis {
  const grid = gridOf(options);
  const width = sample.shape[sample.shape.length - 1] as number;
  const make = (way: Way) =>
    rotating(module, way, grid, (made, points, around) => {
      const row = width === made.dim ? "dims" : "pairs";
      const { cos, sin } = made.cache({ points, row, ...around } as t.GridRotaryCache);
      if (cos.data.length !== cosines.length) return undefined;
      return [
        cos.data,
        way.options.inverse === true ? Float64Array.from(sin.data as Float32Array, (x) => -x) : sin.data,
      ];
    }) as readonly Numbers[] | undefined;
  const right: Way = { options, points: [], outputs: [] };
  if (!make(right)) throw check.wrongValue("expected.grid", grid, "the grid whose cells are the rows of cos");
  const unit = unitOf(sample.dtype) + (float32Angle * largestAngle(options, grid)) / explainedUnits;
  const units = Float64Array.from(cosines, () => unit);
  const given = { arrays: [cosines, sines], units: [units, units], dtype: sample.dtype, make };
  return judged("rotaryGrid", given, right, rotaryChanges, width);
}

/** [.., tokens, tokens] of a window as other code has it. */
function windowed(values: Numbers, tokens: number, change: string, { width = 1, height = 1 }: Options): Numbers {
  const made = Float64Array.from(values);
  const order = orderOf([height as number, width as number]);
  const source = (token: number) => (change === "window" ? (order[token] ?? token) : token);
  const size = tokens * tokens;
  for (let at = 0; at < made.length; ++at) {
    const [start, query, key] = [at - (at % size), Math.floor((at % size) / tokens), at % tokens];
    const [q, k] = change === "exchanged" ? [key, query] : [source(query), source(key)];
    made[at] = values[start + q * tokens + k] as number;
  }
  return made;
}

const pairs = { swinIndex, swinBias, t5 } as unknown as {
  readonly [type: string]: (module: Module, options: never) => { data: Numbers; shape: number[] };
};

/** Numbers of pairs of tokens: a window's, or T5's bias. */
export function diagnosePairs(
  module: Module,
  type: "swinIndex" | "swinBias" | "t5",
  sample: Pick<ReadSample, "argument" | "dtype">,
  values: Numbers,
  options: Options,
): CoreDiagnosis {
  const call = pairs[type] as NonNullable<(typeof pairs)[string]>;
  const right = call(module, options as never);
  const [queries = 1, keys = 1] = right.shape.slice(-2);
  if (values.length !== right.data.length)
    throw check.wrongValue(`${sample.argument}.shape`, values.length, `${right.data.length} values, as expected`);
  const unit = unitOf(sample.dtype);
  const units =
    type === "swinIndex"
      ? sizes(values, 1).map(() => 2 ** -8)
      : sizes(values, 2 ** -100).map((x) => (x > 1e4 ? 1 : x) * unit);
  const make = ({ options: own, outputs }: Way) =>
    attempted(() => {
      let { data } = call(module, own as never);
      for (const change of outputs) {
        if ((change === "window" && own.classToken === true) || (change === "exchanged" && queries !== keys))
          return undefined;
        const made = change === "scaled" ? scaledTo(values, data) : windowed(data, keys, change, own);
        if (!made) return undefined;
        data = made;
      }
      return data.length === values.length ? [data] : undefined;
    });
  const given: Given = { arrays: [values], units: [units], dtype: sample.dtype, make };
  const changes = type === "t5" ? t5Changes : windowChanges;
  return judged(type, given, { options, points: [], outputs: [] }, changes, keys);
}
