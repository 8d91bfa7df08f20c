import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";
import { assertClose, inverseFrequency, range } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const small = await loadSmall();

test("the precision float32 has transformers' angles", () => {
  const { fround } = Math;
  const options = { dim: 64, layout: "half", base: 500000 };
  const rotary = pe.rotary({ ...options, precision: "float32" });
  const frequency = (i) => fround(1 / fround(500000 ** fround((2 * i) / 64)));
  const angles = [0, 4095, 131071].flatMap((p) => range(32).map((i) => fround(frequency(i) * p)));
  const { cos, sin } = rotary.cache({ positions: [0, 4095, 131071] });
  assertClose(cos.data, angles.map(Math.cos), 3.1e-8);
  assertClose(sin.data, angles.map(Math.sin), 3.1e-8);
  assert.deepEqual(
    pe.rotary({ ...options, precision: "exact" }).cache({ length: 9 }),
    small.rotary(options).cache({ length: 9 }),
  );
  assert.ok(Math.abs(angles[64 + 3] - 131071 * inverseFrequency(3, 64, 500000)) > 1e-4);
});

testWrongCalls([
  [() => small.rotary({ dim: 4, layout: "half", precision: "float32" }), TypeError, "rotary.precision: "],
]);
