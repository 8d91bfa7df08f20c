// A step rotates a buffer again and again, with the bits of apply; its rotary, its buffer and itself have to be alive.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";
import { load as loadFull } from "posenc/full";

const pe = await load();
const full = await loadFull();

const values = (count) => Float32Array.from({ length: count }, (_, i) => Math.sin(i + 1));

for (const [entry, library, layout] of [
  ["posenc", pe, "half"],
  ["posenc", pe, "interleaved"],
  ["posenc/full", full, "deinterleaved"],
])
  test(`${entry}, ${layout}: positions follow, jump and come back, or are a list`, () => {
    const shape = [5, 3, 16];
    const scaling = { type: "yarn", factor: 4, originalLength: 64 };
    const rope = library.rotary({ dim: 16, layout, rotaryDim: 12, scaling });
    const buffer = library.buffer(5 * 3 * 16);
    const x = values(buffer.length);
    const [step, back] = [false, true].map((inverse) => rope.step(buffer, { shape, seqAxis: 0, inverse }));
    const check = (by, given, own) => {
      buffer.view.set(x);
      assert.equal(by.apply(given), undefined);
      const wanted = rope.apply(x.slice(), { shape, seqAxis: 0, inverse: by === back, ...own });
      assert.deepEqual(buffer.view.slice(), wanted);
    };
    for (const offset of [0, 1, 2, 40, 41, 7, 100000, 100001, 2.5, -3]) check(step, offset, { offset });
    check(back, 7, { offset: 7 });
    for (const positions of [
      [17, 4, 301, 4, 100000],
      [-2, 0.5, 2 ** 20, 0, 1],
    ])
      for (const list of [positions, Float64Array.from(positions), { data: positions, shape: [5] }]) {
        check(step, list, { positions });
        check(back, list, { positions });
      }
    check(step, BigInt64Array.of(1n, 2n, 3n, 4n, 5n), { positions: [1, 2, 3, 4, 5] });
    check(step, 7, { offset: 7 });
  });

test("a list of positions with a batch axis: several tokens of each sequence", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const axes = { shape: [2, 3, 2, 4], seqAxis: 1, batchAxis: 0 };
  const buffer = pe.buffer(48);
  const positions = { data: [5, 6, 7, 100, 101, 102], shape: [2, 3] };
  buffer.view.set(values(48));
  rope.step(buffer, axes).apply(positions);
  assert.deepEqual(buffer.view.slice(), rope.apply(values(48), { ...axes, positions }));
});

test("a step on a part of a buffer changes that part alone, after the memory has grown too", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const buffer = pe.buffer(40);
  const [from, to] = [8, 24];
  for (const part of [
    () => buffer.view.subarray(from, to),
    () => new Float32Array(buffer.view.buffer, buffer.view.byteOffset + 4 * from, to - from),
  ]) {
    const step = rope.step(part(), { shape: [2, 2, 4], seqAxis: 0 });
    const large = pe.buffer(60 << 20);
    for (const position of [3, [9, 1]]) {
      buffer.view.set(values(40));
      step.apply(position);
      const own = typeof position === "number" ? { offset: position } : { positions: position };
      const wanted = values(40);
      wanted.set(rope.apply(values(40).slice(from, to), { shape: [2, 2, 4], seqAxis: 0, ...own }), from);
      assert.deepEqual(buffer.view.slice(), wanted);
    }
    assert.throws(() => step.apply(2 ** 60), /^RangeError: offset: /);
    large.delete();
  }
  assert.throws(() => rope.step(buffer.view.subarray(0, 5), { shape: [1, 4] }), /^RangeError: x: 5, expected 4/);
  assert.throws(() => rope.step(full.buffer(8).view.subarray(4), { shape: [1, 4] }), /^TypeError: x: .*buffer\(\)/);
});

test("what is wrong is named, and nothing is written", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const buffer = pe.buffer(12);
  const shape = [3, 1, 4];
  const step = rope.step(buffer, { shape, seqAxis: 0 });
  buffer.view.fill(1);
  for (const [call, message] of [
    [
      () => rope.step(new Float32Array(8), { shape }),
      /^TypeError: x: \[object Float32Array\], expected what buffer\(\)/,
    ],
    [() => rope.step(full.buffer(8), { shape }), /^TypeError: x: an object, expected what buffer\(\)/],
    [() => rope.step(buffer, { shape: [1, 4, 4], seqAxis: 1 }), /^RangeError: x: 12, expected 16/],
    [() => rope.step(buffer, { shape: [1, 12] }), /^RangeError: shape: 12, expected 4/],
    [() => step.apply("1"), /^TypeError: position: "1", expected a number/],
    [() => step.apply(null), /^TypeError: position: null, expected a number/],
    [() => step.apply(Number.NaN), /^RangeError: offset: NaN, expected/],
    [() => step.apply([1, 2]), /^RangeError: positions/],
    [() => step.apply([1, 2, Number.NaN]), /^RangeError: positions: NaN/],
    [() => step.apply([1, 2, "3"]), /^TypeError: positions\[2\]: "3"/],
    [() => step.apply({}), /^TypeError: positions: /],
    [() => step.apply([[1, 2, 3]]), /^TypeError: positions\[0\]: /],
  ])
    assert.throws(call, message);
  assert.deepEqual([...buffer.view], Array(12).fill(1));
});

test("a step cannot be used when it, its rotary or its buffer is deleted", () => {
  for (const [what, name] of [
    ["rope", "rotary"],
    ["buffer", "buffer"],
    ["step", "step"],
  ]) {
    const made = { rope: pe.rotary({ dim: 4, layout: "half" }), buffer: pe.buffer(4) };
    made.step = made.rope.step(made.buffer, { shape: [1, 4] });
    made.step.apply(1);
    made[what].delete();
    made[what].delete();
    for (const position of [2, [2]])
      assert.throws(() => made.step.apply(position), new RegExp(`^TypeError: ${name}: .*still alive`));
  }
});
