// A verdict is never surer than its evidence: every kind of samples, times every way to be wrong or empty.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { frequencies, sampled, values } from "./rotations.mjs";

const pe = await load();
const [dim, pairs] = [16, 8];
const plan = { dim, layout: "half", base: 10000 };
const positions = Array.from({ length: 40 }, (_, i) => i);
const rows = positions.length;
const tensor = (data, shape) => ({ data: Float32Array.from(data), shape });
const angle = (p, i) => p * 10000 ** (-(2 * i) / dim);
const of = (make, rates = (p, i) => angle(p, i)) =>
  tensor(
    Array.from({ length: rows * pairs }, (_, at) => make(rates(Math.floor(at / pairs), at % pairs))),
    [rows, pairs],
  );

/** Two axes of positions, each of half of the pairs. */
const axes = [positions, positions.map((p) => (7 * p) % 11)];
function turned(rates = frequencies(plan)) {
  const before = values(rows * dim, 3);
  const after = Float32Array.from(before);
  for (const [t, i] of positions.flatMap((p) => rates.map((_, i) => [p, i]))) {
    const turn = axes[i < pairs / 2 ? 0 : 1][t] * rates[i];
    const [x, y] = [before[t * dim + i], before[t * dim + i + pairs]];
    after[t * dim + i] = x * Math.cos(turn) - y * Math.sin(turn);
    after[t * dim + i + pairs] = x * Math.sin(turn) + y * Math.cos(turn);
  }
  return {
    before: tensor(before, [rows, dim]),
    after: tensor(after, [rows, dim]),
    positions: { data: axes.flat(), shape: [2, rows] },
  };
}

const segments = [{ text: 3 }, { video: [4, 4, 4] }, { text: 4 }];

const t5 = { bidirectional: true, table: { data: values(32 * 2, 5), shape: [32, 2] } };
const window = { height: 4, width: 5 };
const swin = { ...window, table: { data: values(63 * 2, 6), shape: [63, 2] } };

/** Right samples of each kind, made anew each time; what was meant of them; the array that is changed. */
const kinds = {
  rotation: [() => sampled(positions, plan, { heads: 2 }), plan, "after"],
  outputs: [
    () => {
      const { before, after } = sampled(positions, plan, { heads: 2 });
      return { a: after, b: { ...after, data: Float32Array.from(after.data) }, before, positions };
    },
    plan,
    "b",
  ],
  cache: [() => ({ cos: of(Math.cos), sin: of(Math.sin) }), { dim, base: 10000 }, "sin"],
  table: [() => ({ table: pe.sinusoidal({ length: rows, dim }) }), { type: "sinusoidal", dim }, "table"],
  "odd table": [() => ({ table: pe.sinusoidal({ length: rows, dim: 15 }) }), { type: "sinusoidal", dim: 15 }, "table"],
  frequencies: [() => ({ frequencies: tensor(frequencies(plan), [pairs]) }), { dim, base: 10000 }, "frequencies"],
  bias: [
    () => ({ bias: pe.alibi({ heads: 8, queries: rows, keys: rows, form: "full", future: "keep" }) }),
    { type: "alibi" },
    "bias",
  ],
  "grid table": [
    () => ({ table: pe.sinusoidalGrid({ preset: "mae", shape: [5, 8], dim }) }),
    { type: "sinusoidalGrid", preset: "mae", shape: [5, 8], dim },
    "table",
  ],
  "grid rotation": [
    () => {
      const before = values(rows * dim, 3);
      const rotary = pe.rotaryGrid({ preset: "qwen2-vl", dim });
      const after = rotary.apply(before.slice(), { shape: [rows, dim], grid: [5, 8] });
      return { before: tensor(before, [rows, dim]), after: tensor(after, [rows, dim]) };
    },
    { type: "rotaryGrid", preset: "qwen2-vl", dim, grid: [5, 8] },
    "after",
  ],
  "grid cache": [
    () => pe.rotaryGrid({ preset: "qwen2-vl", dim }).cache({ grid: [5, 8] }),
    { type: "rotaryGrid", preset: "qwen2-vl", dim, grid: [5, 8] },
    "sin",
  ],
  "bias of T5's table": [
    () => ({ bias: pe.t5({ ...t5, queries: rows, keys: rows, form: "full" }) }),
    { type: "t5", ...t5 },
    "bias",
  ],
  "Swin's bias": [() => ({ bias: pe.swinBias(swin) }), { type: "swinBias", ...swin }, "bias"],
  "Swin's index": [() => ({ ids: pe.swinIndex(window) }), { type: "swinIndex", ...window }, "ids"],
  "M-RoPE": [turned, { ...plan, mrope: { sections: [4, 4], order: "chunked" } }, "after"],
  ids: [
    () => ({ ids: pe.mropePositions({ preset: "qwen2-vl", segments }).positions, segments }),
    { type: "ids", preset: "qwen2-vl" },
    "ids",
  ],
};

const times = (factor) => (data) => {
  for (let i = 0; i < data.length; ++i) data[i] *= factor;
};

const more = (at) => (data) => {
  data[at(data.length)] += 1;
};

/** Ways in which numbers are wrong; each changes an array in place, and gives false where it changes nothing. */
const ways = {
  "one value": more((length) => length >> 1),
  "the first value": more(() => 0),
  "the last value": more((length) => length - 1),
  "a broken stretch": (data) => void data.fill(123, data.length >> 2, (data.length >> 2) + 3),
  "half of it zeros": (data) => void data.fill(0, data.length >> 1),
  "another scale": times(3),
  huge: times(2 ** 30),
  tiny: times(2 ** -100),
  reversed: (data) => void data.reverse(),
  zeros: (data) => void data.fill(0),
  constant: (data) => void data.fill(1),
};

const asExpected = /This is what was expected/;

for (const [kind, [make, expected, name]] of Object.entries(kinds)) {
  test(`${kind}: as expected`, () => {
    const { verdict, explanations, text } = pe.diagnose(make(), { expected });
    assert.deepEqual([verdict, explanations[0].mistakes], ["certain", []], text);
    assert.match(text, asExpected);
  });

  for (const [way, change] of Object.entries(ways)) {
    test(`${kind}: ${way} is not as expected`, () => {
      const samples = make();
      change(samples[name].data);
      const { verdict, explanations, text, outputs } = pe.diagnose(samples, { expected });
      const isRight = verdict === "certain" && explanations[0].mistakes.length === 0;
      assert.ok(!isRight, text);
      assert.ok(!asExpected.test(text), text);
      if (outputs) assert.equal(outputs.wrong, "b");
      assert.ok(!/NaN|\b0 bits|undefined/.test(text), text);
    });
  }

  if (!/ids|index/.test(kind)) {
    test(`${kind}: NaN is refused by its place`, () => {
      const samples = make();
      samples[name].data[3] = Number.NaN;
      assert.throws(() => pe.diagnose(samples, { expected }), { name: "RangeError", message: /\[3\].*: NaN/ });
    });
  }

  test(`${kind}: nothing but zeros tells too little, with nothing expected as well`, () => {
    const samples = make();
    for (const { data } of Object.values(samples)) if (data?.fill && !Array.isArray(data)) data.fill(0);
    // These are samples of a grid alone: it says what belongs to them.
    const isOfGrid = kind === "grid rotation" || kind === "Swin's index";
    const { verdict, text } = pe.diagnose(samples, isOfGrid ? { expected } : {});
    if (kind === "ids") return assert.notEqual(verdict, "certain", text);
    assert.equal(verdict, "too-little", text);
  });
}

test("a pair that is zeros in all vectors leaves its rotation open", () => {
  const { before, after } = sampled(positions, plan);
  for (const { data } of [before, after]) for (let at = 3; at < data.length; at += pairs) data[at] = 0;
  assert.notEqual(pe.diagnose({ before, after, positions }, { expected: plan }).verdict, "certain");
});

/** Frequencies that are not those of the base, on two axes. */
for (const [name, rates, mistake] of [
  ["of no law", [0.5, 0.3, 0.2, 0.15, 0.11, 0.07, 0.05, 0.02], "scaling-other"],
  ["begun again in each section", [...frequencies({ dim: 8 }), ...frequencies({ dim: 8 })], "restarted"],
]) {
  test(`M-RoPE with frequencies ${name}`, () => {
    const { verdict, explanations, text } = pe.diagnose(turned(rates), { expected: kinds["M-RoPE"][1] });
    // As many free numbers as pairs may be those of an encoding that was not tried.
    assert.equal(verdict, mistake === "restarted" ? "certain" : "likely", text);
    assert.ok(explanations[0].mistakes.includes(mistake), text);
  });
}

test("float32 angles are right where no arithmetic was named, and a mistake where exact ones were", () => {
  const before = values(rows * dim, 5);
  const rotary = pe.rotary({ ...plan, precision: "float32" });
  const after = rotary.apply(Float32Array.from(before), { shape: [rows, dim], offset: 4000 });
  const own = positions.map((p) => p + 4000);
  const samples = { before: tensor(before, [rows, dim]), after: tensor(after, [rows, dim]), positions: own };
  const mistakes = (arithmetic) =>
    pe.diagnose(samples, { expected: { ...plan, ...(arithmetic && { arithmetic }) } }).explanations[0].mistakes;
  assert.deepEqual(mistakes(undefined), []);
  assert.deepEqual(mistakes("transformers"), []);
  assert.deepEqual(mistakes("exact"), ["angles-float32"]);
  assert.throws(() => mistakes("fp32"), /expected.arithmetic: "fp32", expected one of "exact"/);
});

for (const [more, mistake] of [
  [{ scale: 1000 }, "position-scale"],
  [{ offset: 1 }, "first-position"],
  [{ positions: Array.from({ length: rows }, (_, i) => 1000 * i) }, "position-scale"],
  [{ amplitude: 2 }, "amplitude"],
  [{ order: "split" }, "arrangement"],
]) {
  test(`a table: the option ${Object.keys(more)} is a part of what was expected`, () => {
    const table = pe.sinusoidal({ length: rows, dim });
    const meant = { type: "sinusoidal", dim, ...more };
    const { explanations } = pe.diagnose({ table }, { expected: meant });
    assert.deepEqual(explanations[0].mistakes, [mistake]);
    const { length: _, ...rest } = { length: rows, ...more };
    const right = pe.sinusoidal({ dim, ...("positions" in more ? {} : { length: rows }), ...rest });
    const { verdict, explanations: found } = pe.diagnose({ table: right }, { expected: meant });
    assert.deepEqual([verdict, found[0].mistakes], ["certain", []]);
  });
}

test("the last of an odd number of columns counts", () => {
  const table = pe.sinusoidal({ length: 64, dim: 5 });
  for (let row = 0; row < 64; ++row) table.data[5 * row + 4] = 0;
  const { explanations } = pe.diagnose({ table }, { expected: { type: "sinusoidal", dim: 5 } });
  assert.deepEqual([explanations[0].mistakes, explanations[0].found.plan.dim], [["zero-column"], 5]);
});

for (const [samples, expected, option] of [
  [() => kinds.cache[0](), plan, "layout"],
  [() => kinds.frequencies[0](), plan, "layout"],
  [() => kinds.frequencies[0](), { dim, arithmetic: "exact" }, "arithmetic"],
  [() => kinds.table[0](), { type: "sinusoidal", dim, precision: "fast" }, "precision"],
  [() => kinds.table[0](), { type: "sinusoidal", dim, length: 7 }, "length"],
  [() => kinds.ids[0](), { type: "ids", preset: "qwen2-vl", mergeSize: 2 }, "mergeSize"],
  [() => kinds.bias[0](), { type: "alibi", offset: 1 }, "offset"],
])
  test(`what is not compared is refused by name: ${option}`, () => {
    assert.throws(() => pe.diagnose(samples(), { expected }), new RegExp(`expected\\.${option}: `));
  });

test("ids whose times are whole seconds are named, unless that rule was meant", () => {
  const rate = { tokensPerSecond: 2 };
  const video = [{ text: 2 }, { video: [4, 4, 4], secondsPerGrid: 1.5 }, { text: 3 }];
  const { positions: ids } = pe.mropePositions({
    preset: "qwen2.5-vl",
    time: "whole-seconds",
    segments: video,
    ...rate,
  });
  const meant = { type: "ids", preset: "qwen2.5-vl" };
  const wrong = pe.diagnose({ ids, segments: video, ...rate }, { expected: meant });
  assert.deepEqual(wrong.explanations[0].mistakes, ["time-rule"]);
  assert.match(wrong.text, /times by the rule "whole-seconds"/);
  const right = pe.diagnose({ ids, segments: video, ...rate }, { expected: { ...meant, time: "whole-seconds" } });
  assert.deepEqual([right.verdict, right.explanations[0].mistakes], ["certain", []]);
});

for (const [name, add] of [
  ["0.9", 0.9],
  ["2^32", 2 ** 32],
]) {
  test(`ids plus ${name} are what they are`, () => {
    const [{ ids, segments: own }, expected] = [kinds.ids[0](), kinds.ids[1]];
    const data = Array.from(ids.data, (id) => id + add);
    const { explanations } = pe.diagnose({ ids: { data, shape: ids.shape }, segments: own }, { expected });
    assert.deepEqual(explanations[0].mistakes, ["first-position"]);
  });
}

test("slopes of eight heads, again on the second device", () => {
  const bias = pe.alibi({ heads: 16, queries: 6, keys: 6, form: "full", future: "keep" });
  bias.data.copyWithin(8 * 36, 0, 8 * 36);
  const { explanations, text } = pe.diagnose({ bias }, { expected: { type: "alibi" } });
  assert.deepEqual(explanations[0].mistakes, ["slopes"]);
  assert.match(text, /slopes of 16 heads, again after each 8 heads/);
});

test("one row of a query at another place speaks of the query, not of signs", () => {
  const bias = pe.alibi({ heads: 8, queries: 1, keys: 6, queryOffset: 0, form: "full", future: "keep" });
  const { explanations } = pe.diagnose({ bias, firstQuery: 5 }, { expected: { type: "alibi" } });
  assert.deepEqual(explanations[0].mistakes, ["first-position"]);
  assert.equal(explanations[0].remedy.text, "Add 5 to the queries' positions.");
});

test("a cache says nothing of the layout, and its form has the name that `cache` knows", () => {
  for (const form of ["onnx", "huggingface", "huggingface-interleaved", "ggml"]) {
    const rotary = pe.rotary(plan);
    const { explanations } = pe.diagnose(pe.rotaryCache({ rotary, form, length: rows }));
    const [{ found, text }] = explanations;
    assert.deepEqual([found.form, found.reads, found.writes], [form, undefined, undefined]);
    assert.ok(!/paired/.test(text), text);
  }
});

test("half of the head rotates, with zeros for the other frequencies", () => {
  const x = values(rows * 128, 9);
  const y = Float32Array.from(x);
  for (const t of positions)
    for (let i = 0; i < 32; ++i) {
      const turn = t * 10000 ** (-i / 32);
      const [a, b] = [x[t * 128 + i], x[t * 128 + i + 64]];
      y[t * 128 + i] = a * Math.cos(turn) - b * Math.sin(turn);
      y[t * 128 + i + 64] = a * Math.sin(turn) + b * Math.cos(turn);
    }
  const { explanations, text } = pe.diagnose({
    before: tensor(x, [rows, 128]),
    after: tensor(y, [rows, 128]),
    positions,
  });
  assert.deepEqual([explanations[0].found.plan.base, explanations[0].found.plan.exponentDim], [10000, 64]);
  assert.match(text, /the first 0\.5 rotate/);
});

test("a part of something larger is never certain", () => {
  const [make, expected] = kinds.rotation;
  const { verdict, text } = pe.diagnose(make(), { expected, partial: true });
  assert.equal(verdict, "likely");
  assert.ok(!asExpected.test(text), text);
});

for (const [name, damage, places] of [
  [
    "a stretch of tokens",
    ({ data }) => data.fill(123, 5 * 2 * dim, 8 * 2 * dim),
    { tokens: [5, 6, 7], heads: [0, 1], pairs: Array.from({ length: pairs }, (_, i) => i) },
  ],
  [
    "zeros from a token on, in one head",
    ({ data }) => {
      for (const t of positions.slice(30)) data.fill(0, (2 * t + 1) * dim, (2 * t + 2) * dim);
    },
    { tokens: positions.slice(30), heads: [1], pairs: Array.from({ length: pairs }, (_, i) => i) },
  ],
  [
    "one pair of one token",
    ({ data }) => {
      data[11 * 2 * dim + 3] += 0.5;
    },
    { tokens: [11], heads: [0], pairs: [3] },
  ],
])
  test(`where numbers depart is listed: ${name}`, () => {
    const samples = sampled(positions, plan, { heads: 2 });
    damage(samples.after);
    const { verdict, departs, text } = pe.diagnose(samples, { expected: plan });
    assert.equal(verdict, "none");
    assert.deepEqual(departs, places);
    assert.match(text, new RegExp(`at ${places.tokens.length} of ${rows} tokens`));
    assert.equal(pe.diagnose(samples).departs, null);
  });

for (const kind of ["table", "bias"])
  test(`${kind}: every entry of a batch is compared`, () => {
    const [make, expected, name] = kinds[kind];
    const { data, shape } = make()[name];
    const both = { data: Float32Array.of(...data, ...data), shape: [2, ...(kind === "table" ? [1] : []), ...shape] };
    const { verdict, explanations } = pe.diagnose({ [name]: both }, { expected });
    assert.deepEqual([verdict, explanations[0].mistakes], ["certain", []]);
    both.data[both.data.length - 1] += 1;
    assert.equal(pe.diagnose({ [name]: both }, { expected }).verdict, "none");
  });

test("two outputs of zeros are neither right nor wrong", () => {
  const zeros = tensor(new Float32Array(rows * dim), [rows, dim]);
  for (const before of [{}, { before: zeros }]) {
    const { verdict, outputs, text } = pe.diagnose({ a: zeros, b: zeros, ...before, positions }, { expected: plan });
    assert.deepEqual([verdict, outputs.wrong], ["too-little", "unknown"]);
    assert.ok(!asExpected.test(text), text);
  }
});

for (const [name, more, own, offset] of [
  ["rotating back, with a factor", { inverse: true, scaling: { type: "given", attentionFactor: 1.5 } }, {}, 0],
  ["at positions where float32 angles are off", {}, { precision: "float32" }, 200_000],
])
  test(`one wrong pair alone departs: ${name}`, () => {
    const { scaling, inverse } = more;
    const scaled = scaling && { scaling: { ...scaling, frequencies: frequencies(plan) } };
    const before = values(rows * dim, 5);
    const { inverse: _, ...rest } = more;
    const rotary = pe.rotary({ ...plan, ...rest, ...scaled, ...own });
    const after = rotary.apply(Float32Array.from(before), { shape: [rows, dim], offset, ...(inverse && { inverse }) });
    after[11 * dim + 3] += 0.5;
    const { verdict, departs } = pe.diagnose(
      {
        before: tensor(before, [rows, dim]),
        after: tensor(after, [rows, dim]),
        positions: positions.map((p) => p + offset),
      },
      { expected: { ...plan, ...more, ...scaled } },
    );
    assert.equal(verdict, "none");
    assert.deepEqual(departs, { tokens: [11], heads: [0], pairs: [3] });
  });

test("dimensions that do not rotate depart, too", () => {
  const meant = { ...plan, dim: 24, rotaryDim: dim };
  const samples = sampled(positions, { ...plan, head: 24 }, { heads: 2 });
  samples.after.data[(2 * 7 + 1) * 24 + 20] += 0.5;
  const { verdict, departs } = pe.diagnose(samples, { expected: meant });
  assert.equal(verdict, "none");
  assert.deepEqual(departs, { tokens: [7], heads: [1], pairs: [] });
});

test("two outputs without their input are compared at the expected positions, and may both be wrong", () => {
  const own = { ...plan, offset: 7 };
  const { after: a } = sampled(positions, own);
  const { verdict, outputs } = pe.diagnose({ a, b: a, positions }, { expected: own });
  assert.deepEqual([verdict, outputs.wrong], ["likely", "unknown"]);
  const { after: wrong } = sampled(positions, { ...own, sign: -1 });
  for (const b of [wrong, a]) {
    const alike = pe.diagnose({ a: wrong, b, positions }, { expected: own });
    assert.deepEqual([alike.verdict, alike.outputs.wrong], ["likely", "unknown"]);
  }
});

test("T5's bias of two sides is never certain: without its table it may be transposed", () => {
  const table = tensor(values(32 * 4, 3), [32, 4]);
  const { data, shape } = pe.t5({ table, queries: 40, keys: 40, bidirectional: true, form: "full", future: "keep" });
  const transposed = Float32Array.from(
    data,
    (_, i) => data[i - (i % 1600) + (i % 40) * 40 + Math.floor((i % 1600) / 40)],
  );
  for (const bias of [
    { data, shape },
    { data: transposed, shape },
  ]) {
    const { verdict, text } = pe.diagnose({ bias }, { expected: { type: "t5", bidirectional: true } });
    assert.notEqual(verdict, "certain", text);
    assert.ok(!asExpected.test(text), text);
  }
});

test("without an expectation an odd table has the base and the exponents that made it", () => {
  for (const dim of [7, 33])
    for (const [base, exponent, over] of [
      [10000, "paper", dim],
      [500, "paper", dim],
      [10001, "paper", dim],
      [10000, "half", dim - 1],
      [500, "half", dim - 1],
    ]) {
      const { data } = pe.sinusoidal({ length: 20, dim, base, exponent });
      const { verdict, explanations, text } = pe.diagnose({ table: { data, shape: [20, dim] } });
      const { base: itsBase, exponentDim } = explanations[0].found.plan;
      assert.deepEqual([verdict, itsBase, exponentDim], ["certain", base, over], text);
    }
});
