import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, inverseFrequency, tensor } from "../testing/reference.mjs";
import { fractions, isStored, testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const [heads, seq, dim, kept] = [2, 5, 8, 3];
const given = { dim, cosines: tensor([heads, kept, kept], 3), sines: tensor([heads, kept, kept], 4) };

/** vLLM's: sums over the frequencies kept, then 1 and 0 for the pairs behind. */
function mixed(matrix, of, head, position, pair) {
  if (pair >= kept) return of(0);
  let sum = 0;
  for (let i = 0; i < kept; ++i)
    sum += of(position * inverseFrequency(i, dim)) * matrix.data[(head * kept + i) * kept + pair];
  return sum;
}

test("cosines and sines of each head are sums of those of the frequencies, and rotate heads as a batch", () => {
  const { cos, sin } = pe.fope({ ...given, length: seq, offset: 2 });
  assert.deepEqual(
    [cos.shape, sin.shape],
    [
      [heads, seq, dim / 2],
      [heads, seq, dim / 2],
    ],
  );
  const at = (of, matrix) =>
    Array.from({ length: cos.data.length }, (_, i) =>
      mixed(matrix, of, Math.floor(i / seq / 4), 2 + (Math.floor(i / 4) % seq), i % 4),
    );
  assertClose(cos.data, at(Math.cos, given.cosines), 1e-6);
  assertClose(sin.data, at(Math.sin, given.sines), 1e-6);
  const x = tensor([heads, 3, seq, dim], 5).data;
  const y = pe.rotateWithCache(x.slice(), {
    shape: [heads, 3, seq, dim],
    seqAxis: 2,
    batchAxis: 0,
    layout: "half",
    form: "onnx",
    cos,
    sin,
  });
  const wanted = Array.from(y, (_, i) => {
    const dimension = i % dim;
    const row = (Math.floor(i / (3 * seq * dim)) * seq + (Math.floor(i / dim) % seq)) * 4 + (dimension % 4);
    const other = dimension < 4 ? -x[i + 4] : x[i - 4];
    return x[i] * cos.data[row] + other * sin.data[row];
  });
  assertClose(y, wanted, 1e-6);
});

test("the core's bits, and positions of any kind", () => {
  const { cos, sin } = pe.fope({
    dim: 32,
    cosines: fractions([2, 9, 12], 1613),
    sines: fractions([2, 9, 12], 1614),
    length: 100,
  });
  assert.ok(isStored("fope", [cos, sin]));
  assert.deepEqual(pe.fope({ ...given, positions: [3, 4.5] }).cos.shape, [heads, 2, dim / 2]);
  assert.deepEqual(pe.fope({ ...given, length: 1, originalLength: 1000 }).cos.data.length, heads * 4);
});

testWrongCalls([
  [
    () => pe.fope({ ...given, length: 1, sines: tensor([2, 3, 2]) }),
    RangeError,
    "sines.shape: [2, 3, 2], expected [2,",
  ],
  [() => pe.fope({ ...given, length: 1, dim: 4 }), RangeError, "cosines.shape: 3, expected at most dim / 2"],
  [() => pe.fope({ ...given, positions: [1], offset: 2 }), TypeError, "offset: 2"],
]);
