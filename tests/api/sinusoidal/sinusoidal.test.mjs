import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";
import { assertClose, inverseFrequency, range, sinusoid } from "../testing/reference.mjs";

const pe = await load();

test("the table of the paper, for even and odd dims", () => {
  for (const dim of [1, 2, 3, 7, 32, 512]) {
    const table = pe.sinusoidal({ length: 100, dim });
    assert.deepEqual(table.shape, [100, dim]);
    assertClose(table.data, sinusoid(range(100), dim), 3.1e-8);
  }
});

test("order, exponent, base", () => {
  assertClose(
    pe.sinusoidal({ length: 9, dim: 7, order: "split", base: 500 }).data,
    sinusoid(range(9), 7, { split: true, base: 500 }),
    3.1e-8,
  );
  assertClose(
    pe.sinusoidal({ length: 9, dim: 8, exponent: "double-stepped" }).data,
    sinusoid(range(9), 8, { step: 4 }),
    3.1e-8,
  );
});

test("positions: an offset, a list, a typed list; each the same rows bit for bit", () => {
  const whole = pe.sinusoidal({ length: 40, dim: 66 });
  const rows = (from, to) => whole.data.slice(from * 66, to * 66);
  assert.deepEqual(pe.sinusoidal({ length: 5, offset: 17, dim: 66 }).data, rows(17, 22));
  assert.deepEqual(pe.sinusoidal({ positions: [38, 39], dim: 66 }).data, rows(38, 40));
  assert.deepEqual(pe.sinusoidal({ positions: Int32Array.of(3), dim: 66 }).data, rows(3, 4));
  assertClose(pe.sinusoidal({ positions: [-2.5, 0.125], dim: 6 }).data, sinusoid([-2.5, 0.125], 6), 3.1e-8);
});

test("no positions give an empty table", () => {
  for (const none of [{ length: 0 }, { positions: [] }]) {
    const table = pe.sinusoidal({ ...none, dim: 4 });
    assert.deepEqual(table.shape, [0, 4]);
    assert.equal(table.data.length, 0);
  }
});

test("frequencies in radians a position; post A's double step beside the paper's", () => {
  const paper = pe.frequencies({ dim: 8 });
  assert.deepEqual(paper.shape, [4]);
  assertClose(paper.data, [1, 0.1, 0.01, 0.001], 1e-16);
  assertClose(pe.frequencies({ dim: 8, exponent: "double-stepped" }).data, [1, 1e-2, 1e-4, 1e-6], 1e-16);
  assertClose(
    pe.frequencies({ dim: 65, base: 1e6 }).data,
    range(33).map((i) => inverseFrequency(i, 65, 1e6)),
    1e-14,
  );
});

test("a table outlives the growth of the module's memory", () => {
  const before = pe.sinusoidal({ length: 10, dim: 4 });
  const copy = before.data.slice();
  pe.sinusoidal({ length: 20_000, dim: 1024 }); // 80 MB: more than the module starts with
  assert.deepEqual(before.data, copy);
});
