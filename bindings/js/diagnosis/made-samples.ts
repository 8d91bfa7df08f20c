// Samples of grids, windows and T5's bias, and what the library makes of them in each way.

import * as check from "../base/check.js";
import type { Module } from "../base/module.js";
import { rotaryGrid } from "../grid/point-rotary.js";
import { sinusoidalGrid } from "../grid/sinusoidal-grid.js";
import { t5 } from "../relative/biases.js";
import { swinBias, swinIndex } from "../relative/swin.js";
import type * as t from "../types/index.js";
import type { CoreDiagnosis } from "./calls.js";
import {
  explainedUnits,
  type Given,
  judged,
  type Numbers,
  type Options,
  scaledTo,
  storedUnits,
  unitOf,
  type Way,
} from "./made.js";
import { rotaryChanges, t5Changes, tableChanges, windowChanges } from "./made-changes.js";
import type { ReadSample } from "./sample.js";

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

/** The roundings of what is stored as it was computed: of float32 as many as of all else. */
const mostOf = (dtype: string | undefined) => (unitOf(dtype) > 2 ** -24 ? storedUnits : explainedUnits);

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
  const { dtype } = sample;
  const given: Given = { arrays: [own], units: [units], dtype, most: mostOf(dtype), make };
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

/** The axis of vectors that has the tokens of a grid; where several have as many it has to be named. */
function tokenAxis(shape: readonly number[], grid: readonly number[], { prefixTokens = 0, suffixTokens = 0 }: Options) {
  const tokens = check.product(grid) + (prefixTokens as number) + (suffixTokens as number);
  const alike = shape.flatMap((extent, axis) => (extent === tokens && axis < shape.length - 1 ? [axis] : []));
  if (alike.length < 2) return alike[0];
  throw check.wrongType("seqAxis", undefined, `the axis of the sequence: axes ${alike.join(", ")} are as long`);
}

export function diagnoseGridVectors(
  module: Module,
  [before, after]: readonly [ReadSample, ReadSample],
  [was, is]: readonly [Numbers, Numbers],
  options: Options,
  named: number | undefined,
): CoreDiagnosis {
  const grid = gridOf(options);
  const input = Float32Array.from(was);
  const { shape } = before;
  const seqAxis = named ?? tokenAxis(shape, grid, options);
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
  // The library refuses in its own words an expectation that cannot be.
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
  const { dtype } = sample;
  const loose = (float32Angle * largestAngle(options, grid)) / explainedUnits;
  const unitsOf = (values: Numbers) => sizes(values, 0).map((size) => Math.max(size * unitOf(dtype), 2 ** -24) + loose);
  const units = [cosines, sines].map(unitsOf);
  const given: Given = { arrays: [cosines, sines], units, dtype, most: mostOf(dtype), make };
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
  // Values are those of a table, rounded once at most.
  const given: Given = { arrays: [values], units: [units], dtype: sample.dtype, most: 1, make };
  const changes = type === "t5" ? t5Changes : windowChanges;
  return judged(type, given, { options, points: [], outputs: [] }, changes, keys);
}
