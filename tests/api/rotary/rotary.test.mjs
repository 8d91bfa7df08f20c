import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";
import { assertClose, inverseFrequency, pseudoRandom, range, rotate } from "../testing/reference.mjs";

const pe = await load();
const layouts = ["half", "interleaved", "deinterleaved"];

/** [batch, seq, heads, dim] rotated by the plain formula. */
function expected(x, [batch, seq, heads, dim], positions, options) {
  const out = [];
  for (let i = 0; i < batch * seq * heads; ++i) {
    const token = Math.floor(i / heads) % seq;
    out.push(...rotate(x.slice(i * dim, (i + 1) * dim), positions[token], options));
  }
  return out;
}

for (const layout of layouts) {
  test(`${layout}: in place, as the formula says`, () => {
    const shape = [2, 5, 3, 16];
    const x = pseudoRandom(480);
    const wanted = expected(x, shape, range(5, 7), { layout });
    const rope = pe.rotary({ dim: 16, layout });
    assert.equal(rope.apply(x, { shape, seqAxis: 1, offset: 7 }), x);
    assertClose(x, wanted, 5e-7);
    rope.delete();
  });

  test(`${layout}: inverse undoes, norms stay, scores depend on the distance alone`, () => {
    const rope = pe.rotary({ dim: 32, layout, base: 500 });
    const original = pseudoRandom(64, 5);
    const at = (m, n) => rope.apply(original.slice(), { shape: [2, 32], positions: [m, n] });
    const score = (x) => x.slice(0, 32).reduce((sum, value, i) => sum + value * x[32 + i], 0);
    const there = at(3, 11);
    assert.ok(Math.abs(score(there) - score(at(1003, 1011))) < 1e-5);
    assert.ok(Math.abs(score(there) - score(at(3, 12))) > 1e-3);
    assert.ok(Math.abs(Math.hypot(...there) - Math.hypot(...original)) < 1e-5);
    rope.apply(there, { shape: [2, 32], positions: [3, 11], inverse: true });
    assertClose(there, original, 1e-6);
  });

  test(`${layout}: partial rotary leaves the other dimensions as they are`, () => {
    const x = pseudoRandom(40, 9);
    const rope = pe.rotary({ dim: 10, layout, rotaryDim: 6 });
    const wanted = expected(x, [1, 4, 1, 10], range(4), { layout, rotaryDim: 6 });
    const tails = range(4).map((row) => x.slice(row * 10 + 6, row * 10 + 10));
    rope.apply(x, { shape: [4, 1, 10], seqAxis: 0 });
    assertClose(x, wanted, 5e-7);
    assert.deepEqual(
      range(4).map((row) => x.slice(row * 10 + 6, row * 10 + 10)),
      tails,
    );
  });
}

test("an attention factor is in the one rounding of cosines and sines", () => {
  const rope = pe.rotary({ dim: 64, layout: "half", scaling: { type: "yarn", factor: 40, originalLength: 4096 } });
  const { data: frequencies } = pe.frequencies({
    dim: 64,
    scaling: { type: "yarn", factor: 40, originalLength: 4096 },
  });
  const { cos } = rope.cache({ length: 100 });
  assert.equal(cos.data[0], Math.fround(rope.attentionFactor));
  let same = 0;
  for (let i = 0; i < cos.data.length; ++i) {
    const exact = rope.attentionFactor * Math.cos(Math.floor(i / 32) * frequencies[i % 32]);
    // Math.cos, and the product, are doubles of some other last bit.
    assert.ok(Math.abs(cos.data[i] - exact) <= 0.501 * 2 ** (Math.floor(Math.log2(Math.abs(exact))) - 23), `at ${i}`);
    same += cos.data[i] === Math.fround(exact);
  }
  assert.ok(same > 0.999 * cos.data.length);
});

test("any sequence axis: [batch, heads, seq, dim] gives the transposed result, bit for bit", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  const [seq, heads, dim] = [3, 2, 4];
  const tokenMajor = pseudoRandom(seq * heads * dim, 3);
  const headMajor = new Float32Array(tokenMajor.length);
  const move = (from, to, back) => {
    for (let s = 0; s < seq; ++s)
      for (let h = 0; h < heads; ++h)
        for (let d = 0; d < dim; ++d) {
          const [a, b] = [(s * heads + h) * dim + d, (h * seq + s) * dim + d];
          to[back ? a : b] = from[back ? b : a];
        }
  };
  move(tokenMajor, headMajor, false);
  rope.apply(tokenMajor, { shape: [seq, heads, dim], seqAxis: 0, offset: 5 });
  rope.apply(headMajor, { shape: [1, heads, seq, dim], seqAxis: -2, offset: 5 });
  const again = new Float32Array(headMajor.length);
  move(headMajor, again, true);
  assert.deepEqual(again, tokenMajor);
});

test("the cache holds the cosines and sines that apply uses", () => {
  const rope = pe.rotary({ dim: 8, layout: "interleaved" });
  const { cos, sin } = rope.cache({ length: 6, offset: 2 });
  assert.deepEqual(cos.shape, [6, 4]);
  assert.deepEqual(sin.shape, [6, 4]);
  const angles = range(6, 2).flatMap((p) => range(4).map((i) => p * inverseFrequency(i, 8)));
  assertClose(cos.data, angles.map(Math.cos), 3.1e-8);
  assertClose(sin.data, angles.map(Math.sin), 3.1e-8);
  const unit = new Float32Array([1, 0, 1, 0, 1, 0, 1, 0]);
  rope.apply(unit, { shape: [1, 8], offset: 4 });
  const row = range(4).flatMap((i) => [cos.data[2 * 4 + i], sin.data[2 * 4 + i]]);
  assert.deepEqual([...unit], row);
});

test("post C: three tokens rotated by 10, 20 and 30 degrees", () => {
  const rope = pe.rotary({ dim: 2, layout: "interleaved" });
  const angles = [10, 20, 30].map((degrees) => (degrees * Math.PI) / 180);
  const q = new Float32Array([1.16, -0.6, 1.1, 0.76, -0.5, 1.22]);
  const wanted = angles.flatMap((angle, i) => rotate(q.slice(2 * i, 2 * i + 2), angle, { layout: "interleaved" }));
  assertClose(rope.apply(q.slice(), { shape: [3, 2], positions: angles }), wanted, 3e-7);
});

test("an empty sequence is fine", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  assert.equal(rope.apply(new Float32Array(0), { shape: [0, 8, 4], seqAxis: 0 }).length, 0);
  assert.deepEqual(rope.cache({ length: 0 }).cos.shape, [0, 2]);
});

test("a deleted rotary says so, and deleting twice is harmless", () => {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  rope.delete();
  rope.delete();
  assert.throws(() => rope.cache({ length: 1 }), TypeError);
  const disposed = pe.rotary({ dim: 4, layout: "half" });
  disposed[Symbol.dispose]();
  assert.throws(() => disposed.apply(new Float32Array(4), { shape: [1, 4] }), TypeError);
});
