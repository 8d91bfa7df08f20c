// Every value of large samples is compared, whatever their axes are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { rotated, values } from "./rotations.mjs";

const pe = await load();
const plan = { dim: 64, layout: "half", base: 10000 };
const [tokens, heads, dim] = [300, 12, 64];
const positions = Array.from({ length: tokens }, (_, i) => i);
const before = values(tokens * heads * dim);
const after = rotated(before, positions, { heads, ...plan });

/** Returns the values with the axes in another order. */
function transposed(data, order) {
  const extents = [tokens, heads, dim];
  const shape = order.map((axis) => extents[axis]);
  const made = new Float32Array(data.length);
  for (let i = 0; i < data.length; ++i) {
    const index = [];
    for (let axis = 2, rest = i; axis >= 0; --axis) {
      index[order[axis]] = rest % shape[axis];
      rest = Math.floor(rest / shape[axis]);
    }
    made[i] = data[(index[0] * heads + index[1]) * dim + index[2]];
  }
  return { data: made, shape };
}

for (const [name, order] of Object.entries({
  "tokens first": [0, 1, 2],
  "heads first": [1, 0, 2],
  "dimensions first": [2, 1, 0],
})) {
  test(`axes in any order: ${name}`, () => {
    const samples = { before: transposed(before, order), after: transposed(after, order), positions };
    const { verdict, explanations } = pe.diagnose(samples, { expected: plan });
    assert.equal(verdict, "certain");
    assert.deepEqual(explanations[0].mistakes, []);
    // One wrong number anywhere.
    for (const at of [0, 100_000, before.length - 1]) {
      const broken = { ...samples.after, data: Float32Array.from(samples.after.data) };
      broken.data[at] += 0.25;
      assert.equal(pe.diagnose({ ...samples, after: broken }, { expected: plan }).verdict, "none", `${at}`);
    }
  });
}

test("where a head has as many dimensions as there are tokens, both orders are tried", () => {
  const square = Array.from({ length: 64 }, (_, i) => i);
  const x = values(64 * 40 * 64);
  const y = rotated(x, square, { heads: 40, ...plan });
  const of = (data) => ({ data, shape: [64, 40, 64] });
  const { verdict, explanations } = pe.diagnose({ before: of(x), after: of(y), positions: square });
  assert.equal(verdict, "certain");
  assert.equal(explanations[0].found.plan.base, 10000);
});

test("sixteen million values, none of which has moved, are certain", () => {
  const size = 2 ** 24; // 4096 tokens, 32 heads, 128 dimensions
  const x = new Float32Array(size);
  const shape = [4096, 32, 128];
  const list = Array.from({ length: 4096 }, (_, i) => i);
  x.fill(0.5);
  const { verdict } = pe.diagnose({ before: { data: x, shape }, after: { data: x, shape }, positions: list });
  assert.equal(verdict, "certain");
});

test("positions that no axis has as many of are refused before anything is copied", () => {
  const samples = {
    before: { data: before, shape: [tokens, heads, dim] },
    after: { data: after, shape: [tokens, heads, dim] },
  };
  assert.throws(() => pe.diagnose({ ...samples, positions: [0, 1, 2] }), {
    name: "RangeError",
    message: "positions: 3, expected as many as the sequence's axis of the vectors has",
  });
});
