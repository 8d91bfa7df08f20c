import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, sinusoid, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const shape = { queries: 3, keys: 5, queryOffset: 2 };

test("offsets and Shaw's ids are Int32Arrays; compact ids expand to full ones", () => {
  const full = pe.relativeOffsets(shape);
  assert.ok(full.data instanceof Int32Array);
  assert.deepEqual(full.shape, [3, 5]);
  assert.deepEqual([...full.data], [-2, -1, 0, 1, 2, -3, -2, -1, 0, 1, -4, -3, -2, -1, 0]);
  const compact = pe.relativeOffsets({ ...shape, form: "compact" });
  assert.deepEqual([...compact.data], [-4, -3, -2, -1, 0, 1, 2]);
  assert.deepEqual(pe.relativeExpandIds(compact, { queries: 3, keys: 5 }), full);
  const clipped = pe.shawIds({ ...shape, maxDistance: 1, form: "compact" });
  assert.deepEqual([...clipped.data], [0, 0, 0, 0, 1, 2, 2]);
});

test("post A: relative code [8, 8, 32], with the right and with the printed exponent", () => {
  for (const [exponent, step] of [
    ["paper", 2],
    ["double-stepped", 4],
  ]) {
    const full = pe.relativeSinusoidal({ queries: 8, keys: 8, dim: 32, exponent });
    const compact = pe.relativeSinusoidal({ queries: 8, keys: 8, dim: 32, exponent, form: "compact" });
    assert.deepEqual(full.shape, [8, 8, 32]);
    assert.deepEqual(compact.shape, [15, 32]);
    for (let i = 0; i < 8; ++i) {
      for (let j = 0; j < 8; ++j) {
        const row = full.data.slice((i * 8 + j) * 32, (i * 8 + j + 1) * 32);
        assert.deepEqual(row, compact.data.slice((j - i + 7) * 32, (j - i + 8) * 32));
        assertClose(row, sinusoid([j - i], 32, { step }), 1e-6);
      }
    }
  }
});

test("empty sequences give empty results", () => {
  assert.deepEqual(pe.alibi({ heads: 2, queries: 0, keys: 4 }).shape, [2, 0, 4]);
  assert.deepEqual(pe.relativeOffsets({ queries: 3, keys: 0, form: "compact" }).shape, [0]);
});

const two = tensor([2, 2]);

testWrongCalls([
  [() => pe.relativeOffsets({ ...shape, future: "keep" }), TypeError, "relativeOffsets.future"],
  [() => pe.relativeExpand(two, { queries: 3, keys: 5 }), RangeError, "compact: 4, expected 2 * 7 * 1 values"],
]);
