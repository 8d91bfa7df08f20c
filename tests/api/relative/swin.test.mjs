import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("Swin: index, bias, log-CPB", () => {
  const window = { height: 2, width: 2 };
  const index = pe.swinIndex(window);
  assert.deepEqual([...index.data], [4, 3, 1, 0, 5, 4, 2, 1, 7, 6, 4, 3, 8, 7, 5, 4]);
  const table = tensor([9, 3]);
  const bias = pe.swinBias({ ...window, table });
  assert.deepEqual(bias.shape, [3, 4, 4]);
  assert.ok(bias.data.every((value, at) => value === table.data[index.data[at % 16] * 3 + Math.floor(at / 16)]));
  assert.deepEqual(pe.swinIndex({ ...window, classToken: true }).shape, [5, 5]);
  const coordinates = pe.swinLogCoordinates(window);
  assertClose(
    coordinates.data.slice(0, 4),
    [-1, -1, -1, 0].map((d) => (d * Math.log2(9)) / 3),
    1e-7,
  );
  const perceptron = { weight1: tensor([4, 2], 2), bias1: tensor([4], 3), weight2: tensor([3, 4], 4) };
  const continuous = pe.swinLogCpb({ ...window, perceptron });
  const hidden = (row) =>
    Array.from({ length: 4 }, (_, n) =>
      Math.max(
        0,
        perceptron.weight1.data[2 * n] * coordinates.data[2 * row] +
          perceptron.weight1.data[2 * n + 1] * coordinates.data[2 * row + 1] +
          perceptron.bias1.data[n],
      ),
    );
  const wanted = Array.from({ length: 27 }, (_, at) => {
    const sum = hidden(Math.floor(at / 3)).reduce((s, x, n) => s + x * perceptron.weight2.data[(at % 3) * 4 + n], 0);
    return 16 / (1 + Math.exp(-sum));
  });
  assertClose(continuous.data, wanted, 4e-6);
  assert.deepEqual(pe.swinBias({ ...window, table: continuous }).shape, [3, 4, 4]);
});

testWrongCalls([
  [() => pe.swinBias({ height: 2, width: 2, table: tensor([2, 2]) }), RangeError, "table: 4, expected 9 * 2 values"],
]);
