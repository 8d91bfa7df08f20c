// The calls of diagnose: each kind of sample as the core takes it. All has been read when a call is made.

import { define } from "../base/call.js";
import { taken } from "../base/json.js";
import * as is from "../base/kinds.js";
import type { View } from "../base/view.js";
import { segments } from "../grid/mrope.js";
import { rotaryGridFields } from "../grid/point-rotary.js";
import { sinusoidalGridFields } from "../grid/sinusoidal-grid.js";
import { rotaryFields } from "../rotary/rotary.js";
import type * as t from "../types/index.js";

type List = View<ArrayLike<number>>;

/** Values that cross as they are, of the type that their view names, with their shape. */
const values: is.Kind<View, View> = {
  is: "storedTensor",
  read: (_, view) => view,
  write(block, view) {
    const { dtype, shape, name } = view as View;
    const kind = dtype === "float32" ? Float32Array : dtype === "float64" ? Float64Array : Uint16Array;
    block.array(kind, view as View, name);
    block.text(dtype);
    block.list(shape);
  },
};

/** A list that has been read already. */
const list: is.Kind<List, List> = { ...is.numbers, read: (_, view) => view };

/** Values, the type that they were rounded to and the quantization that they went through, if these are known. */
export interface Sampled {
  data: View;
  dtype: string | undefined;
  quantized?: string | undefined;
}

const sampledFields = { data: values, dtype: is.optional(is.word()), quantized: is.optional(is.word()) };

export const sampled = is.group<Sampled, typeof sampledFields>(sampledFields);

/** Options of these fields. */
type Of<Fields> = {
  [Name in keyof Fields]?: (Fields[Name] extends is.Kind<infer Given, infer _> ? Given : never) | undefined;
};

/** A plan whose layout may be unknown. */
export type PlanOptions = Omit<t.RotaryOptions, "layout"> & { layout?: t.Layout | undefined };

const planFields = { ...rotaryFields, layout: is.optional(is.word()) };

export const expectedPlan = is.group<PlanOptions, typeof planFields>(planFields, "expected.");

const otherPlan = is.group<PlanOptions, typeof planFields>(planFields);

const expectationFields = {
  plan: is.optional(expectedPlan),
  firstDim: is.optional(is.whole),
  inverse: is.optional(is.flag),
  others: is.groups(otherPlan),
  sections: is.optional(is.extents),
  order: is.optional(is.word()),
  arrangement: is.optional(is.word()),
  amplitude: is.optional(is.number),
  paddingRow: is.optional(is.flag),
  zeroColumn: is.optional(is.flag),
  arithmetic: is.optional(is.word()),
  offset: is.optional(is.number),
  positionScale: is.optional(is.number),
};

/** Describes what is expected of a rotation, a cache, frequencies or a sinusoidal table. */
export type Expectation = Of<typeof expectationFields>;

export const expectation = is.group<Expectation, typeof expectationFields>(expectationFields, "expected.");

const biasFields = {
  type: is.word(),
  slopes: is.optional(is.word()),
  steepness: is.optional(is.number),
  distance: is.optional(is.word()),
  heads: is.optional(is.whole),
  firstHead: is.optional(is.whole),
  buckets: is.optional(is.whole),
  maxDistance: is.optional(is.whole),
  bidirectional: is.optional(is.flag),
  causal: is.optional(is.flag),
  table: is.optional(is.tensor(2)),
  window: is.optional(is.extents),
  classToken: is.optional(is.flag),
};

/** Describes what is expected of a bias; "swin" has a window, and a table as T5's may. */
export type BiasExpectation = Of<typeof biasFields> & { type: string };

export const biasExpectation = is.group<BiasExpectation, typeof biasFields>(biasFields, "expected.");

type RotaryGridExpectation = Omit<Extract<t.ExpectedPlan, { type: "rotaryGrid" }>, "type">;

const expectedRotaryFields = {
  ...rotaryGridFields,
  grid: is.extents,
  prefixTokens: is.optional(is.whole),
  suffixTokens: is.optional(is.whole),
  inverse: is.optional(is.flag),
};

export const expectedRotaryGrid = is.group<RotaryGridExpectation, typeof expectedRotaryFields>(
  expectedRotaryFields,
  "expected.",
);

export const expectedSinusoidalGrid = is.group<t.SinusoidalGridOptions, typeof sinusoidalGridFields>(
  sinusoidalGridFields,
  "expected.",
);

/** An explanation of the core, without sentences. */
export interface CoreExplanation {
  found: t.Explanation["found"];
  mistakes: t.Mistake[];
  ulps: number;
  units: number;
  dims: number[];
  dimsBefore: boolean;
  factor: number;
  shift: number;
  scale: number;
}

/** A diagnosis of the core, without sentences. */
export interface CoreDiagnosis extends Pick<t.Diagnosis, "verdict" | "next" | "tells" | "readTo" | "dtype"> {
  explanations: CoreExplanation[];
  /** What was expected, its defaults filled in, in the words of what is found. */
  expected?: object | undefined;
  departure: NonNullable<t.Diagnosis["departs"]> & { ofTokens: number };
  /** Vectors of three axes or more have the one taken for the sequence, then those that could be as well. */
  seqAxes?: number[];
}

/** Diagnoses of two outputs, and which of these is wrong. */
export interface CoreOutputs extends Pick<CoreDiagnosis, "expected"> {
  wrong: NonNullable<t.Diagnosis["outputs"]>["wrong"];
  a: CoreDiagnosis;
  b: CoreDiagnosis;
}

/**
 * A call that answers with JSON.
 *
 * @__NO_SIDE_EFFECTS__
 */
const ask = <Made = CoreDiagnosis>(call: { name: string; inputs: is.Fields }) =>
  define(
    { ...call, answers: ["handle", "address", "size"] },
    () => {},
    (made, _, module) => taken(made, module)() as Made,
  );

/** Tensors in the order of their kind, "rotation", "outputs", "cache", "table", "frequencies" or "bias". */
export const diagnoseSamples = ask({
  name: "diagnoseSamples",
  inputs: {
    kind: is.word(),
    samples: is.groups(sampled),
    positions: is.optional(list),
    axes: is.whole,
    seqAxis: is.optional(is.whole),
    dimAxis: is.optional(is.whole),
    firstQuery: is.optional(is.whole),
    expected: expectation,
    bias: is.optional(biasExpectation),
    rotaryGrid: is.optional(expectedRotaryGrid),
    sinusoidalGrid: is.optional(expectedSinusoidalGrid),
  },
});

export const diagnoseWindow = ask({
  name: "diagnoseWindow",
  inputs: { ids: list, window: is.extents, classToken: is.optional(is.flag) },
});

export const diagnoseIds = ask({
  name: "diagnoseIds",
  inputs: {
    ids: list,
    axes: is.whole,
    segments,
    mergeSize: is.optional(is.whole),
    tokensPerSecond: is.optional(is.number),
    preset: is.optional(is.word()),
    time: is.optional(is.word()),
    next: is.optional(is.word()),
  },
});
