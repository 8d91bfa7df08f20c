import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";
import { assertClose, inverseFrequency, pseudoRandom, range, rotate } from "./reference.mjs";

const pe = await load();
const small = await loadSmall();
const layouts = ["half", "interleaved", "deinterleaved"];

/** Every head of [batch, seq, heads, dim] rotated, ids [batch][seq]. */
const expected = (x, [batch, seq, heads, dim], ids, options) =>
  range(batch).flatMap((b) =>
    range(seq).flatMap((s) =>
      range(heads).flatMap((h) => {
        const at = ((b * seq + s) * heads + h) * dim;
        return rotate(x.slice(at, at + dim), ids[b][s], options);
      }),
    ),
  );

for (const layout of layouts) {
  test(`${layout}: ids [batch, seq], negative and fractional ones too, in both entries`, () => {
    const ids = [
      [5, -2, 0.5],
      [7, 7, 100],
    ];
    const shape = [2, 3, 2, 6];
    const x = pseudoRandom(72, 4);
    const wanted = expected(x, shape, ids, { layout });
    for (const entry of [pe, small]) {
      const rope = entry.rotary({ dim: 6, layout });
      const positions = { data: ids.flat(), shape: [2, 3] };
      const y = rope.apply(x.slice(), { shape, positions });
      assertClose(y, wanted, 5e-7);
      assert.deepEqual(rope.apply(x.slice(), { shape, positions, batchAxis: 0, seqAxis: 1, dimAxis: -1 }), y);
    }
  });
}

test("[dim, heads, seq, batch] gives the transposed result, bit for bit", () => {
  const rope = small.rotary({ dim: 6, layout: "interleaved", rotaryDim: 4 });
  const [batch, seq, heads, dim] = [2, 3, 2, 6];
  const x = pseudoRandom(72, 5);
  const turned = (from, back) => {
    const to = new Float32Array(from.length);
    for (let i = 0; i < from.length; ++i) {
      const [b, s, h, d] = [Math.floor(i / 36), Math.floor(i / 12) % 3, Math.floor(i / 6) % 2, i % 6];
      const j = ((d * heads + h) * seq + s) * batch + b;
      to[back ? i : j] = from[back ? j : i];
    }
    return to;
  };
  const positions = { data: [3, 1, 4, 1, 5, 9], shape: [batch, seq] };
  const there = rope.apply(turned(x, false), {
    shape: [dim, heads, seq, batch],
    positions,
    batchAxis: 3,
    seqAxis: 2,
    dimAxis: 0,
  });
  assert.deepEqual(turned(there, true), rope.apply(x, { shape: [batch, seq, heads, dim], positions }));
});

test("packed sequences rotate as they do alone", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const positions = pe.packedPositions([0, 2, 2, 5]);
  assert.deepEqual(positions, { data: Int32Array.of(0, 1, 0, 1, 2), shape: [5] });
  const x = pseudoRandom(20, 6);
  const first = rope.apply(x.slice(0, 8), { shape: [2, 4] });
  const last = rope.apply(x.slice(8), { shape: [3, 4] });
  assert.deepEqual([...rope.apply(x, { shape: [5, 4], positions })], [...first, ...last]);
  assert.deepEqual(pe.packedPositions([0]).shape, [0]);
});

test("positions from a mask, of numbers or flags", () => {
  const data = [0, 0, 1, 1, 1, 1, 1, 0];
  assert.deepEqual(pe.maskPositions({ data, shape: [2, 4] }), {
    data: Int32Array.of(1, 1, 0, 1, 0, 1, 2, 1),
    shape: [2, 4],
  });
  const flags = { data: data.map(Boolean), shape: [2, 4] };
  assert.deepEqual([...pe.maskPositions(flags, { padding: 0 }).data], [0, 0, 0, 1, 0, 1, 2, 0]);
  assert.deepEqual([...pe.maskPositions({ data: Uint8Array.from(data), shape: [8] }).data], [1, 1, 0, 1, 2, 3, 4, 1]);
});

test("caches in the shapes of ONNX, transformers and ggml", () => {
  const rotary = pe.rotary({ dim: 10, layout: "half", rotaryDim: 4 });
  const plain = rotary.cache({ length: 3, offset: 2 });
  const [c, s] = [plain.cos.data, plain.sin.data];
  const rows = (write) => range(3).flatMap((i) => write(2 * i, 2 * i + 1));
  assert.deepEqual(pe.rotaryCache({ rotary, form: "onnx", length: 3, offset: 2 }), plain);
  const halves = pe.rotaryCache({ rotary, form: "huggingface", length: 3, offset: 2 });
  assert.deepEqual(halves.cos.shape, [1, 3, 4]);
  assert.deepEqual(
    [...halves.cos.data],
    rows((a, b) => [c[a], c[b], c[a], c[b]]),
  );
  assert.deepEqual(
    [...halves.sin.data],
    rows((a, b) => [s[a], s[b], s[a], s[b]]),
  );
  const each = pe.rotaryCache({ rotary, form: "huggingface-interleaved", positions: [2, 3, 4] });
  assert.deepEqual(
    [...each.sin.data],
    rows((a, b) => [s[a], s[a], s[b], s[b]]),
  );
  const ggml = pe.rotaryCache({ rotary, form: "ggml", length: 3, offset: 2 });
  assert.deepEqual(ggml.cosSin.shape, [3, 4]);
  assert.deepEqual(
    [...ggml.cosSin.data],
    rows((a, b) => [c[a], s[a], c[b], s[b]]),
  );
  const batched = pe.rotaryCache({ rotary, form: "onnx", positions: { data: [2, 3, 4], shape: [3, 1] } });
  assert.deepEqual(batched.cos, { data: c, shape: [3, 1, 2] });
});

test("rotation by a cache, whatever its form, is rotation by its frequencies", () => {
  const x = pseudoRandom(2 * 3 * 2 * 6, 7);
  const shape = [2, 3, 2, 6];
  const ids = { data: [0, 4, 2, 3, 3, 1], shape: [2, 3] };
  for (const layout of layouts) {
    const rotary = pe.rotary({ dim: 6, layout, rotaryDim: 4 });
    const wanted = rotary.apply(x.slice(), { shape, positions: ids });
    const wantedRange = rotary.apply(x.slice(), { shape, offset: 1, inverse: true });
    for (const form of ["onnx", "huggingface", "huggingface-interleaved", "ggml"]) {
      const options = { layout, form, shape };
      const table = pe.rotaryCache({ rotary, form, length: 5 });
      assert.deepEqual(pe.rotateWithCache(x.slice(), { ...options, ...table, positions: ids }), wanted);
      assert.deepEqual(pe.rotateWithCache(x.slice(), { ...options, ...table, offset: 1, inverse: true }), wantedRange);
      const tokens = pe.rotaryCache({ rotary, form, positions: ids });
      assert.deepEqual(pe.rotateWithCache(x.slice(), { ...options, ...tokens }), wanted);
    }
  }
});

test("rotated keys move on, and are rotated again by other frequencies", () => {
  const scaling = { type: "dynamic", factor: 4, originalLength: 64 };
  const from = pe.rotary({ dim: 8, layout: "half", scaling, length: 64 });
  const to = pe.rotary({ dim: 8, layout: "half", scaling, length: 500 });
  const x = pseudoRandom(5 * 8, 8);
  const at = (rope, offset) => rope.apply(x.slice(), { shape: [5, 8], offset });
  assertClose(pe.shiftRotated(at(from, 100), { rotary: from, by: -60, shape: [5, 8] }), at(from, 40), 6e-7);
  const list = [1, 2, 3, 4, 5];
  const moved = pe.shiftRotated(at(from, 0), { rotary: from, by: list, shape: [5, 8] });
  assertClose(moved, from.apply(x.slice(), { shape: [5, 8], positions: list.map((by, i) => by + i) }), 6e-7);
  assertClose(pe.rotateAgain(at(from, 300), { from, to, shape: [5, 8], offset: 300 }), at(to, 300), 6e-7);
});

test("R as a matrix does what apply does", () => {
  for (const layout of layouts) {
    const rotary = pe.rotary({ dim: 6, layout, rotaryDim: 4 });
    const x = pseudoRandom(6, 9);
    const { data, shape } = pe.rotaryMatrix({ rotary, position: 11 });
    assert.deepEqual(shape, [6, 6]);
    const product = range(6).map((row) => x.reduce((sum, value, column) => sum + value * data[row * 6 + column], 0));
    assertClose(rotary.apply(x.slice(), { shape: [1, 6], offset: 11 }), product, 3e-7);
    const back = pe.rotaryMatrix({ rotary, position: 11, inverse: true }).data;
    for (const i of range(36)) assert.equal(back[i], data[(i % 6) * 6 + Math.floor(i / 6)]);
  }
});

test("W_q in another layout gives queries in that layout", () => {
  const options = { dim: 4, from: "interleaved", to: "half" };
  const x = { data: pseudoRandom(3 * 5, 10), shape: [3, 5] };
  const weight = { data: pseudoRandom(8 * 5, 11), shape: [8, 5] };
  const bias = { data: Float32Array.from(range(8)), shape: [8] };
  assert.deepEqual([...pe.convertLayout(bias, { ...options, axis: 0 }).data], [0, 2, 1, 3, 4, 6, 5, 7]);
  assert.deepEqual(
    [...pe.convertLayout(bias, { ...options, dim: 8, rotaryDim: 4, axis: -1 }).data],
    [0, 2, 1, 3, 4, 5, 6, 7],
  );
  const queries = pe.linear(x, pe.convertLayout(weight, { ...options, axis: 0 }));
  assert.deepEqual(queries, pe.convertLayout(pe.linear(x, weight), { ...options, axis: 1 }));
  assert.deepEqual(
    pe.convertLayout(pe.convertLayout(weight, { ...options, axis: 0 }), {
      dim: 4,
      from: "half",
      to: "interleaved",
      axis: 0,
    }),
    weight,
  );
});

test("linear attention, causal and not", () => {
  const [queries, keys, dim, dv, offset] = [3, 5, 6, 2, 2];
  const tensor = (rows, columns, seed) => ({ data: pseudoRandom(rows * columns, seed), shape: [rows, columns] });
  const [query, key, value] = [tensor(queries, dim, 12), tensor(keys, dim, 13), tensor(keys, dv, 14)];
  const rotary = pe.rotary({ dim, layout: "half" });
  const feature = (head) => [...head].map((lane) => (lane > 0 ? lane + 1 : Math.exp(lane)));
  const dot = (a, b) => a.reduce((sum, lane, i) => sum + lane * b[i], 0);
  const row = ({ data, shape }, i) => data.slice(i * shape[1], (i + 1) * shape[1]);
  for (const causal of [false, true]) {
    const wanted = range(queries).flatMap((m) => {
      const q = feature(row(query, m));
      const seen = range(keys).filter((n) => !causal || n <= m + offset);
      const k = seen.map((n) => feature(row(key, n)));
      const total = k.reduce((sum, lanes) => sum + dot(q, lanes), 0);
      const turned = rotate(q, m + offset, { layout: "half" });
      const weights = k.map((lanes, i) => dot(turned, rotate(lanes, seen[i], { layout: "half" })) / total);
      return range(dv).map((v) => weights.reduce((sum, w, i) => sum + w * value.data[seen[i] * dv + v], 0));
    });
    const got = pe.linearAttention({ rotary, query, key, value, causal, queryOffset: offset });
    assert.deepEqual(got.shape, [queries, dv]);
    assertClose(got.data, wanted, 1e-7);
  }
});

test("xPos: queries times the scale, keys divided by it", () => {
  const xpos = pe.xpos({ dim: 6, layout: "interleaved", centre: 10, scaleBase: 64 });
  const x = pseudoRandom(4 * 6, 15);
  const zeta = (i) => (2 * i + 0.4 * 6) / (1.4 * 6);
  const scale = (lane, position) => zeta(Math.floor(lane / 2)) ** ((position - 10) / 64);
  const wanted = (sign) =>
    range(4, 30).flatMap((position, token) =>
      rotate(x.slice(token * 6, token * 6 + 6), position, { layout: "interleaved" }).map(
        (value, lane) => value * scale(lane, position) ** sign,
      ),
    );
  assertClose(xpos.apply(x.slice(), { shape: [4, 6], offset: 30, side: "query" }), wanted(1), 1e-6);
  assertClose(xpos.apply(x.slice(), { shape: [4, 6], offset: 30, side: "key" }), wanted(-1), 1e-6);
  const scales = xpos.scales({ length: 2, offset: 30 });
  assert.deepEqual(scales.shape, [2, 3]);
  assertClose(
    scales.data,
    [30, 31].flatMap((position) => [0, 2, 4].map((lane) => scale(lane, position))),
    6e-8,
  );
  xpos.delete();
  assert.throws(() => xpos.scales({ length: 1 }), TypeError);
});

test("the precision float32 has transformers' angles", () => {
  const { fround } = Math;
  const options = { dim: 64, layout: "half", base: 500000 };
  const rotary = pe.rotary({ ...options, precision: "float32" });
  const frequency = (i) => fround(1 / fround(500000 ** fround((2 * i) / 64)));
  const angles = [0, 4095, 131071].flatMap((p) => range(32).map((i) => fround(frequency(i) * p)));
  const { cos, sin } = rotary.cache({ positions: [0, 4095, 131071] });
  assertClose(cos.data, angles.map(Math.cos), 3.1e-8);
  assertClose(sin.data, angles.map(Math.sin), 3.1e-8);
  assert.deepEqual(
    pe.rotary({ ...options, precision: "exact" }).cache({ length: 9 }),
    small.rotary(options).cache({ length: 9 }),
  );
  assert.ok(Math.abs(angles[64 + 3] - 131071 * inverseFrequency(3, 64, 500000)) > 1e-4);
});

const rope = pe.rotary({ dim: 4, layout: "half" });
const x = () => new Float32Array(8);
const cache = { cos: { data: x(), shape: [2, 4] }, sin: { data: x(), shape: [2, 4] } };
const halves = { ...cache, layout: "half", form: "huggingface", shape: [2, 4] };

/** [the call, the error's class, how its message begins] */
const wrongCalls = [
  [() => rope.apply(x(), { shape: [1, 2, 4], dimAxis: 1 }), RangeError, "seqAxis: none, expected the axis"],
  [() => rope.apply(x(), { shape: [2, 4], dimAxis: 2 }), RangeError, "dimAxis: 2, expected an axis"],
  [
    () => rope.apply(x(), { shape: [2, 4], batchAxis: 0 }),
    RangeError,
    "batchAxis: 0, expected an axis of the shape other",
  ],
  [() => rope.apply(x(), { shape: [2, 4], batchAxis: "0" }), TypeError, 'batchAxis: "0", expected a number'],
  [
    () => rope.apply(x(), { shape: [1, 2, 1, 4], positions: { data: [1, 2, 3, 4], shape: [2, 2] } }),
    RangeError,
    "positions: 2 lists, expected 1 lists",
  ],
  [
    () => rope.apply(x(), { shape: [2, 4], positions: { data: [1, 2, 3], shape: [2] } }),
    RangeError,
    "positions.data: 3, expected 2 values",
  ],
  [
    () => rope.apply(x(), { shape: [2, 4], positions: { data: [1, 2], shape: [1, 2, 1] } }),
    RangeError,
    "positions.shape: [1, 2, 1], expected",
  ],
  [
    () => rope.apply(x(), { shape: [2, 4], positions: { data: [1, "2"], shape: [2] } }),
    TypeError,
    'positions.data[1]: "2", expected a number',
  ],
  [() => pe.packedPositions(3), TypeError, "boundaries: 3, expected an array of numbers"],
  [() => pe.packedPositions([]), RangeError, "boundaries: none, expected 0"],
  [() => pe.packedPositions([0, 3, 2]), RangeError, "boundaries: 2, expected a whole number from 3"],
  [() => pe.packedPositions([0, 1.5]), RangeError, "boundaries: 1.5, expected a whole number"],
  [() => pe.packedPositions([0, 2 ** 40]), RangeError, "boundaries: 1099511627776, expected"],
  [() => pe.maskPositions({ data: [1, 2], shape: [2] }), RangeError, "mask.data: 2, expected 0 or 1"],
  [() => pe.maskPositions({ data: [1], shape: [2] }), RangeError, "mask.data: 1, expected 2 values"],
  [
    () => pe.maskPositions({ data: [1], shape: [1] }, { padding: 2 ** 31 }),
    RangeError,
    "padding: 2147483648, expected",
  ],
  [() => pe.rotaryCache({ rotary: rope, length: 1 }), TypeError, "form: undefined, expected the name of a form"],
  [() => pe.rotaryCache({ rotary: rope, length: 1, form: "hf" }), RangeError, 'form: "hf", expected one of "onnx"'],
  [
    () => pe.rotaryCache({ rotary: {}, length: 1, form: "onnx" }),
    TypeError,
    "rotary: [object Object], expected what rotary()",
  ],
  [
    () => pe.rotaryMatrix({ rotary: small.rotary({ dim: 4, layout: "half" }), position: 0 }),
    TypeError,
    "rotary: [object Object], expected what rotary() of this entry made",
  ],
  [() => pe.rotateWithCache(x(), { ...halves, layout: undefined }), TypeError, "layout: undefined, expected the name"],
  [() => pe.rotateWithCache(x(), { ...halves, form: "hf" }), RangeError, 'form: "hf", expected one of "onnx"'],
  [
    () => pe.rotateWithCache(x(), { ...halves, sin: { data: new Float32Array(4), shape: [1, 4] } }),
    RangeError,
    "sin.shape: [1, 4], expected [2, 4]",
  ],
  [
    () => pe.rotateWithCache(x(), { ...halves, cos: { data: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), shape: [2, 4] } }),
    RangeError,
    "cosines: 3, expected every number twice",
  ],
  [() => pe.rotateWithCache(x(), { ...halves, offset: 1 }), RangeError, "positions: 2, expected whole numbers from 0"],
  [
    () => pe.rotateWithCache(x(), { ...halves, cosSin: cache.cos }),
    TypeError,
    "rotateWithCache.cosSin: [object Object]",
  ],
  [() => pe.shiftRotated(x(), { rotary: rope, shape: [2, 4] }), TypeError, "by: undefined, expected a number"],
  [() => pe.shiftRotated(x(), { rotary: rope, by: [1], shape: [2, 4] }), RangeError, "positions: 1, expected 2"],
  [
    () => pe.rotateAgain(x(), { from: pe.rotary({ dim: 4, layout: "interleaved" }), to: rope, shape: [2, 4] }),
    RangeError,
    "from: interleaved, expected a rotary of the same layout",
  ],
  [() => pe.rotaryMatrix({ rotary: rope, position: Number.NaN }), RangeError, "position: NaN, expected"],
  [
    () => pe.convertLayout(cache.cos, { dim: 4, from: "half", to: "neox", axis: 1 }),
    RangeError,
    'to: "neox", expected one of',
  ],
  [() => pe.convertLayout(cache.cos, { dim: 4, from: "half", to: "half" }), TypeError, "axis: undefined, expected"],
  [
    () => pe.convertLayout(cache.cos, { dim: 4, from: "half", to: "half", axis: 0 }),
    RangeError,
    "x.shape: [2, 4], expected a multiple of 4 (dim)",
  ],
  [
    () => pe.convertLayout(cache.cos, { dim: 4, from: "half", to: "half", axis: 2 }),
    RangeError,
    "axis: 2, expected an axis of x: from -2 to 1",
  ],
  [
    () =>
      pe.linearAttention({
        rotary: pe.rotary({ dim: 6, layout: "half" }),
        query: cache.cos,
        key: cache.cos,
        value: cache.cos,
      }),
    RangeError,
    "dim: 4, expected that of the rotary, 6",
  ],
  [() => pe.xpos({ dim: 4, layout: "half" }), TypeError, "centre: undefined, expected a number"],
  [() => pe.xpos({ dim: 4, layout: "half", centre: 0, scaleBase: 0 }), RangeError, "scaleBase: 0, expected"],
  [
    () => pe.xpos({ dim: 4, layout: "half", centre: 0 }).apply(x(), { shape: [2, 4] }),
    TypeError,
    'side: undefined, expected "query" or "key"',
  ],
  [
    () => pe.xpos({ dim: 4, layout: "half", centre: 0 }).apply(x(), { shape: [2, 4], side: "key", offset: 1e6 }),
    RangeError,
    "positions: 1000000, expected positions at most 32695 from the centre",
  ],
  [
    () => pe.rotary({ dim: 4, layout: "half", precision: "f32" }),
    RangeError,
    'precision: "f32", expected "float32" (or one of',
  ],
  [() => small.rotary({ dim: 4, layout: "half", precision: "float32" }), TypeError, "rotary.precision: "],
  [
    () => pe.rotary({ dim: 4, layout: "half", precision: "float32", exponent: "half" }),
    RangeError,
    "exponent: another, expected",
  ],
];

for (const [call, kind, start] of wrongCalls) {
  test(`${kind.name}: ${start}`, () => {
    assert.throws(call, (error) => {
      assert.equal(error.constructor, kind);
      assert.equal(error.message.slice(0, start.length), start);
      return true;
    });
  });
}
