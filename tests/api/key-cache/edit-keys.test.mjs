// Edits of keys: which array the result is in, what is said of it, and rotations and dtypes of every kind.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { assertClose, pseudoRandom, range } from "../testing/reference.mjs";

const pe = await load();
const [TOKENS, HEADS, DIM] = [5, 2, 32];
const shape = [TOKENS, HEADS, DIM];
const axes = { shape, seqAxis: 0 };
const rotary = pe.rotary({ dim: DIM, layout: "half" });
const size = HEADS * DIM;
const random = (seed) => pseudoRandom(TOKENS * size, seed);
const shiftBy = (by) => [{ type: "shift", by }];

/** Tokens of keys, each rotated by so many positions. */
const turned = (keys, positions, by = rotary) =>
  by.apply(keys.slice(), { shape: [positions.length, HEADS, DIM], seqAxis: 0, positions });

test("a list of edits: tokens go, others close up, one rounding", () => {
  const keys = random(1);
  const before = keys.slice();
  const edits = [{ type: "drop", from: 1, to: 3 }, ...shiftBy(7)];
  const edited = pe.editKeys(keys, { ...axes, rotary, offset: 100, edits });
  const { bound, positions, ...others } = edited;
  assert.deepEqual(others, { keys, shape, dtype: "float32", lengths: [3] });
  assert.equal(edited.keys, keys);
  assert.deepEqual(positions, Float64Array.of(107, 108, 109));
  const left = Float32Array.from([0, 3, 4].flatMap((i) => [...before.subarray(i * size, (i + 1) * size)]));
  assertClose(keys.subarray(0, 3 * size), turned(left, [7, 5, 5]), 2 * bound.dimension);
  assert.ok(bound.ulps < 3 && bound.ulps > 1);
  // Values behind the last token stay.
  assert.deepEqual(keys.subarray(3 * size), before.subarray(3 * size));
});

test("keys that come in make room, in a new array where there is none", () => {
  const keys = random(2);
  const before = keys.slice();
  const other = pe.rotary({ dim: DIM, layout: "half", base: 500 });
  const plain = pseudoRandom(size, 3);
  const own = { keys: turned(plain, [40], other), shape: [1, HEADS, DIM], seqAxis: 0, rotary: other, offset: 40 };
  const edits = [
    { type: "insert", at: 2, ...own },
    { type: "insert", at: 6, count: 1 },
  ];
  const edited = pe.editKeys(keys, { ...axes, rotary, edits });
  assert.deepEqual(keys, before);
  assert.deepEqual([edited.shape, [...edited.positions]], [[7, HEADS, DIM], range(7)]);
  const behind = turned(before.subarray(2 * size), [1, 1, 1]);
  const expected = [...before.subarray(0, 2 * size), ...turned(plain, [2]), ...behind, ...Array(size).fill(0)];
  assertClose(edited.keys, expected, 1e-6);
  // Given room for more, they stay where they are.
  const larger = new Float32Array(9 * size);
  larger.set(before);
  const inPlace = pe.editKeys(larger, { shape: [9, HEADS, DIM], seqAxis: 0, rotary, positions: range(5), edits });
  assert.equal(inPlace.keys, larger);
  assert.deepEqual(larger.subarray(0, 7 * size), edited.keys);
  const out = new Float32Array(edited.keys.length);
  assert.equal(pe.editKeys(keys, { ...axes, rotary, edits, out }).keys, out);
  assert.deepEqual(out, edited.keys);
});

for (const dtype of ["float16", "bfloat16", "q8_0"])
  test(`${dtype}: keys come in an array of their own type, and are edited in place`, () => {
    const convert = (keys, to, more) =>
      pe.editKeys(keys, { ...axes, rotary, edits: [{ type: "convert", dtype: to }], ...more });
    const { keys, dtype: name } = convert(random(4), dtype);
    assert.equal(name, dtype);
    if (dtype === "q8_0") assert.ok(keys instanceof Uint8Array && keys.length === ((TOKENS * size) / 32) * 34);
    else assert.equal(keys.BYTES_PER_ELEMENT * keys.length, 2 * TOKENS * size);
    const before = Float32Array.from(convert(keys.slice(), "float32", { dtype }).keys);
    const edited = pe.editKeys(keys, { ...axes, rotary, dtype, edits: shiftBy(9) });
    assert.equal(edited.keys, keys);
    const { keys: back, bound } = convert(keys, "float32", { dtype });
    assert.equal(bound.dimension, 0);
    assertClose(back, turned(before, Array(TOKENS).fill(9)), 2 * edited.bound.dimension);
  });

/** What rotates, where its keys are, by how much they are moved, and where that is. */
const apart = range(3 * TOKENS).map((i) => i + 10);
const rotations = {
  mrope: {
    by: pe.mrope({ dim: DIM, layout: "half", sections: [4, 6, 6], order: "chunked" }),
    ...{ name: "positions", from: apart, given: { data: apart, shape: [3, TOKENS] }, shift: [1, -2, 3] },
    to: apart.map((id, i) => id + [1, -2, 3][Math.floor(i / TOKENS)]),
  },
  rotaryGrid: {
    by: pe.rotaryGrid({ preset: "axial", dim: DIM, layout: "interleaved", axes: 2 }),
    ...{ name: "points", from: range(2 * TOKENS), given: range(2 * TOKENS), shift: [5, -1] },
    to: range(2 * TOKENS).map((point, i) => point + (i % 2 === 0 ? 5 : -1)),
  },
  xpos: {
    by: pe.xpos({ dim: DIM, layout: "half", centre: 8 }),
    ...{ name: "positions", from: range(TOKENS, 20), given: range(TOKENS, 20), shift: -15, more: { side: "key" } },
    to: range(TOKENS, 5),
  },
};

for (const [what, { by, name, from, given, shift, to, more }] of Object.entries(rotations))
  test(`${what}: positions as its own functions take them`, () => {
    const at = (list) => by.apply(random(5), { ...axes, ...more, [name]: list });
    const moved = pe.editKeys(at(from), { ...axes, rotary: by, positions: given, edits: shiftBy(shift) });
    assertClose(moved.keys, at(to), 1e-6);
    assert.deepEqual([...moved.positions], to);
  });

test("keys in a buffer of the library's are edited there, also when its memory grows", () => {
  const buffer = pe.buffer(TOKENS * size);
  buffer.view.set(random(8));
  const before = buffer.view.slice();
  const own = pe.rotary({ dim: DIM, layout: "half" });
  const { byteLength } = buffer.view.buffer;
  const edits = [...shiftBy(5), { type: "insert", at: 0, count: 2 ** 20 }, { type: "drop", to: 2 ** 20 }];
  const { keys } = pe.editKeys(buffer.view, { ...axes, rotary: own, edits });
  // A view of before would be empty: it is a new one of the same memory.
  assert.deepEqual([keys.buffer, keys.byteOffset], [buffer.view.buffer, buffer.view.byteOffset]);
  assert.notEqual(buffer.view.buffer.byteLength, byteLength);
  assertClose(buffer.view, turned(before, Array(TOKENS).fill(5)), 1e-6);
  own.delete();
  assert.throws(() => pe.editKeys(buffer.view, { ...axes, rotary: own, edits: [] }), TypeError);
  buffer.delete();
});

test("bytes of no whole blocks, and a dtype with a name that every object has, are refused by their names", () => {
  assert.throws(() => pe.editKeys(new Uint8Array(341), { ...axes, rotary, edits: [] }), /^RangeError: keys: 341/);
  for (const dtype of ["toString", "constructor", "__proto__"]) {
    const edits = [{ type: "insert", at: 0, keys: new Uint16Array(2 * DIM), shape: [2, DIM], rotary, dtype }];
    assert.throws(() => pe.editKeys(new Uint16Array(4 * DIM), { shape: [4, DIM], rotary, dtype: "bfloat16", edits }), {
      name: "RangeError",
      argument: /dtype$/,
      value: dtype,
    });
  }
});
