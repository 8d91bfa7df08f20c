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
    [() => rope.step(buffer, { shape, seqAxis: 1, offset: 1 }), TypeError, "step.offset: 1, expected one of shape"],
    [() => rope.step(buffer, { shape, seqAxis: 1, inverse: 1 }), TypeError, "inverse: 1, expected true or false"],
    [() => rope.step(buffer), TypeError, "step: undefined, expected an object of options"],
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
