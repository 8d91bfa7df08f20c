import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { inverseFrequency, pseudoRandom, range } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const [TOKENS, HEADS, DIM] = [5, 2, 32];
const shape = [TOKENS, HEADS, DIM];
const axes = { shape, seqAxis: 0 };
const rotary = pe.rotary({ dim: DIM, layout: "half" });
const random = (seed) => pseudoRandom(TOKENS * HEADS * DIM, seed);

/** Keys [tokens, heads, DIM] of halves, each token rotated by so many positions, in double. */
function rotated(keys, by, base = 10000) {
  const out = Array.from(keys);
  for (let head = 0; head < out.length / DIM; ++head) {
    for (let i = 0; i < DIM / 2; ++i) {
      const angle = by[Math.floor(head / HEADS)] * inverseFrequency(i, DIM, base);
      const [a, b] = [keys[head * DIM + i], keys[head * DIM + i + DIM / 2]];
      out[head * DIM + i] = a * Math.cos(angle) - b * Math.sin(angle);
      out[head * DIM + i + DIM / 2] = a * Math.sin(angle) + b * Math.cos(angle);
    }
  }
  return out;
}

function assertWithin(values, expected, tolerance) {
  assert.equal(values.length, expected.length);
  for (let i = 0; i < expected.length; ++i) {
    assert.ok(Math.abs(values[i] - expected[i]) <= tolerance, `${i}: ${values[i]}, ${expected[i]}`);
  }
}

const token = (keys, i) => Array.from(keys.slice(i * HEADS * DIM, (i + 1) * HEADS * DIM));

test("a list of edits: tokens go, others close up, one rounding", () => {
  const keys = random(1);
  const before = keys.slice();
  const edited = pe.editKeys(keys, {
    ...axes,
    rotary,
    offset: 100,
    edits: [
      { type: "drop", from: 1, to: 3 },
      { type: "shift", by: 7 },
    ],
  });
  assert.equal(edited.keys, keys);
  assert.deepEqual(edited.shape, shape);
  assert.equal(edited.dtype, "float32");
  assert.deepEqual([...edited.positions], [107, 108, 109]);
  assert.deepEqual(edited.lengths, [3]);
  const left = [0, 3, 4].flatMap((i) => token(before, i));
  assertWithin(keys.subarray(0, left.length), rotated(left, [7, 5, 5]), Math.SQRT2 * edited.bound.dimension);
  assert.ok(edited.bound.ulps < 3 && edited.bound.ulps > 1);
  // Values behind the last token stay.
  assert.deepEqual(token(keys, 3), token(before, 3));
});

test("keys that come in make room, in a new array where there is none", () => {
  const keys = random(2);
  const other = pe.rotary({ dim: DIM, layout: "half", base: 500 });
  const own = rotated(pseudoRandom(HEADS * DIM, 3), [40], 500);
  const plain = pseudoRandom(HEADS * DIM, 3);
  const edits = [
    {
      type: "insert",
      at: 2,
      keys: new Float32Array(own),
      shape: [1, HEADS, DIM],
      seqAxis: 0,
      rotary: other,
      offset: 40,
    },
    { type: "insert", at: 6, count: 1 },
  ];
  const before = keys.slice();
  const edited = pe.editKeys(keys, { ...axes, rotary, edits });
  assert.deepEqual(keys, before);
  assert.deepEqual(edited.shape, [7, HEADS, DIM]);
  assert.deepEqual([...edited.positions], range(7));
  const expected = [
    ...token(before, 0),
    ...token(before, 1),
    ...rotated(plain, [2]),
    ...rotated(
      [2, 3, 4].flatMap((i) => token(before, i)),
      [1, 1, 1],
    ),
    ...new Array(HEADS * DIM).fill(0),
  ];
  assertWithin(edited.keys, expected, 1e-6);
  // Given room for more, they stay where they are.
  const larger = new Float32Array(9 * HEADS * DIM);
  larger.set(before);
  const inPlace = pe.editKeys(larger, { shape: [9, HEADS, DIM], seqAxis: 0, rotary, positions: range(5), edits });
  assert.equal(inPlace.keys, larger);
  assert.deepEqual(larger.subarray(0, 7 * HEADS * DIM), edited.keys);
  const out = new Float32Array(edited.keys.length);
  assert.equal(pe.editKeys(keys, { ...axes, rotary, edits, out }).keys, out);
  assert.deepEqual(out, edited.keys);
});

for (const dtype of ["float16", "bfloat16", "q8_0"]) {
  test(`${dtype}: keys come in an array of their own type, and are edited in place`, () => {
    const convert = (keys, to, more) =>
      pe.editKeys(keys, { ...axes, rotary, edits: [{ type: "convert", dtype: to }], ...more });
    const { keys, dtype: name } = convert(random(4), dtype);
    assert.equal(name, dtype);
    const size = TOKENS * HEADS * DIM;
    if (dtype === "q8_0") assert.ok(keys instanceof Uint8Array && keys.length === (size / 32) * 34);
    else assert.equal(keys.BYTES_PER_ELEMENT * keys.length, 2 * size);
    const before = Float32Array.from(convert(keys.slice(), "float32", { dtype }).keys);
    const edited = pe.editKeys(keys, { ...axes, rotary, dtype, edits: [{ type: "shift", by: 9 }] });
    assert.equal(edited.keys, keys);
    const { keys: back, bound } = convert(keys, "float32", { dtype });
    assert.equal(bound.dimension, 0);
    assertWithin(back, rotated(before, new Array(TOKENS).fill(9)), Math.SQRT2 * edited.bound.dimension);
  });
}

test("M-RoPE, grids and xPos: positions as their own functions take them", () => {
  const mrope = pe.mrope({ dim: DIM, layout: "half", sections: [4, 6, 6], order: "chunked" });
  const x = random(5);
  const apart = range(3 * TOKENS).map((i) => i + 10);
  const moved = pe.editKeys(mrope.apply(x.slice(), { ...axes, positions: apart }), {
    ...axes,
    rotary: mrope,
    positions: { data: apart, shape: [3, TOKENS] },
    edits: [{ type: "shift", by: [1, -2, 3] }],
  });
  const plus = [1, -2, 3];
  const shifted = apart.map((id, i) => id + plus[Math.floor(i / TOKENS)]);
  assertWithin(moved.keys, mrope.apply(x.slice(), { ...axes, positions: shifted }), 1e-6);
  assert.deepEqual([...moved.positions], shifted);

  const grid = pe.rotaryGrid({ preset: "axial", dim: DIM, layout: "interleaved", axes: 2 });
  const points = range(2 * TOKENS);
  const there = pe.editKeys(grid.apply(x.slice(), { ...axes, points }), {
    ...axes,
    rotary: grid,
    positions: points,
    edits: [{ type: "shift", by: [5, -1] }],
  });
  const movedPoints = points.map((point, i) => point + (i % 2 === 0 ? 5 : -1));
  assertWithin(there.keys, grid.apply(x.slice(), { ...axes, points: movedPoints }), 1e-6);

  const xpos = pe.xpos({ dim: DIM, layout: "half", centre: 8 });
  const scaled = pe.editKeys(xpos.apply(x.slice(), { ...axes, side: "key", offset: 20 }), {
    ...axes,
    rotary: xpos,
    offset: 20,
    edits: [{ type: "shift", by: -15 }],
  });
  assertWithin(scaled.keys, xpos.apply(x.slice(), { ...axes, side: "key", offset: 5 }), 1e-6);
});

test("MLA's slice, another layout, lists of heads", () => {
  const wide = [TOKENS, HEADS, DIM + 16];
  const keys = pseudoRandom(TOKENS * HEADS * (DIM + 16), 6);
  const before = keys.slice();
  pe.editKeys(keys, { shape: wide, seqAxis: 0, rotary, firstDim: 16, edits: [{ type: "shift", by: 3 }] });
  const full = pe.rotary({ dim: DIM, layout: "half" });
  assertWithin(
    keys,
    full.apply(before.slice(), { shape: wide, seqAxis: 0, firstDim: 16, positions: new Array(TOKENS).fill(3) }),
    1e-6,
  );

  const interleaved = pe.rotary({ dim: DIM, layout: "interleaved" });
  const x = random(7);
  const { keys: dims } = pe.editKeys(x.slice(), { ...axes, rotary, edits: [{ type: "rotate", rotary: interleaved }] });
  const converted = pe.convertLayout({ data: x, shape }, { dim: DIM, from: "half", to: "interleaved", axis: -1 });
  assert.deepEqual(dims, converted.data);

  const lists = { data: [...range(TOKENS), ...range(TOKENS)], shape: [HEADS, TOKENS] };
  const edited = pe.editKeys(x.slice(), {
    shape,
    seqAxis: 0,
    batchAxis: 1,
    rotary,
    positions: lists,
    edits: [{ type: "drop", to: 2, list: 1 }],
  });
  assert.deepEqual(edited.lengths, [5, 3]);
  assert.deepEqual(edited.keys.slice(0, DIM), x.slice(0, DIM));
});

test("keys in a buffer of the library's are edited there, also when its memory grows", () => {
  const buffer = pe.buffer(TOKENS * HEADS * DIM);
  buffer.view.set(random(8));
  const before = buffer.view.slice();
  const own = pe.rotary({ dim: DIM, layout: "half" });
  const size = buffer.view.buffer.byteLength;
  const edits = [
    { type: "shift", by: 5 },
    { type: "insert", at: 0, count: 2 ** 20 },
    { type: "drop", to: 2 ** 20 },
  ];
  const { keys } = pe.editKeys(buffer.view, { ...axes, rotary: own, edits });
  // A view of before would be empty: it is a new one of the same memory.
  assert.deepEqual([keys.buffer, keys.byteOffset], [buffer.view.buffer, buffer.view.byteOffset]);
  assert.notEqual(buffer.view.buffer.byteLength, size);
  assertWithin(buffer.view, rotated(before, new Array(TOKENS).fill(5)), 1e-6);
  own.delete();
  assert.throws(() => pe.editKeys(buffer.view, { ...axes, rotary: own, edits: [] }), TypeError);
  buffer.delete();
});

const edit = (edits, more) => () => pe.editKeys(random(1), { ...axes, rotary, edits, ...more });
testWrongCalls([
  [() => pe.editKeys([1, 2], { ...axes, rotary, edits: [] }), TypeError, "keys: "],
  [() => pe.editKeys(random(1), { ...axes, rotary }), TypeError, "edits: undefined, expected an array"],
  [() => pe.editKeys(random(1), { ...axes, rotary: {}, edits: [] }), TypeError, "rotary: "],
  [() => pe.editKeys(random(1), { ...axes, rotary, edits: [], slots: [0] }), TypeError, "editKeys"],
  [() => pe.editKeys(new Uint16Array(320), { ...axes, rotary, edits: [] }), TypeError, "dtype: undefined"],
  [() => pe.editKeys(new Uint16Array(320), { ...axes, rotary, dtype: "q8_0", edits: [] }), TypeError, "keys: "],
  [() => pe.editKeys(new Uint8Array(340), { ...axes, rotary, dtype: "float16", edits: [] }), TypeError, "dtype: "],
  [() => pe.editKeys(new Uint8Array(341), { ...axes, rotary, edits: [] }), RangeError, "keys: 341"],
  [edit([{ type: "turn" }]), RangeError, 'edits[0].type: "turn", expected one of "shift"'],
  [edit([{ type: "shift" }]), TypeError, "edits[0].by: "],
  [edit([{ type: "shift", by: 1, at: 2 }]), TypeError, "edits[0].at"],
  [
    edit([
      { type: "shift", by: 1 },
      { type: "drop", from: 3, to: 9 },
    ]),
    RangeError,
    "edits[1].to: 9",
  ],
  [edit([{ type: "convert", dtype: "int4" }]), RangeError, 'edits[0].dtype: "int4"'],
  [edit([{ type: "insert", at: 0, keys: random(2) }]), TypeError, "edits[0].shape"],
  [edit([{ type: "insert", at: 0, keys: random(2), shape: [5, 1, 64], seqAxis: 0 }]), RangeError, "edits[0].shape: 64"],
  [edit([], { offset: 1, positions: [1] }), TypeError, "offset: 1, expected nothing beside positions"],
  [edit([], { positions: range(6) }), RangeError, "positions: 6"],
  [edit([], { positions: { data: range(8), shape: [2, 2, 2] } }), RangeError, "positions.shape: 3"],
  [edit([], { out: new Float32Array(3) }), RangeError, "out: 3"],
  [edit([], { out: new Uint8Array(3) }), TypeError, "out: "],
]);

test("a dtype with a name that every object has is refused by its name", () => {
  const rotary = pe.rotary({ dim: 8, layout: "half" });
  for (const dtype of ["toString", "constructor", "__proto__"]) {
    const edits = [{ type: "insert", at: 0, keys: new Uint16Array(2 * 8), shape: [2, 8], rotary, dtype }];
    assert.throws(() => pe.editKeys(new Uint16Array(4 * 8), { shape: [4, 8], rotary, dtype: "bfloat16", edits }), {
      name: "RangeError",
      argument: /dtype$/,
      value: dtype,
    });
  }
});
