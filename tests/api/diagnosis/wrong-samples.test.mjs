// diagnose refuses these samples; its sentences are in both languages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { testWrongCalls } from "../testing/testing.mjs";
import { sampled } from "./rotations.mjs";

const pe = await load();
const positions = [0, 1, 2, 3, 5, 8, 13, 21];
const plan = { dim: 16, layout: "half" };
const samples = () => sampled(positions, plan);
const withNaN = () => {
  const made = samples();
  made.after.data[40] = Number.NaN;
  return made;
};
const rows = { type: "sinusoidal", dim: 16 };
const temperature = { slope: 0.1, period: 8 };
const grid = { type: "rotaryGrid", preset: "qwen2-vl", dim: 16, mergeSize: 1 };
const both = () => {
  const { before, after } = samples();
  return { a: after, b: after, before };
};
const factors = Array(8).fill(1);
const longrope = pe.model({
  ...{ model_type: "phi3", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 },
  ...{ max_position_embeddings: 128, original_max_position_embeddings: 32 },
  rope_scaling: { type: "longrope", short_factor: factors, long_factor: factors },
});
const mixed = pe.model({
  ...{ model_type: "gemma3_text", head_dim: 16, num_hidden_layers: 6, sliding_window: 8 },
  rope_parameters: {
    full_attention: { rope_type: "default", rope_theta: 1e6 },
    sliding_attention: { rope_type: "default", rope_theta: 1e4 },
  },
});
const tensor = (shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });

/** A pair of vectors with another tensor before. */
const from = (before) => ({ ...samples(), before });
const ids = { data: new Int32Array(2), shape: [1, 1, 2, 1] };
const bias = { bias: tensor([2, 4, 4]) };
const at2 = { table: tensor([4, 16]), positions: [2, 3, 4, 5] };
const period = { slope: 0.1, period: 0 };
const different = "expected a layer's number, as 0 or 5, which rotate in different ways";
const long = "expected the number of positions, on which LongRoPE depends";

/** Samples and what is expected of them, the error's class, and how its message begins. */
const wrong = [
  [undefined, undefined, TypeError, "samples: undefined, expected an object of samples"],
  [{}, undefined, TypeError, "samples: an object, expected an object with one of"],
  [{ before: 1 }, undefined, TypeError, "before: 1, expected a tensor { data, shape }"],
  [{ ...samples(), table: tensor([2, 2]) }, undefined, TypeError, "samples.table: "],
  [{ ...samples(), dtype: "bfloat16" }, undefined, TypeError, 'samples.dtype: "bfloat16", expected no such option: it'],
  [{ ...samples(), extra: 1 }, undefined, TypeError, "samples.extra: 1, expected"],
  [{ ...samples(), after: tensor([8, 2, 8]) }, undefined, RangeError, "after.shape: [8, 2, 8], expected [8, 2, 16]"],
  [{ ...samples(), positions: undefined }, undefined, TypeError, "positions: undefined, expected"],
  [
    { ...samples(), seqAxis: 0, positions: [0, 1, 2] },
    undefined,
    RangeError,
    "positions: 3, expected 8, the extent of",
  ],
  [withNaN(), undefined, RangeError, "after.data[40] (token 1, head 0, dimension 8): NaN, expected a finite number"],
  [
    from({ ...samples().before, quantized: "int4" }),
    undefined,
    RangeError,
    'before.quantized: "int4", expected one of q8_0',
  ],
  [from({ data: [1, 2], shape: [3] }), undefined, RangeError, "before.data: 2, expected 3 values"],
  [from({ data: [1, "a"], shape: [2] }), undefined, TypeError, 'before.data[1]: "a", expected a number'],
  [from({ data: new Uint16Array(2), shape: [2] }), undefined, TypeError, "dtype: undefined, expected"],
  [from({ data: new Int8Array(2), shape: [2] }), undefined, TypeError, "before.data: [object Int8Array], expected"],
  [{ table: tensor([0, 4]) }, undefined, RangeError, "table.shape: [0, 4], expected extents of at least 1"],
  [{ frequencies: new Float32Array(70_000) }, undefined, RangeError, "frequencies: 70000, expected at most 65536"],
  [{ ids, segments: [] }, undefined, RangeError, "ids.shape: [1, 1, 2, 1], expected [tokens] or [axes, tokens]"],
  [samples(), 1, TypeError, "expected: 1, expected options of what was meant"],
  [samples(), { ...plan, dimm: 1 }, TypeError, "expected.dimm: 1, expected dim"],
  [samples(), { ...plan, base: "a" }, TypeError, 'expected.base: "a", expected a number'],
  [samples(), { ...plan, others: [{ dim: "a" }] }, TypeError, 'expected.others[0].dim: "a"'],
  [samples(), { ...plan, arithmetic: "fp32" }, RangeError, "expected.arithmetic: "],
  [samples(), { ...plan, temperature: period }, RangeError, "expected.temperature.period: 0"],
  [samples(), { ...plan, scoreScale: -1 }, RangeError, "expected.scoreScale: -1"],
  [samples(), { ...grid, grid: [5, 7] }, RangeError, "expected.grid"],
  [samples(), grid, TypeError, "expected.grid"],
  [samples(), { model: {} }, TypeError, "expected.model: an object, expected what model() made"],
  [
    samples(),
    { rotary: { dim: 16 } },
    TypeError,
    "expected.rotary: an object, expected rotaryDim (or one of dim, base",
  ],
  [samples(), { model: longrope }, RangeError, `expected.length: none, ${long}`],
  [samples(), { model: mixed }, TypeError, `expected.layer: undefined, ${different}`],
  [samples(), { type: "alibi" }, TypeError, "expected: an object, expected a plan or a rotary model's layer, for"],
  [samples(), { type: "rope" }, RangeError, 'expected.type: "rope", expected'],
  [{ ...both(), positions }, { ...plan, temperature }, TypeError, "expected.temperature: "],
  [bias, plan, TypeError, 'expected: an object, expected an object { type: "alibi" }'],
  [bias, { type: "alibi", offset: 1 }, TypeError, "expected.offset: "],
  [at2, { ...rows, offset: 2 }, TypeError, "samples.positions: [2, 3, 4, 5], expected none beside expected.offset"],
  [at2, { ...rows, length: 7 }, RangeError, "expected.length: 7"],
  [at2, { ...rows, precision: "fast" }, TypeError, "expected.precision: "],
  [{ frequencies: factors }, plan, TypeError, "expected.layout: "],
  [{ frequencies: factors }, { dim: 16, arithmetic: "exact" }, TypeError, "expected.arithmetic: "],
];
testWrongCalls([
  ...wrong.map(([given, expected, ...error]) => [() => pe.diagnose(given, { expected }), ...error]),
  [() => pe.diagnose(samples(), { language: "fr" }), RangeError, 'language: "fr", expected "en" or "zh"'],
  [() => pe.mistakes({ language: "de" }), RangeError, 'language: "de", expected "en" or "zh"'],
]);

test("both languages have a sentence for each mistake, and they are not the same", () => {
  const [en, zh] = [pe.mistakes(), pe.mistakes({ language: "zh" })];
  assert.ok(en.length >= 39);
  assert.deepEqual(
    zh.map(({ mistake }) => mistake),
    en.map(({ mistake }) => mistake),
  );
  for (const [i, { mistake, text }] of en.entries()) {
    assert.match(text, /^[A-Z].*\.$/, mistake);
    assert.match(zh[i].text, /[\u4e00-\u9fff].*。$/, mistake);
  }
});

test("verdicts are stated in both languages", () => {
  const en = pe.diagnose(samples(), { expected: plan });
  const zh = pe.diagnose(samples(), { expected: plan, language: "zh" });
  assert.match(en.text, /This is what was expected\. Of all that is listed, alone and in pairs, nothing else explains/);
  assert.match(zh.text, /16 维中有 16 维旋转，按 half 配对，底数 10000。与预期一致。列出的所有错误/);
  assert.deepEqual({ ...zh, text: "", explanations: [] }, { ...en, text: "", explanations: [] });
  const wrong = pe.diagnose(sampled(positions, { ...plan, sign: -1 }), { expected: plan, language: "zh" });
  assert.match(wrong.explanations[0].remedy.text, /将正弦取反。/);
});

test("position 0 alone tells nothing, and it is said what would", () => {
  const { verdict, explanations, next, text } = pe.diagnose(sampled([0], plan), { expected: plan });
  assert.deepEqual([verdict, explanations], ["too-little", []]);
  assert.ok(next.length > 0);
  assert.match(text, /^These numbers tell nothing: .*What would tell: positions \d/);
});

test("arrays that a getter takes away are refused", () => {
  const made = samples();
  const { data } = made.after;
  const taking = {
    ...made,
    get positions() {
      structuredClone(data, { transfer: [data.buffer] });
      return positions;
    },
  };
  assert.throws(() => pe.diagnose(taking), /after\.data: .*expected an array that was not moved or cut|after\.data/);
});
