// The forms of diagnose's answers, for each kind of samples: fields, sentences, remedies. What is right of numbers is
// proven in the core, by tests/judge, and in faults.test.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { bfloat16, rotated, sampled, values } from "./rotations.mjs";

const pe = await load();
const [dim, rows] = [16, 40];
const plan = { dim, layout: "half", base: 500000 };
const positions = Array.from({ length: rows }, (_, i) => i);
const tensor = (data, shape) => ({ data, shape });
const namesOf = ({ explanations }) => explanations.map(({ mistakes }) => mistakes.join(" + "));

const rotary = pe.rotary(plan);
const grid = { preset: "qwen2-vl", dim, mergeSize: 1 };
const [t5, segments] = [
  { table: tensor(values(64, 5), [32, 2]), bidirectional: true },
  [{ text: 3 }, { video: [4, 4, 6] }],
];
const window = { height: 4, width: 5 };
const swin = { ...window, table: tensor(values(126, 6), [63, 2]) };
const onGrid = () => {
  const [before, shape] = [values(rows * dim, 3), [rows, dim]];
  const after = pe.rotaryGrid(grid).apply(before.slice(), { shape, grid: [5, 8] });
  return { before: tensor(before, shape), after: tensor(after, shape) };
};

/** Right samples of each kind; what was meant of them; the array that is changed; the type of what is found. */
const kinds = {
  rotation: [() => sampled(positions, plan), plan, "after", "rotary"],
  cache: [() => rotary.cache({ length: rows }), { dim, base: 500000 }, "sin", "rotary"],
  table: [() => ({ table: pe.sinusoidal({ length: rows, dim }) }), { type: "sinusoidal", dim }, "table", "sinusoidal"],
  frequencies: [
    () => ({ frequencies: tensor(pe.frequencies({ dim }).data, [dim / 2]) }),
    { dim },
    "frequencies",
    "frequencies",
  ],
  bias: [
    () => ({ bias: pe.alibi({ heads: 8, queries: rows, keys: rows, form: "full", future: "keep" }) }),
    ...[{ type: "alibi" }, "bias", "bias"],
  ],
  "grid table": [
    () => ({ table: pe.sinusoidalGrid({ preset: "mae", shape: [5, 8], dim }) }),
    ...[{ type: "sinusoidalGrid", preset: "mae", shape: [5, 8], dim }, "table", "made"],
  ],
  "grid rotation": [onGrid, { type: "rotaryGrid", ...grid, grid: [5, 8] }, "after", "made"],
  "grid cache": [
    () => pe.rotaryGrid(grid).cache({ grid: [5, 8] }),
    ...[{ type: "rotaryGrid", ...grid, grid: [5, 8] }, "sin", "made"],
  ],
  "bias of T5's table": [
    () => ({ bias: pe.t5({ ...t5, queries: 150, keys: 150, form: "full" }) }),
    ...[{ type: "t5", ...t5 }, "bias", "made"],
  ],
  "Swin's bias": [() => ({ bias: pe.swinBias(swin) }), { type: "swinBias", ...swin }, "bias", "made"],
  "Swin's index": [() => ({ ids: pe.swinIndex(window) }), { type: "swinIndex", ...window }, "ids", "made"],
  ids: [
    () => ({ ids: pe.mropePositions({ preset: "qwen2-vl", segments }).positions, segments }),
    ...[{ type: "ids", preset: "qwen2-vl" }, "ids", "ids"],
  ],
};

for (const [kind, [make, expected, name, type]] of Object.entries(kinds))
  test(`${kind}: as expected, one value off, zeros, and NaN`, () => {
    const right = pe.diagnose(make(), { expected });
    assert.deepEqual(Object.keys(right), Object.keys(pe.diagnose(kinds.rotation[0](), { expected: plan })));
    assert.deepEqual(namesOf(right)[0], "", right.text);
    assert.deepEqual([right.explanations[0].found.type, right.explanations[0].remedy], [type, null]);
    assert.match(right.text, right.verdict === "certain" ? /This is what was expected\./ : /What would tell: /);
    const change = (of, what) => {
      const samples = make();
      for (const each of of(samples)) samples[each].data = what(Array.from(samples[each].data));
      return samples;
    };
    const wrong = pe.diagnose(
      change(
        () => [name],
        (data) => data.with(data.length >> 1, data[data.length >> 1] + 1),
      ),
      {
        expected,
      },
    );
    assert.ok(!namesOf(wrong).includes(""), wrong.text);
    assert.doesNotMatch(wrong.text, /NaN|undefined|This is what was expected/);
    const zeros = pe.diagnose(
      change(
        (samples) => Object.keys(samples).filter((each) => samples[each].data),
        (data) => data.fill(0),
      ),
      { expected },
    );
    if (type !== "ids") assert.deepEqual([zeros.verdict, zeros.explanations], ["too-little", []], zeros.text);
    if (name !== "ids")
      assert.throws(
        () =>
          pe.diagnose(
            change(
              () => [name],
              (data) => data.with(3, Number.NaN),
            ),
            { expected },
          ),
        {
          name: "RangeError",
          message: /\[3\].*: NaN/,
        },
      );
  });

test("an answer's fields, without an expectation and with one", () => {
  const free = pe.diagnose(sampled(positions, { dim: 32, head: 48, first: 16, base: 10000 }));
  assert.deepEqual(
    [free.kind, free.verdict, free.dtype, free.seqAxis, free.layer],
    ["rotation", "certain", "float32", 0, null],
  );
  const [{ found, mistakes, differs, remedy, residual, sentences }] = free.explanations;
  assert.deepEqual(
    [found.plan.base, found.plan.rotaryDim, found.firstDim, found.reads, found.writes],
    [10000, 32, 16, "half", "half"],
  );
  assert.deepEqual([mistakes, differs, remedy, sentences.mistakes], [[], [], null, []]);
  assert.ok(residual.units <= 8 && residual.ulps >= 0);
  assert.match(free.text, /^32 of 48 dimensions rotate, paired as in "half", from dimension 16 on, base 10000\. /);
  assert.match(free.text, / Axis 0 was taken for the sequence\.$/);
  const [before, after] = [1, 2].map((seed) => tensor(values(rows * dim, seed), [rows, dim]));
  const flat = pe.diagnose({ before, after, positions });
  assert.deepEqual([flat.verdict, flat.explanations, flat.seqAxis, flat.departs], ["none", [], null, null]);
});

for (const [name, change, isRight] of [
  ["layout", { layout: "interleaved" }, ({ rows: all }) => all?.length === dim],
  ["permuted", { writes: "interleaved" }, ({ dims }) => dims?.length === dim],
  ["base", { base: 10000 }, ({ text }) => /expected plan/.test(text)],
  ["first-position", { offset: 1 }, ({ shift }) => shift === -1],
  ["position-scale", { exponent: (i) => (2 * i) / dim, scaled: 2 }, ({ scale }) => scale === 0.5],
  ["factor-other", { factor: 1.25 }, ({ factor }) => Math.abs(factor - 0.8) < 1e-6],
])
  test(`the mistake ${name} has its remedy`, () => {
    const { scaled = 1, ...own } = change;
    const samples = {
      ...sampled(
        positions.map((p) => scaled * p),
        { ...plan, ...own },
      ),
      positions,
    };
    const { explanations, text } = pe.diagnose(samples, { expected: plan });
    assert.deepEqual(explanations[0].mistakes, [name], text);
    assert.ok(isRight(explanations[0].remedy), JSON.stringify(explanations[0].remedy));
    assert.ok(
      explanations[0].sentences.mistakes.every((sentence) => text.includes(sentence)),
      text,
    );
  });

test("options that differ are named, with what was expected, in both languages", () => {
  const own = sampled(positions, { ...plan, base: 10000 });
  for (const [language, sentence] of [
    ["en", "What differs: base 10000, expected 500000."],
    ["zh", "不同之处：底数 10000，应为 500000。"],
  ]) {
    const { explanations, text } = pe.diagnose(own, { expected: plan, language });
    assert.deepEqual(explanations[0].differs, [{ option: "base", found: 10000, expected: 500000 }]);
    assert.ok(text.includes(sentence), text);
  }
});

test("layers of a model: another's, one that is taken where none is named, one that does not rotate", () => {
  const size = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4 };
  const full_attention = { rope_type: "default", rope_theta: 500000 };
  const sliding_attention = { rope_type: "default", rope_theta: 1e4 };
  const rope_parameters = { full_attention, sliding_attention };
  const layer_types = ["sliding_attention", "sliding_attention", "sliding_attention", "full_attention"];
  const own = { model_type: "gemma3_text", head_dim: dim, ...size, sliding_window: 8, layer_types, rope_parameters };
  const samples = sampled(positions, plan);
  const ask = (expected) => pe.diagnose(samples, { expected });
  const mixed = pe.model(own);
  assert.deepEqual(
    [namesOf(ask({ model: mixed, layer: 3 }))[0], namesOf(ask({ model: mixed, layer: 0 }))[0]],
    ["", "other-layers"],
  );
  const model = pe.model({ model_type: "smollm3", ...size, rope_theta: 500000, no_rope_layers: [1, 1, 1, 0] });
  assert.deepEqual([ask({ model }).layer, ask({ model, layer: 1 }).layer], [0, null]);
  assert.match(ask({ model }).text, /Layer 0 was taken\./);
  const still = pe.diagnose({ ...samples, after: samples.before }, { expected: { model, layer: 3 } });
  assert.match(still.text, /^Nothing rotates\. This is what was expected\./);
  const moves = ask({ model, layer: 3 });
  assert.deepEqual([moves.verdict, namesOf(moves)], ["certain", ["rotated"]]);
  assert.deepEqual(moves.explanations[0].remedy, { text: "Do not rotate in this layer." });
});

test("values of 16 bits are read as what they are, plain arrays as numbers", () => {
  const { before, after } = sampled(positions, plan);
  const rounded = new Float32Array(Uint32Array.from(bfloat16(before.data), (bits) => bits << 16).buffer);
  const bits = (data) => ({ data: bfloat16(data), shape: after.shape, dtype: "bfloat16" });
  const own = { before: bits(rounded), after: bits(rotated(rounded, positions, { heads: 2, ...plan })), positions };
  const half = pe.diagnose(own, { expected: plan });
  assert.deepEqual([half.dtype, half.explanations[0].mistakes], ["bfloat16", []]);
  const list = ({ data, shape }) => ({ data: Array.from(data), shape });
  const plain = pe.diagnose({ before: list(before), after: list(after), positions }, { expected: plan });
  assert.deepEqual([plain.dtype, plain.verdict, plain.explanations[0].mistakes], ["float32", "certain", []]);
});

test("two outputs: the wrong one is named, where their input is known", () => {
  const { before, after: a } = sampled(positions, plan);
  const b = sampled(positions, { ...plan, sign: -1 }).after;
  const made = pe.diagnose({ a, b, before, positions }, { expected: plan });
  assert.deepEqual([made.outputs.wrong, namesOf(made.outputs.a), namesOf(made)[0]], ["b", [""], "sign"]);
  assert.equal(pe.diagnose({ a: b, b: a, before, positions }, { expected: plan }).outputs.wrong, "a");
  const open = pe.diagnose({ a, b, positions });
  assert.deepEqual([open.outputs.wrong, open.outputs.a], ["unknown", null]);
});

test("a cache says nothing of the layout, and its form has the name that `cache` knows", () => {
  for (const form of ["onnx", "huggingface", "huggingface-interleaved", "ggml"]) {
    const [{ found, text }] = pe.diagnose(pe.rotaryCache({ rotary, form, length: rows })).explanations;
    assert.deepEqual([found.form, found.reads, found.writes], [form, undefined, undefined]);
    assert.doesNotMatch(text, /paired/);
  }
});

test("where numbers depart; a part of something larger is never certain; an axis that is as long is asked for", () => {
  const samples = sampled(positions, plan);
  const part = pe.diagnose(samples, { expected: plan, partial: true });
  assert.equal(part.verdict, "likely");
  assert.doesNotMatch(part.text, /This is what was expected/);
  samples.after.data[(11 * 2 + 1) * dim + 3] += 0.5;
  const { departs, text } = pe.diagnose(samples, { expected: plan });
  assert.deepEqual(departs, { tokens: [11], heads: [1], pairs: [3] });
  assert.match(text, /at 1 of 40 tokens \(11\), in heads 1 and pairs 3, counted from 0\./);
  const square = sampled(positions.slice(0, 8), plan, { heads: 8 });
  const open = pe.diagnose(square, { expected: plan });
  assert.deepEqual([open.verdict, open.tells], ["ambiguous", ["sequence-axis"]]);
  assert.match(open.text, /Axis 0 was taken for the sequence, and axis 1 is as long: name seqAxis\./);
  assert.match(pe.diagnose(square, { expected: plan, language: "zh" }).text, /请指明 seqAxis/);
});

test("queries have a temperature and the scale of scores: expected, missing, and what does not show", () => {
  const temperature = { slope: 0.1, shift: 1, period: 8 };
  const ask = (own, times, more) => {
    const samples = sampled(own, plan);
    const inner = 2 * dim;
    samples.after.data.forEach((x, at) => {
      samples.after.data[at] = x * times(own[Math.floor(at / inner)]);
    });
    return pe.diagnose(samples, { expected: { ...plan, temperature, ...more } });
  };
  const warm = (p) => 1 + 0.1 * Math.log(1 + Math.floor((p + 1) / 8));
  const answer = (...given) => [ask(...given).verdict, namesOf(ask(...given))[0]];
  assert.deepEqual(answer(positions, warm), ["certain", ""]);
  assert.deepEqual(
    answer(positions, () => 1),
    ["certain", "temperature-missing"],
  );
  assert.deepEqual(
    answer(positions, (p) => 0.25 * warm(p), { scoreScale: 0.25 }),
    ["certain", ""],
  );
  assert.equal(answer(positions, warm, { scoreScale: 0.25 })[1], "factor-other");
  const early = ask([0, 1, 2, 3, 5, 6], () => 1);
  assert.deepEqual(
    [early.verdict, namesOf(early).includes("temperature-missing"), early.next[0]],
    ["ambiguous", true, 8],
  );
});
