import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";
import { load as loadFull } from "posenc/full";

const pe = await load();

test("a fast table is within 1.5e-7 of the formula, and rows do not depend on their table", () => {
  const { data } = pe.sinusoidal({ length: 300, dim: 32, offset: 20, precision: "fast" });
  let largest = 0;
  for (let row = 0; row < 300; ++row) {
    for (let i = 0; i < 16; ++i) {
      const angle = (row + 20) * 10000 ** (-i / 16);
      largest = Math.max(largest, Math.abs(data[row * 32 + 2 * i] - Math.sin(angle)));
      largest = Math.max(largest, Math.abs(data[row * 32 + 2 * i + 1] - Math.cos(angle)));
    }
  }
  assert.ok(largest <= 1.5e-7, String(largest));
  const list = pe.sinusoidal({ positions: [25, 319, 20], dim: 32, precision: "fast" }).data;
  for (const [i, row] of [5, 299, 0].entries()) {
    assert.deepEqual(list.slice(i * 32, i * 32 + 32), data.slice(row * 32, row * 32 + 32));
  }
});

test("exact is what a table is without a precision, and is not what is fast", () => {
  const options = { length: 100, dim: 64, offset: 1000 };
  assert.deepEqual(pe.sinusoidal({ ...options, precision: "exact" }), pe.sinusoidal(options));
  assert.notDeepEqual(pe.sinusoidal({ ...options, precision: "fast" }), pe.sinusoidal(options));
});

test("another precision is refused", () => {
  assert.throws(() => pe.sinusoidal({ length: 1, dim: 2, precision: "float32" }), {
    name: "RangeError",
    message: 'precision: "float32", expected one of "exact", "fast"',
  });
  assert.throws(() => pe.sinusoidal({ length: 1, dim: 2, precision: 16 }), TypeError);
});

test("posenc/full has it too, for float32", async () => {
  const full = await loadFull();
  const options = { length: 50, dim: 32, precision: "fast" };
  assert.deepEqual(full.sinusoidal(options), pe.sinusoidal(options));
  assert.throws(() => full.sinusoidal({ ...options, dtype: "float16" }), {
    name: "RangeError",
    message: 'precision: "fast", expected "exact" beside a dtype of 16 bits',
  });
  assert.equal(full.sinusoidal({ ...options, precision: "exact", dtype: "float16" }).dtype, "float16");
});
