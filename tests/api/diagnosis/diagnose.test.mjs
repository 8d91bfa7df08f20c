// Diagnose is asked about rotations and caches of formulas written here: the fields and sentences of its answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { bfloat16, frequencies, rotated, sampled, values } from "./rotations.mjs";

const pe = await load();
const positions = [0, 1, 2, 3, 5, 8, 13, 21];
const llama = { dim: 64, layout: "half", base: 500000 };
const expected = { dim: 64, layout: "half", base: 500000 };
/** Caches and frequencies show these of it. */
const shown = { dim: 64, base: 500000 };

test("a rotation as it should be is certain, and has no mistake", () => {
  const { kind, verdict, explanations, dtype, text } = pe.diagnose(sampled(positions, llama), { expected });
  assert.equal(kind, "rotation");
  assert.equal(verdict, "certain");
  const [{ found, mistakes, differs, remedy, residual }] = explanations;
  assert.equal(found.type, "rotary");
  assert.equal(found.plan.base, 500000);
  assert.equal(found.reads, "half");
  assert.equal(found.writes, "half");
  assert.deepEqual([mistakes, differs], [[], []]);
  assert.equal(remedy, null);
  assert.ok(residual.units <= 8, `${residual.units}`);
  assert.equal(dtype, "float32");
  assert.match(text, /64 of 64 dimensions rotate, paired as in "half", base 500000\. This is what was expected\./);
});

/** Each row has the numbers of one mistake, its name, and what the remedy has. */
const mistaken = {
  layout: [{ ...llama, layout: "interleaved" }, ({ rows }) => rows?.length === 64],
  permuted: [{ ...llama, writes: "interleaved" }, ({ dims }) => dims?.length === 64],
  base: [{ ...llama, base: 10000 }, ({ text }) => /expected plan/.test(text)],
  sign: [{ ...llama, sign: -1 }, ({ text }) => /Negate/.test(text)],
  "first-position": [{ ...llama, offset: 1 }, ({ shift }) => shift === -1],
  "factor-other": [{ ...llama, factor: 1.25 }, ({ factor }) => Math.abs(factor - 0.8) < 1e-6],
  "exponent-doubled": [{ ...llama, exponent: (i) => i / 64 }, ({ text }) => text.length > 0],
};

for (const [name, [plan, isRight]] of Object.entries(mistaken)) {
  test(`the mistake ${name} is named, and what mends it`, () => {
    const { verdict, explanations, text } = pe.diagnose(sampled(positions, plan), { expected });
    assert.equal(verdict, "certain");
    assert.deepEqual(explanations[0].mistakes, [name]);
    assert.ok(isRight(explanations[0].remedy), JSON.stringify(explanations[0].remedy));
    // The direction of a layout is known.
    const meaning =
      name === "layout"
        ? 'paired as in "interleaved" in place of "half".'
        : pe.mistakes().find(({ mistake }) => mistake === name).text;
    assert.ok(text.includes(meaning), text);
  });
}

test("without anything expected the plan is found, also where only some dimensions rotate", () => {
  const { verdict, explanations } = pe.diagnose(sampled(positions, { dim: 32, head: 48, first: 16, base: 10000 }));
  assert.equal(verdict, "certain");
  const { found, mistakes, remedy } = explanations[0];
  assert.equal(found.plan.base, 10000);
  assert.equal(found.plan.rotaryDim, 32);
  assert.equal(found.firstDim, 16);
  assert.deepEqual([mistakes, remedy], [[], null]);
});

test("a layer of a model is what was expected, and its other layers are known", () => {
  const config = {
    model_type: "gemma3_text",
    head_dim: 64,
    num_hidden_layers: 6,
    sliding_window: 8,
    rope_parameters: {
      full_attention: { rope_type: "default", rope_theta: 1e6 },
      sliding_attention: { rope_type: "default", rope_theta: 1e4 },
    },
  };
  const model = pe.model(config);
  const samples = sampled(positions, { dim: 64, base: 1e6 });
  const right = pe.diagnose(samples, { expected: { model, layer: 5 } });
  assert.deepEqual(right.explanations[0].mistakes, []);
  const wrong = pe.diagnose(samples, { expected: { model, layer: 0 } });
  assert.deepEqual(wrong.explanations[0].mistakes, ["other-layers"]);
});

test("values of 16 bits are read as what they are", () => {
  const { before, after } = sampled(positions, llama);
  const bits = ({ data, shape }) => ({ data: bfloat16(data), shape, dtype: "bfloat16" });
  // The bits are what was rotated.
  const rounded = new Float32Array(Uint32Array.from(bfloat16(before.data), (bit) => bit << 16).buffer);
  const own = { data: rotated(rounded, positions, { heads: 2, ...llama }), shape: after.shape };
  const { verdict, dtype, explanations } = pe.diagnose(
    { before: bits({ data: rounded, shape: before.shape }), after: bits(own), positions },
    { expected },
  );
  assert.equal(dtype, "bfloat16");
  assert.notEqual(verdict, "none");
  assert.deepEqual(explanations[0].mistakes, []);
});

test("two outputs of one input: the wrong one is named", () => {
  const { before, after: a } = sampled(positions, llama);
  const b = sampled(positions, { ...llama, sign: -1 }).after;
  const made = pe.diagnose({ a, b, before, positions }, { expected });
  assert.equal(made.outputs.wrong, "b");
  assert.deepEqual(made.outputs.a.explanations[0].mistakes, []);
  assert.deepEqual(made.explanations[0].mistakes, ["sign"]);
  assert.equal(pe.diagnose({ a: b, b: a, before, positions }, { expected }).outputs.wrong, "a");
  assert.equal(pe.diagnose({ a, b, positions }).outputs.wrong, "unknown");
});

/** Cosines and sines [tokens, pairs], as arrays of numbers. */
function cache(tokens, plan, offset = 0) {
  const angles = Array.from({ length: tokens }, (_, p) => frequencies(plan).map((f) => (p + offset) * f));
  const tensor = (of) => ({ data: Float32Array.from(angles.flat(), of), shape: [tokens, plan.dim / 2] });
  return { cos: tensor(Math.cos), sin: tensor(Math.sin) };
}

test("caches: two arrays, or one of complex numbers", () => {
  const { cos, sin } = cache(16, llama);
  const two = pe.diagnose({ cos, sin });
  assert.equal(two.kind, "cache");
  assert.equal(two.verdict, "certain");
  assert.equal(two.explanations[0].found.plan.base, 500000);
  const both = Float32Array.from({ length: 2 * cos.data.length }, (_, i) => (i % 2 ? sin : cos).data[i >> 1]);
  const one = pe.diagnose({ cosSin: { data: both, shape: [16, 32, 2] } }, { expected: shown });
  assert.deepEqual(one.explanations[0].mistakes, []);
  const shifted = pe.diagnose(cache(16, llama, 1), { expected: shown });
  assert.deepEqual(shifted.explanations[0].mistakes, ["first-position"]);
});

test("random numbers are none of these", () => {
  const shape = [8, 2, 64];
  const [before, after] = [values(1024, 1), values(1024, 2)].map((data) => ({ data, shape }));
  const { verdict, explanations, text } = pe.diagnose({ before, after, positions }, { expected });
  assert.equal(verdict, "none");
  assert.deepEqual(explanations, []);
  assert.match(text, /^None of the encodings known here explains these numbers\. Axis 0 was taken for the sequence\.$/);
});

test("options that differ are named, with what was expected, in both languages", () => {
  const yarn = { type: "yarn", factor: 4, originalLength: 32768 };
  const meant = { ...llama, scaling: yarn };
  const after = (more) => {
    const { before } = sampled(positions, llama);
    const rope = pe.rotary({ ...meant, scaling: { ...yarn, ...more } });
    const data = rope.apply(before.data.slice(), { shape: before.shape, seqAxis: 0, positions });
    return { before, after: { data, shape: before.shape }, positions, seqAxis: 0 };
  };
  for (const [more, language, sentence] of [
    [{ factor: 8 }, "en", "What differs: factor 8, expected 4."],
    [{ factor: 8 }, "zh", "不同之处：扩展倍数 8，应为 4。"],
  ]) {
    const { explanations, text } = pe.diagnose(after(more), { expected: meant, language });
    assert.deepEqual(explanations[0].differs, [{ option: "scaling.factor", found: 8, expected: 4 }]);
    assert.ok(text.includes(sentence), text);
  }
  const based = pe.diagnose(sampled(positions, { ...llama, base: 10000 }), { expected });
  assert.deepEqual(based.explanations[0].differs, [{ option: "base", found: 10000, expected: 500000 }]);
});

test("a layer that does not rotate, and one that is taken where none is named", () => {
  const size = { model_type: "smollm3", hidden_size: 256, num_attention_heads: 4, num_hidden_layers: 4 };
  const model = pe.model({ ...size, rope_theta: 500000, no_rope_layers: [1, 1, 1, 0] });
  const samples = sampled(positions, llama);
  const taken = pe.diagnose(samples, { expected: { model } });
  assert.deepEqual([taken.layer, taken.explanations[0].mistakes], [0, []]);
  assert.match(taken.text, /Layer 0 was taken\./);
  assert.equal(pe.diagnose(samples, { expected: { model, layer: 1 } }).layer, null);
  const still = pe.diagnose({ ...samples, after: samples.before }, { expected: { model, layer: 3 } });
  assert.deepEqual(still.explanations[0].mistakes, []);
  assert.match(still.text, /^Nothing rotates\. This is what was expected\./);
  assert.notDeepEqual(pe.diagnose(samples, { expected: { model, layer: 3 } }).explanations[0].mistakes, []);
});

test("positions that were found are printed, as runs", () => {
  const samples = { ...sampled([0, 1, 2, 3, 4, 5, 6, 7], llama), positions: [0, 1, 2, 3, 0, 1, 2, 3] };
  const { explanations, text } = pe.diagnose(samples, { expected });
  assert.deepEqual(explanations[0].mistakes, ["positions-joined"]);
  assert.match(text, /tokens at positions 0–7\. Positions go on at token 4/);
});
