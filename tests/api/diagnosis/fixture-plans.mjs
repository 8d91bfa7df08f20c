// Plans of well-known models, each with a port of its own making: what each known mistake changes.

import { computation, gainOf, rateOf } from "../../judge/computation.mjs";

const { floor, log, min } = Math;

/** Frequencies by the judge's formulas, and the attention factor. */
function ofRule({ length }, denominator, base, pairs, rule) {
  const own = computation({ dim: 2 * pairs, base, denominator, rule, length });
  return { frequencies: Array.from({ length: pairs }, (_, i) => rateOf(own, i)), factor: gainOf(own) };
}

/** The axis of each pair, by the three orders. */
const orders = {
  chunked: (sections, pairs) => sections.flatMap((count, axis) => Array(count).fill(axis)).slice(0, pairs),
  interleaved: ([, h, w], pairs) =>
    Array.from({ length: pairs }, (_, i) => (i % 3 === 1 && i < 3 * h ? 1 : i % 3 === 2 && i < 3 * w ? 2 : 0)),
};

/** A port that does what the plan says. */
export function rightPort(plan) {
  const { dim, layout, rotaryDim = dim, exponentDim = rotaryDim, base = 10000, scaling = { type: "default" } } = plan;
  const pairs = rotaryDim / 2;
  return {
    ...ofRule(plan, exponentDim, base, pairs, scaling),
    first: plan.firstDim ?? 0,
    reads: layout === "half" ? "half" : "interleaved",
    writes: layout === "interleaved" ? "interleaved" : "half",
    negative: plan.inverse ?? false,
    exchanged: false,
    offset: 0,
    scale: 1,
    axisOfPair: plan.mrope ? orders[plan.mrope.order](plan.mrope.sections, pairs) : Array(pairs).fill(0),
    arithmetic: "float32",
  };
}

const otherLayout = (layout) => (layout === "half" ? "interleaved" : "half");

/** Ports that each make one known mistake: [its name, the port]. */
export function mutants(plan) {
  const { dim, rotaryDim = dim, exponentDim = rotaryDim, base = 10000, scaling = { type: "default" } } = plan;
  const right = rightPort(plan);
  const pairs = rotaryDim / 2;
  const made = [];
  const add = (mistake, changes) => made.push([mistake, { ...right, ...changes }]);
  const addPlan = (mistake, denominator, otherBase = base, rule = scaling) =>
    add(mistake, ofRule(plan, denominator, otherBase, pairs, rule));
  const { reads, writes } = right;

  add("layout", { reads: otherLayout(reads), writes: otherLayout(writes) });
  add("permuted", { reads: otherLayout(reads) });
  add("permuted", { writes: otherLayout(writes) });
  if (rotaryDim < dim) add("first-dim", { first: right.first === 0 ? dim - rotaryDim : 0 });
  if (!plan.mrope && scaling.type !== "longrope") {
    const rotates = (count) => ({
      ...ofRule(plan, plan.exponentDim ?? count, base, count / 2, scaling),
      axisOfPair: Array(count / 2).fill(0),
      first: min(right.first, dim - count),
    });
    if (rotaryDim < dim) add("rotary-dim", rotates(dim));
    add("rotary-dim", rotates(rotaryDim / 2));
  }
  add("not-rotated", { frequencies: right.frequencies.map(() => 0), factor: 1 });
  add("not-rotated", { skips: "keys" });
  add("not-rotated", { skips: "queries" });

  // Heads of which half rotates have this denominator: exponent-head-dim.
  if (exponentDim * 2 !== dim) addPlan("exponent-doubled", exponentDim * 2);
  addPlan("exponent-halved", exponentDim / 2);
  addPlan("exponent-half-minus-one", exponentDim - 2);
  if (exponentDim !== rotaryDim) addPlan("exponent-rotary-dim", rotaryDim);
  else if (rotaryDim < dim) addPlan("exponent-head-dim", dim);
  add("reciprocal", { frequencies: right.frequencies.map((f) => 1 / f) });
  // A base that other layers have is theirs: other-layers.
  const known = [base, ...(plan.others ?? []).map((other) => other.base)];
  for (const other of [10000, 500000, 1e6]) if (!known.includes(other)) addPlan("base", exponentDim, other);
  for (const other of plan.others ?? []) add("other-layers", rightPort({ ...other, others: [] }));

  if (scaling.type !== "default") {
    addPlan("scaling-missing", exponentDim, base, { type: "default" });
    if (scaling.type === "linear")
      addPlan("scaling-twice", exponentDim, base, { type: "linear", factor: scaling.factor ** 2 });
    else add("scaling-twice", { scale: 1 / scaling.factor });
    if (scaling.type !== "linear")
      addPlan("scaling-other", exponentDim, base, { type: "linear", factor: scaling.factor });
    if (scaling.type === "longrope") add("scaling-other", rightPort({ ...plan, length: scaling.originalLength }));
  }
  if (right.factor !== 1) {
    add("factor-missing", { factor: 1 });
    add("factor-twice", { factor: right.factor ** 2 });
  }
  if (scaling.mscaleAllDim) add("factor-default", { factor: 0.1 * log(scaling.factor) + 1 });
  add("sign", { negative: !right.negative });
  add("exchanged", { exchanged: true });
  add("sequence-axis", { along: "heads", counts: true });
  add("sequence-axis", { along: "heads" });
  add("token-indices", { counts: true });
  add("first-position", { offset: 1 });
  add("first-position", { offset: -1 });
  add("position-scale", { scale: 0.5 });
  // A rule's own factor is the rule a second time: scaling-twice.
  if (scaling.factor !== 4) add("position-scale", { scale: 0.25 });
  const half = floor(plan.length / 2);
  add("positions-modulo", { modulo: half });
  add("positions-clamped", { most: half });
  add("zero-rows", { zeros: "rows" });
  add("zero-heads", { zeros: "heads" });
  add("heads-not-rotated", { isLeft: true });
  add("angles-bfloat16", { arithmetic: "bfloat16" });
  add("angles-float16", { arithmetic: "float16" });

  if (plan.mrope) {
    const axes = (changed) => ({ axisOfPair: right.axisOfPair.map(changed) });
    const { sections, order } = plan.mrope;
    const swapped = [
      [0, 2, 1],
      [1, 0, 2],
    ].map((by) => axes((axis) => by[axis]));
    for (const each of swapped) add("axes-order", each);
    add("axis-missing", { axisOfPair: right.axisOfPair.map(() => 0) });
    const others = order === "chunked" ? [...sections].reverse() : [22, 21, 21];
    add("sections", { axisOfPair: orders[order](others, pairs) });
    add("section-order", { axisOfPair: orders[order === "chunked" ? "interleaved" : "chunked"](sections, pairs) });
  }
  return made;
}

const ramp = (count, from, to) => Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
const llama3 = { type: "llama3", factor: 8, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalLength: 8192 };
const gemmaLocal = { dim: 256, layout: "half", base: 10000 };
const gemmaGlobal = { dim: 256, layout: "half", base: 1e6, scaling: { type: "linear", factor: 8 } };

/** By name: options of `fixtures`, with a length. */
export const plans = {
  "Llama 2": { dim: 128, layout: "half", length: 4096 },
  "Llama 3.1": { dim: 128, layout: "half", base: 500000, scaling: llama3, length: 131072 },
  RoFormer: { dim: 64, layout: "interleaved", length: 1536 },
  "GPT-J": { dim: 256, rotaryDim: 64, layout: "interleaved", length: 2048 },
  "Phi-2": { dim: 80, rotaryDim: 32, layout: "half", length: 2048 },
  "GLM-4": { dim: 128, rotaryDim: 64, layout: "interleaved", length: 131072 },
  "Qwen2.5, YaRN": {
    ...{ dim: 128, layout: "half", base: 1e6, length: 131072 },
    scaling: { type: "yarn", factor: 4, originalLength: 32768 },
  },
  "gpt-oss": {
    ...{ dim: 64, layout: "half", base: 150000, length: 131072 },
    scaling: { type: "yarn", factor: 32, originalLength: 4096, truncate: false },
  },
  "DeepSeek-V3": {
    ...{ dim: 192, rotaryDim: 64, firstDim: 128, layout: "deinterleaved", length: 163840 },
    scaling: { type: "yarn", factor: 40, originalLength: 4096, mscale: 1, mscaleAllDim: 1 },
  },
  "Phi-3, LongRoPE": {
    ...{ dim: 96, layout: "half", length: 131072 },
    scaling: {
      ...{ type: "longrope", factor: 32, originalLength: 4096 },
      shortFactor: ramp(48, 1, 2.8),
      longFactor: ramp(48, 1.1, 64),
    },
  },
  "Gemma 3, global": { ...gemmaGlobal, others: [gemmaLocal], length: 131072 },
  "Gemma 3, local": { ...gemmaLocal, others: [gemmaGlobal], length: 131072 },
  NanoChat: { dim: 128, layout: "half", inverse: true, length: 2048 },
  "a denominator of its own": { dim: 128, rotaryDim: 32, exponentDim: 128, layout: "half", length: 8192 },
  "Qwen2-VL": {
    dim: 128,
    layout: "half",
    base: 1e6,
    mrope: { sections: [16, 24, 24], order: "chunked" },
    length: 32768,
  },
  "Qwen3-VL": {
    ...{ dim: 128, layout: "half", base: 5e6, length: 262144 },
    mrope: { sections: [24, 20, 20], order: "interleaved" },
  },
};
