import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";
import { load as loadFull } from "posenc/full";

const pe = await load();
const full = await loadFull();

const values = (count) => Float32Array.from({ length: count }, (_, i) => Math.sin(i + 1));

/** cos and sin of position * base^(-2i/dim), by the formula, and the pair rotated by it. */
function rotated(x, dim, position, layout) {
  const out = Float64Array.from(x);
  for (let head = 0; head < x.length; head += dim) {
    for (let i = 0; i < dim / 2; ++i) {
      const angle = position * 10000 ** ((-2 * i) / dim);
      const [first, second] = layout === "half" ? [head + i, head + i + dim / 2] : [head + 2 * i, head + 2 * i + 1];
      out[first] = x[first] * Math.cos(angle) - x[second] * Math.sin(angle);
      out[second] = x[first] * Math.sin(angle) + x[second] * Math.cos(angle);
    }
  }
  return out;
}

for (const layout of ["half", "interleaved"]) {
  test(`${layout}: a step rotates by the formula, at positions that follow, jump and come back`, () => {
    const rope = pe.rotary({ dim: 64, layout });
    const buffer = pe.buffer(5 * 64);
    const x = values(buffer.length);
    const step = rope.step(buffer, { shape: [1, 5, 64], seqAxis: 0 });
    for (const position of [0, 1, 2, 3, 40, 41, 42, 7, 100000, 100001, 2.5, -3]) {
      buffer.view.set(x);
      assert.equal(step.apply(position), undefined);
      const expected = rotated(x, 64, position, layout);
      for (const [i, value] of buffer.view.entries())
        assert.ok(Math.abs(value - expected[i]) < 4e-7, `${position}, ${i}`);
      assert.deepEqual(buffer.view.slice(), rope.apply(x.slice(), { shape: [1, 5, 64], seqAxis: 0, offset: position }));
    }
  });
}

test("a step of several tokens, of any axes, and back", () => {
  const rope = full.rotary({ dim: 8, layout: "deinterleaved" });
  const buffer = full.buffer(2 * 3 * 8);
  buffer.view.set(values(buffer.length));
  const options = { shape: [2, 3, 8], seqAxis: 1 };
  const [step, back] = [rope.step(buffer, options), rope.step(buffer, { ...options, inverse: true })];
  step.apply(5);
  assert.deepEqual(buffer.view.slice(), rope.apply(values(48), { ...options, offset: 5 }));
  back.apply(5);
  for (const [i, value] of values(48).entries()) assert.ok(Math.abs(buffer.view[i] - value) < 4e-7);
});

test("a list of positions: one token of each sequence of a batch, the bits of apply row by row", () => {
  for (const [entry, layout] of [
    [pe, "half"],
    [pe, "interleaved"],
    [full, "deinterleaved"],
  ]) {
    const [sequences, heads, dim] = [5, 3, 16];
    const rope = entry.rotary({ dim, layout, rotaryDim: 12, scaling: { type: "yarn", factor: 4, originalLength: 64 } });
    const buffer = entry.buffer(sequences * heads * dim);
    const x = values(buffer.length);
    const step = rope.step(buffer, { shape: [sequences, heads, dim], seqAxis: 0 });
    const back = rope.step(buffer, { shape: [sequences, heads, dim], seqAxis: 0, inverse: true });
    for (const positions of [
      [0, 1, 2, 3, 4],
      [17, 4, 301, 4, 100000],
      [-2, 0.5, 2 ** 20, 0, 1],
    ]) {
      const rows = positions.map((offset, i) =>
        rope.apply(x.slice(i * heads * dim, (i + 1) * heads * dim), { shape: [1, heads, dim], seqAxis: 0, offset }),
      );
      const exact = positions.every(Number.isInteger);
      for (const list of [
        positions,
        Float64Array.from(positions),
        { data: Float64Array.from(positions), shape: [sequences] },
        ...(exact ? [Int32Array.from(positions), BigInt64Array.from(positions, BigInt)] : []),
      ]) {
        buffer.view.set(x);
        assert.equal(step.apply(list), undefined);
        assert.deepEqual(buffer.view.slice(), Float32Array.from(rows.flatMap((row) => [...row])));
      }
      back.apply(positions);
      const factor = rope.attentionFactor ** 2;
      for (const [i, value] of x.entries()) {
        const isRotated = i % dim < 12;
        assert.ok(Math.abs(buffer.view[i] - value * (isRotated ? factor : 1)) < 2e-6, `${i}`);
      }
    }
    // A number goes on as it was.
    buffer.view.set(x);
    step.apply(7);
    assert.deepEqual(
      buffer.view.slice(),
      rope.apply(x.slice(), { shape: [sequences, heads, dim], seqAxis: 0, offset: 7 }),
    );
  }
});

test("a list of positions with a batch axis: several tokens of each sequence", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const shape = [2, 3, 2, 4];
  const buffer = pe.buffer(48);
  const step = rope.step(buffer, { shape, seqAxis: 1, batchAxis: 0 });
  const positions = { data: [5, 6, 7, 100, 101, 102], shape: [2, 3] };
  buffer.view.set(values(48));
  step.apply(positions);
  const parts = [5, 100].map((offset, i) =>
    rope.apply(values(48).slice(i * 24, (i + 1) * 24), { shape: [3, 2, 4], seqAxis: 0, offset }),
  );
  assert.deepEqual([...buffer.view], [...parts[0], ...parts[1]]);
});

test("a list of positions that does not fit is named, and nothing is written", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const buffer = pe.buffer(12);
  const step = rope.step(buffer, { shape: [3, 1, 4], seqAxis: 0 });
  buffer.view.fill(1);
  for (const [list, message] of [
    [[1, 2], /^RangeError: positions/],
    [[1, 2, Number.NaN], /^RangeError: positions: NaN/],
    [[1, 2, "3"], /^TypeError: positions\[2\]: "3"/],
    [{}, /^TypeError: positions: /],
    [null, /^TypeError: position: null, expected a number/],
    [[[1, 2, 3]], /^TypeError: positions\[0\]: /],
  ])
    assert.throws(
      () => step.apply(list),
      (error) => message.test(`${error.name}: ${error.message}`),
      `${message}`,
    );
  assert.deepEqual([...buffer.view], Array(12).fill(1));
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
  const step = rope.step(buffer.view.subarray(0, 4), { shape: [1, 4] });
  assert.throws(() => rope.step(buffer.view.subarray(0, 5), { shape: [1, 4] }), /^RangeError: x: 5, expected 4/);
  assert.throws(() => rope.step(full.buffer(8).view.subarray(4), { shape: [1, 4] }), /^TypeError: x: .*buffer\(\)/);
  buffer.delete();
  assert.throws(() => step.apply(2), /^TypeError: buffer: .*still alive/);
  assert.throws(() => step.apply([2]), /^TypeError: buffer: .*still alive/);
});

test("a step survives the growth of the module's memory", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const buffer = pe.buffer(4);
  const step = rope.step(buffer, { shape: [1, 4] });
  const large = pe.buffer(80 << 20);
  buffer.view.set([1, 2, 3, 4]);
  step.apply(2);
  assert.deepEqual(buffer.view.slice(), rope.apply(Float32Array.of(1, 2, 3, 4), { shape: [1, 4], offset: 2 }));
  large.delete();
});

test("what is wrong is named, and nothing is written", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const buffer = pe.buffer(8);
  const shape = [1, 2, 4];
  buffer.view.fill(1);
  const wrong = [
    [() => rope.step(new Float32Array(8), { shape }), TypeError, "x: [object Float32Array], expected what buffer()"],
    [() => rope.step(full.buffer(8), { shape }), TypeError, "x: [object Object], expected what buffer()"],
    [() => rope.step(buffer, { shape: [1, 3, 4], seqAxis: 1 }), RangeError, "x: 8, expected 12"],
    [() => rope.step(buffer, { shape: [1, 8] }), RangeError, "shape: 8, expected 4"],
    [() => rope.step(buffer, { shape, seqAxis: 1 }).apply("1"), TypeError, 'position: "1", expected a number'],
    [() => rope.step(buffer, { shape, seqAxis: 1 }).apply(Number.NaN), RangeError, "offset: NaN, expected"],
    [
      () => rope.step(buffer, { shape, seqAxis: 1 }).apply(2 ** 60),
      RangeError,
      "offset: 1152921504606847000, expected",
    ],
  ];
  for (const [call, type, begins] of wrong) {
    assert.throws(call, (error) => error.constructor === type && error.message.startsWith(begins), begins);
  }
  assert.deepEqual([...buffer.view], Array(8).fill(1));
});

test("a step cannot be used when it, its rotary or its buffer is deleted", () => {
  const make = () => {
    const made = { rope: pe.rotary({ dim: 4, layout: "half" }), buffer: pe.buffer(4) };
    return { ...made, step: made.rope.step(made.buffer, { shape: [1, 4] }) };
  };
  for (const [what, name] of [
    ["rope", "rotary"],
    ["buffer", "buffer"],
    ["step", "step"],
  ]) {
    const made = make();
    made.step.apply(1);
    made[what].delete();
    made[what].delete();
    assert.throws(() => made.step.apply(2), new RegExp(`^TypeError: ${name}: .*still alive`));
  }
});
