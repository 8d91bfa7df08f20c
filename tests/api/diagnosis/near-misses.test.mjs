// Some samples are nearly as expected, or the same in other words: neither is called what it is not.

import assert from "node:assert/strict";
import test from "node:test";
import { load } from "posenc/tools";
import { bfloat16, frequencies, rotated, sampled, values } from "./rotations.mjs";

const pe = await load();

/** A float16 of numbers below 65504, rounded to nearest, as a number: ties are rare here. */
function float16(x) {
  if (!Number.isFinite(x) || x === 0) return x;
  const step = Math.abs(x) < 2 ** -14 ? 2 ** -24 : 2 ** (Math.floor(Math.log2(Math.abs(x))) - 10);
  return Math.round(x / step) * step;
}

const roundings = {
  float32: (numbers) => Float32Array.from(numbers),
  bfloat16: (numbers) => new Float32Array(Uint32Array.from(bfloat16(numbers), (bits) => bits << 16).buffer),
  float16: (numbers) => Float32Array.from(numbers, float16),
};

const isExpected = ({ verdict, explanations: [first] }) => verdict === "certain" && first.mistakes.length === 0;

test("two dimensions are one pair in either layout", () => {
  const samples = sampled([1, 2, 3, 7], { dim: 2, layout: "half" });
  for (const layout of ["half", "interleaved"]) {
    const found = pe.diagnose({ ...samples, seqAxis: 0 }, { expected: { dim: 2, layout } });
    assert.ok(isExpected(found), found.text);
    assert.equal(found.explanations[0].remedy, null);
  }
});

test("a cache of 16 bits that another base explains better is not what was expected", () => {
  const rows = 16;
  const of = (f) =>
    bfloat16(
      Array.from({ length: rows }, (_, row) => frequencies({ dim: 64, base: 10500 }).map((w) => f(row * w))).flat(),
    );
  const part = (data) => ({ data, shape: [rows, 32], dtype: "bfloat16" });
  const cache = { cos: part(of(Math.cos)), sin: part(of(Math.sin)) };
  assert.deepEqual(pe.diagnose(cache, { expected: { dim: 64 } }).explanations[0].mistakes, ["base"]);
  assert.ok(isExpected(pe.diagnose(cache, { expected: { dim: 64, base: 10500 } })));
});

test("a table has an amplitude, and no attention factor", () => {
  const [rows, dim] = [20, 64];
  const rates = frequencies({ dim });
  const data = bfloat16(
    Array.from({ length: rows * dim }, (_, at) => {
      const [row, column] = [Math.floor(at / dim), at % dim];
      return 1.01 * (column % 2 ? Math.cos : Math.sin)(row * rates[column >> 1]);
    }),
  );
  const table = { data, shape: [rows, dim], dtype: "bfloat16" };
  for (const expected of [{ type: "sinusoidal", dim }, undefined]) {
    const [first] = pe.diagnose({ table }, { expected }).explanations;
    assert.deepEqual(first.mistakes, expected ? ["amplitude"] : []);
    assert.ok(Math.abs(first.found.amplitude - 1.01) < 2e-3, first.text);
  }
});

test("slopes times keys, without the queries, are no symmetric distance where later keys are seen", () => {
  const [heads, length] = [4, 8];
  const biasOf = (masks, last) => ({
    data: Float32Array.from({ length: heads * length * length }, (_, at) => {
      const [head, query, key] = [Math.floor(at / length / length), Math.floor(at / length) % length, at % length];
      return masks && key > query ? Number.NEGATIVE_INFINITY : 2 ** (-2 * (head + 1)) * (key - last);
    }),
    shape: [heads, length, length],
  });
  const ask = (masks, distance, last = 0) =>
    pe.diagnose({ bias: biasOf(masks, last) }, { expected: { type: "alibi", causal: masks, distance } });
  for (const last of [0, length - 1])
    assert.deepEqual(ask(false, "symmetric", last).explanations[0].mistakes, ["distance"]);
  for (const found of [ask(false, "linear"), ask(true, "symmetric"), ask(true, "linear")])
    assert.ok(isExpected(found), found.text);
});

test("a base near the expected one shows in a few tokens of 16 bits, of which two outputs are one", () => {
  const positions = Array.from({ length: 8 }, (_, i) => i);
  const made = (base) => sampled(positions, { dim: 32, base });
  const halved = ({ data, shape }) => ({ data: bfloat16(data), shape, dtype: "bfloat16" });
  const [a, b] = [10500, 10000].map((base) => halved(made(base).after));
  const samples = { a, b, before: halved(made(10000).before), positions, seqAxis: 0 };
  const { outputs, explanations } = pe.diagnose(samples, { expected: { dim: 32, layout: "half" } });
  assert.deepEqual([outputs.wrong, explanations[0].mistakes], ["a", ["base"]]);
});

for (const dtype of ["float32", "float16", "bfloat16"])
  test(`two heads that are rotated by their index, in ${dtype}: the first stays, and the sequence is another axis`, () => {
    const [tokens, heads, dim] = [12, 2, 16];
    const before = roundings[dtype](values(tokens * heads * dim, 3));
    // Tokens and heads in one row: positions 0, 1, 0, 1, ...
    const places = Array.from({ length: tokens * heads }, (_, at) => at % heads);
    const after = roundings[dtype](rotated(before, places, { dim }));
    const tensor = (data) => ({ data, shape: [tokens, heads, dim], dtype });
    const positions = Array.from({ length: tokens }, (_, i) => 1000 + i);
    const samples = { before: tensor(before), after: tensor(after), positions };
    const { verdict, explanations, text } = pe.diagnose(samples, { expected: { dim, layout: "half" } });
    assert.deepEqual([verdict, explanations[0].mistakes], ["likely", ["sequence-axis"]], text);
  });

/** M-RoPE of a picture, a row of it a text's length. */
function picture(dtype, base, tokens, dim = 128) {
  const sections = [dim / 8, (3 * dim) / 16, (3 * dim) / 16];
  const axes = [() => 3, (t) => 3 + Math.floor(t / 4), (t) => 3 + (t % 4)];
  const points = axes.map((of) => Array.from({ length: tokens }, (_, t) => of(t)));
  const axisOfPair = sections.flatMap((count, axis) => new Array(count).fill(axis));
  const before = roundings[dtype](values(tokens * dim, 3));
  const after = Float64Array.from(before);
  const rates = frequencies({ dim, base });
  for (let t = 0; t < tokens; ++t)
    for (const [i, rate] of rates.entries()) {
      const turn = points[axisOfPair[i]][t] * rate;
      const [x, y] = [before[t * dim + i], before[t * dim + i + dim / 2]];
      after[t * dim + i] = x * Math.cos(turn) - y * Math.sin(turn);
      after[t * dim + i + dim / 2] = x * Math.sin(turn) + y * Math.cos(turn);
    }
  const tensor = (data) => ({ data, shape: [tokens, dim], dtype });
  const samples = {
    before: tensor(before),
    after: tensor(roundings[dtype](after)),
    positions: { data: points.flat(), shape: [3, tokens] },
  };
  return [samples, { dim, layout: "half", mrope: { sections, order: "chunked" } }];
}

for (const [dtype, base] of [
  ["bfloat16", 1.05e6],
  ["bfloat16", 1.2e6],
  ["bfloat16", 1.25e6],
  ["float16", 1.25e6],
])
  test(`a few tokens of ${dtype} do not make another mistake of the base ${base} for certain`, () => {
    for (const tokens of [12, 20]) {
      const [samples, expected] = picture(dtype, base, tokens);
      const { verdict, explanations, text } = pe.diagnose(samples, { expected: { ...expected, base: 1e6 } });
      const isBase = explanations[0].mistakes.every((name) => name === "base");
      assert.ok(isBase || verdict !== "certain", text);
    }
  });

test("of many tokens at one position the shortest is no attention factor", () => {
  const [samples, expected] = picture("float16", 9800, 120);
  const { explanations, text } = pe.diagnose(samples, { expected: { ...expected, base: 10000 } });
  assert.deepEqual(explanations[0].mistakes, ["base"], text);
});

for (const [dtype, bases] of [
  ["float16", [10001, 10010, 10050]],
  ["bfloat16", [10050, 10100]],
])
  test(`frequencies in ${dtype} that are not those of the base, rounded, are not as expected`, () => {
    for (const pairs of [8, 32, 64]) {
      const made = (base) => {
        const data = roundings[dtype](frequencies({ dim: 2 * pairs, base }));
        return pe.diagnose({ frequencies: { data, shape: [pairs], dtype } }, { expected: { dim: 2 * pairs } });
      };
      assert.ok(isExpected(made(10000)));
      for (const base of bases) assert.ok(!isExpected(made(base)), `${pairs} pairs, base ${base}`);
    }
  });

for (const [dtype, digits] of [
  ["bfloat16", 7],
  ["float16", 10],
])
  test(`a table or a cache in ${dtype} with one value off by some last bits is not as expected`, () => {
    const [rows, dim] = [64, 16];
    const of = (f) =>
      Array.from({ length: rows }, (_, row) => frequencies({ dim }).map((rate) => f(row * rate))).flat();
    const [cos, sin] = [Math.cos, Math.sin].map((f) => roundings[dtype](of(f)));
    const part = (data) => ({ data, shape: [rows, dim / 2], dtype });
    const kinds = [
      [() => ({ cos: part(cos), sin: part(sin) }), { dim }],
      [
        () => ({
          table: {
            data: Float32Array.from({ length: rows * dim }, (_, at) => (at % 2 ? cos : sin)[at >> 1]),
            shape: [rows, dim],
            dtype,
          },
        }),
        { type: "sinusoidal", dim },
      ],
    ];
    for (const [make, expected] of kinds) assert.ok(isExpected(pe.diagnose(make(), { expected })));
    for (const at of [9, 100, 300, 511]) {
      const right = sin[at];
      sin[at] += 5 * 2 ** (Math.floor(Math.log2(Math.abs(right))) - digits);
      for (const [make, expected] of kinds) assert.ok(!isExpected(pe.diagnose(make(), { expected })), `value ${at}`);
      sin[at] = right;
    }
  });

test("one pair of rate 1 is of any base", () => {
  const positions = Array.from({ length: 12 }, (_, i) => i);
  const of = (f) => ({ data: Float32Array.from(positions, f), shape: [12, 1] });
  for (const samples of [
    sampled(positions, { dim: 2 }),
    sampled(positions, { dim: 2, head: 8 }),
    { cos: of(Math.cos), sin: of(Math.sin) },
  ])
    assert.notEqual(pe.diagnose(samples).verdict, "certain");
});

test("keys that one query does not see may be padding, or outside its window", () => {
  const [heads, keys, seen] = [8, 12, 6];
  const data = Float32Array.from({ length: heads * keys }, (_, at) => {
    const [head, away] = [Math.floor(at / keys), keys - 1 - (at % keys)];
    return away < seen ? -away * 2 ** -(head + 1) : Number.NEGATIVE_INFINITY;
  });
  for (const expected of [undefined, { type: "alibi", causal: true }]) {
    const { verdict, text } = pe.diagnose({ bias: { data, shape: [heads, 1, keys] } }, { expected });
    assert.notEqual(verdict, "certain", text);
  }
});

for (const dtype of ["float32", "bfloat16", "float16"])
  test(`values of a learned table in ${dtype} are copies, and a grid's are rounded once`, () => {
    const learned = (rows) => ({ data: roundings[dtype](values(rows * 2, 5)), shape: [rows, 2] });
    const t5 = { table: learned(32), buckets: 32, maxDistance: 128, bidirectional: true };
    const window = { height: 3, width: 4, table: learned(35) };
    const grid = { preset: "mae", shape: [5, 8], dim: 16 };
    const kinds = [
      ["bias", pe.t5({ ...t5, queries: 12, keys: 40, form: "full" }), { type: "t5", ...t5 }, 2],
      ["bias", pe.swinBias(window), { type: "swinBias", ...window }, 2],
      ["table", pe.sinusoidalGrid(grid), { type: "sinusoidalGrid", ...grid }, dtype === "float32" ? 2 ** 11 : 4],
    ];
    const step = { float32: 2 ** -23, bfloat16: 2 ** -7, float16: 2 ** -10 }[dtype];
    for (const [name, { data, shape }, expected, steps] of kinds) {
      const own = roundings[dtype](data);
      const made = () => pe.diagnose({ [name]: { data: own, shape, dtype } }, { expected });
      assert.ok(isExpected(made()), expected.type);
      const at = own.findIndex((x) => x > 0.3);
      own[at] += steps * step * 2 ** Math.floor(Math.log2(own[at]));
      assert.ok(!isExpected(made()), expected.type);
    }
  });

test("slopes of ALiBi in 16 bits leave a rounding or two", () => {
  for (const dtype of ["bfloat16", "float16"]) {
    const { data, shape } = pe.alibi({ heads: 8, queries: 12, keys: 12, form: "full", future: "keep" });
    const own = roundings[dtype](data);
    const made = () => pe.diagnose({ bias: { data: own, shape, dtype } }, { expected: { type: "alibi" } });
    assert.ok(isExpected(made()));
    own[5] *= 1 + 3 * (dtype === "bfloat16" ? 2 ** -7 : 2 ** -10);
    assert.ok(!isExpected(made()));
  }
});

test("far from 0, a small shift and a small stretch of positions are named together, unless the values tell them apart", () => {
  const expected = { dim: 32, layout: "half" };
  for (const dtype of ["bfloat16", "float16", "float32"])
    for (const start of [100, 1000, 8000])
      for (const shift of [-0.02, 0.001, 0.01, 0.02]) {
        const positions = Array.from({ length: 12 }, (_, i) => start + i);
        const before = sampled(positions, { dim: 32 }).before;
        const asked = (moved) => {
          const { after } = sampled(positions.map(moved), { dim: 32 });
          const data = roundings[dtype](after.data);
          const samples = { before, after: { ...after, data, dtype }, positions, seqAxis: 0 };
          return pe.diagnose(samples, { expected });
        };
        for (const [mistake, moved] of [
          ["first-position", (p) => p + shift],
          ["position-scale", (p) => p * (1 + shift / start)],
        ]) {
          const { verdict, explanations, text } = asked(moved);
          const named = explanations.map(({ mistakes }) => mistakes.join());
          const what = `${dtype}, ${mistake}, ${shift} at ${start}: ${text}`;
          if (verdict === "certain") assert.ok(named[0] === mistake || named[0] === "", what);
          else assert.ok(named.includes(mistake), what);
        }
      }
});

test("a factor that two rows of 16 bits show is named, and roundings of every step are none", () => {
  const [dim, expected] = [64, { dim: 64, layout: "half" }];
  const asked = (dtype, positions, made) => {
    const { before, after } = sampled(positions, { dim }, { heads: 1 });
    const inputs = { ...before, data: roundings[dtype](before.data) };
    const data = roundings[dtype](made(inputs.data, after.shape));
    return pe.diagnose(
      { before: inputs, after: { data, shape: after.shape, dtype }, positions, seqAxis: 0 },
      { expected },
    );
  };
  for (const [dtype, step] of [
    ["bfloat16", 2 ** -8],
    ["float16", 2 ** -11],
  ])
    for (const positions of [
      [3, 8],
      [1, 40, 500],
      [7, 100, 101, 4000],
    ]) {
      for (const steps of [-1.5, -1, 1, 1.5, 3]) {
        const factor = 1 + steps * step;
        const found = asked(dtype, positions, (x) => rotated(x, positions, { dim, factor }));
        const what = `${dtype}, ${positions}, ${factor}: ${found.text}`;
        assert.ok(!isExpected(found), what);
        assert.deepEqual(found.explanations[0].mistakes, ["factor-other"], what);
      }
      // Cosines, sines, products and sums are each rounded.
      const round = (x) => roundings[dtype]([x])[0];
      const found = asked(dtype, positions, (x) => {
        const rates = frequencies({ dim });
        return x.map((value, at) => {
          const [token, place] = [Math.floor(at / dim), at % dim];
          const angle = positions[token] * rates[place % (dim / 2)];
          const other = place < dim / 2 ? -x[at + dim / 2] : x[at - dim / 2];
          return round(round(value * round(Math.cos(angle))) + round(other * round(Math.sin(angle))));
        });
      });
      assert.ok(isExpected(found), `${dtype}, ${positions}: ${found.text}`);
    }
});
