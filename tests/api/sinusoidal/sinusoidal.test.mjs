// What of tables is JavaScript's own: forms of positions, dtypes beside a precision, and memory that grows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";
import { load as loadFull } from "posenc/full";

const pe = await load();
const full = await loadFull();

for (const [entry, { sinusoidal, frequencies }] of Object.entries({ posenc: pe, "posenc/full": full })) {
  test(`${entry}: positions are an offset, a list or a typed list, each with the same rows, or there are none`, () => {
    const whole = sinusoidal({ length: 40, dim: 66 });
    assert.deepEqual(whole.shape, [40, 66]);
    const rows = (from, to) => ({ data: whole.data.slice(from * 66, to * 66), shape: [to - from, 66] });
    assert.deepEqual(sinusoidal({ length: 5, offset: 17, dim: 66 }), rows(17, 22));
    assert.deepEqual(sinusoidal({ positions: [38, 39], dim: 66 }), rows(38, 40));
    assert.deepEqual(sinusoidal({ positions: Int32Array.of(3), dim: 66 }), rows(3, 4));
    for (const none of [{ length: 0 }, { positions: [] }])
      assert.deepEqual(sinusoidal({ ...none, dim: 4 }), { data: new Float32Array(), shape: [0, 4] });
    const { data, shape, attentionFactor } = frequencies({ dim: 9 });
    assert.deepEqual([data.constructor, shape, attentionFactor], [Float64Array, [5], 1]);
  });

  test(`${entry}: exact is what a table is without a precision, another is refused`, () => {
    const options = { length: 100, dim: 64, offset: 1000 };
    assert.deepEqual(sinusoidal({ ...options, precision: "exact" }), sinusoidal(options));
    assert.throws(() => sinusoidal({ ...options, precision: "float32" }), {
      name: "RangeError",
      message: 'precision: "float32", expected one of "exact", "fast"',
    });
  });
}

test("16 bits are exact alone", () => {
  assert.equal(full.sinusoidal({ length: 1, dim: 2, precision: "exact", dtype: "float16" }).dtype, "float16");
});

test("a plan has everything of a table, and no place for an out", () => {
  assert.deepEqual(pe.sinusoidalPlan({ dim: 5 }), {
    ...{ dim: 5, base: 10000, exponent: "paper", shift: 0, scale: 1, order: "interleaved", amplitude: 1 },
    ...{ sines: [0, 2, 4], cosines: [1, 3, -1] },
  });
  assert.throws(() => pe.sinusoidalPlan({ dim: 7, preset: "mlx" }), /^RangeError: dim: 7, expected an even number/);
  assert.throws(() => pe.sinusoidalPlan({ dim: 8, out: [] }), /^TypeError: sinusoidalPlan.out: /);
});

test("a table outlives the growth of the module's memory", () => {
  const before = pe.sinusoidal({ length: 10, dim: 4 });
  const copy = before.data.slice();
  pe.sinusoidal({ length: 20_000, dim: 1024 }); // 80 MB: more than the module starts with
  assert.deepEqual(before.data, copy);
});
