import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, pseudoRandom, range, rotate } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("xPos: queries times the scale, keys divided by it", () => {
  const xpos = pe.xpos({ dim: 6, layout: "interleaved", centre: 10, scaleBase: 64 });
  const x = pseudoRandom(4 * 6, 15);
  const zeta = (i) => (2 * i + 0.4 * 6) / (1.4 * 6);
  const scale = (dimension, position) => zeta(Math.floor(dimension / 2)) ** ((position - 10) / 64);
  const wanted = (sign) =>
    range(4, 30).flatMap((position, token) =>
      rotate(x.slice(token * 6, token * 6 + 6), position, { layout: "interleaved" }).map(
        (value, dimension) => value * scale(dimension, position) ** sign,
      ),
    );
  assertClose(xpos.apply(x.slice(), { shape: [4, 6], offset: 30, side: "query" }), wanted(1), 1e-6);
  assertClose(xpos.apply(x.slice(), { shape: [4, 6], offset: 30, side: "key" }), wanted(-1), 1e-6);
  const scales = xpos.scales({ length: 2, offset: 30 });
  assert.deepEqual(scales.shape, [2, 3]);
  assertClose(
    scales.data,
    [30, 31].flatMap((position) => [0, 2, 4].map((dimension) => scale(dimension, position))),
    6e-8,
  );
  xpos.delete();
  assert.throws(() => xpos.scales({ length: 1 }), TypeError);
});

const x = () => new Float32Array(8);

testWrongCalls([
  [
    () => pe.xpos({ dim: 4, layout: "half", centre: 0 }).apply(x(), { shape: [2, 4], side: "key", offset: 1e6 }),
    RangeError,
    "positions: 1000000, expected positions at most 32695 from the centre",
  ],
]);
