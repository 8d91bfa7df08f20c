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

testWrongCalls([
  [() => pe.diagnose(), TypeError, "samples: undefined, expected an object of samples"],
  [() => pe.diagnose({}), TypeError, "samples: [object Object], expected an object with one of"],
  [() => pe.diagnose({ before: 1 }), TypeError, "before: 1, expected a tensor { data, shape }"],
  [() => pe.diagnose({ ...samples(), table: tensor([2, 2]) }), TypeError, "samples.table: "],
  [() => pe.diagnose({ ...samples(), extra: 1 }), TypeError, "samples.extra: 1, expected"],
  [
    () => pe.diagnose({ ...samples(), after: tensor([8, 2, 8]) }),
    RangeError,
    "after.shape: [8, 2, 8], expected [8, 2, 16]",
  ],
  [() => pe.diagnose({ ...samples(), positions: undefined }), TypeError, "positions: undefined, expected"],
  [
    () => pe.diagnose({ ...samples(), seqAxis: 0, positions: [0, 1, 2] }),
    RangeError,
    "positions: 3, expected 8, the extent of the sequence's axis",
  ],
  [
    () => pe.diagnose(withNaN()),
    RangeError,
    "after.data[40] (token 1, head 0, dimension 8): NaN, expected a finite number",
  ],
  [
    () => pe.diagnose({ ...samples(), after: { ...samples().after, quantized: "int4" } }),
    RangeError,
    'after.quantized: "int4", expected one of q8_0, fp8-e4m3, fp8-e5m2',
  ],
  [
    () => pe.diagnose(samples(), { expected: { model: longrope } }),
    RangeError,
    "expected.length: none, expected the number of positions, on which LongRoPE depends",
  ],
  [
    () => pe.diagnose(samples(), { expected: { model: mixed } }),
    TypeError,
    "expected.layer: undefined, expected a layer's number, as 0 or 5, which rotate in different ways",
  ],
  [
    () => pe.diagnose({ table: tensor([4, 16]), positions: [2, 3, 4, 5] }, { expected: { ...rows, offset: 2 } }),
    TypeError,
    "samples.positions: [2, 3, 4, 5], expected none beside expected.offset",
  ],
  [
    () => pe.diagnose({ ...samples(), before: { data: [1, 2], shape: [3] } }),
    RangeError,
    "before.data: 2, expected 3 values",
  ],
  [
    () => pe.diagnose({ ...samples(), before: { data: [1, "a"], shape: [2] } }),
    TypeError,
    'before.data[1]: "a", expected a number',
  ],
  [
    () => pe.diagnose({ ...samples(), before: { data: new Uint16Array(2), shape: [2] } }),
    TypeError,
    "dtype: undefined, expected",
  ],
  [
    () => pe.diagnose({ ...samples(), before: { data: new Int8Array(2), shape: [2] } }),
    TypeError,
    "before.data: [object Int8Array], expected",
  ],
  [() => pe.diagnose({ table: tensor([0, 4]) }), RangeError, "table.shape: [0, 4], expected extents of at least 1"],
  [
    () => pe.diagnose({ frequencies: new Float32Array(70_000) }),
    RangeError,
    "frequencies: 70000, expected at most 65536",
  ],
  [
    () => pe.diagnose({ ids: { data: new Int32Array(2), shape: [1, 1, 2, 1] }, segments: [] }),
    RangeError,
    "ids.shape: [1, 1, 2, 1], expected [tokens] or [axes, tokens]",
  ],
  [() => pe.diagnose(samples(), { language: "fr" }), RangeError, 'language: "fr", expected "en" or "zh"'],
  [() => pe.diagnose(samples(), { expected: 1 }), TypeError, "expected: 1, expected options of what was meant"],
  [() => pe.diagnose(samples(), { expected: { ...plan, dimm: 1 } }), TypeError, "expected.dimm: 1, expected dim"],
  [
    () => pe.diagnose(samples(), { expected: { ...plan, base: "a" } }),
    TypeError,
    'expected.base: "a", expected a number',
  ],
  [
    () => pe.diagnose(samples(), { expected: { ...plan, others: [{ dim: "a" }] } }),
    TypeError,
    'expected.others[0].dim: "a"',
  ],
  [
    () => pe.diagnose(samples(), { expected: { model: {} } }),
    TypeError,
    "expected.model: [object Object], expected what model() made",
  ],
  [
    () => pe.diagnose(samples(), { expected: { type: "alibi" } }),
    TypeError,
    "expected: [object Object], expected a plan or a rotary model's layer, for vectors",
  ],
  [() => pe.diagnose(samples(), { expected: { type: "rope" } }), RangeError, 'expected.type: "rope", expected'],
  [
    () => pe.diagnose({ bias: tensor([2, 2]) }, { expected: plan }),
    TypeError,
    'expected: [object Object], expected an object { type: "alibi" }',
  ],
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

test("too little evidence is stated, with positions that would add some", () => {
  const one = sampled([0], plan);
  const { verdict, next, text } = pe.diagnose(one, { expected: plan });
  assert.equal(verdict, "ambiguous");
  assert.ok(next.length > 0);
  assert.match(text, /What would tell: positions \d/);
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
