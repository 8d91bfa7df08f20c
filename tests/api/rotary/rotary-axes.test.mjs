import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";
import { assertClose, pseudoRandom, range, rotate } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const small = await loadSmall();
const layouts = ["half", "interleaved", "deinterleaved"];

/** Every head of [batch, seq, heads, dim] rotated, ids [batch][seq]. */
const expected = (x, [batch, seq, heads, dim], ids, options) =>
  range(batch).flatMap((b) =>
    range(seq).flatMap((s) =>
      range(heads).flatMap((h) => {
        const at = ((b * seq + s) * heads + h) * dim;
        return rotate(x.slice(at, at + dim), ids[b][s], options);
      }),
    ),
  );

for (const layout of layouts) {
  test(`${layout}: ids [batch, seq], negative and fractional ones too, in both entries`, () => {
    const ids = [
      [5, -2, 0.5],
      [7, 7, 100],
    ];
    const shape = [2, 3, 2, 6];
    const x = pseudoRandom(72, 4);
    const wanted = expected(x, shape, ids, { layout });
    for (const entry of [pe, small]) {
      const rope = entry.rotary({ dim: 6, layout });
      const positions = { data: ids.flat(), shape: [2, 3] };
      const y = rope.apply(x.slice(), { shape, seqAxis: 1, batchAxis: 0, positions });
      assertClose(y, wanted, 5e-7);
      assert.deepEqual(rope.apply(x.slice(), { shape, positions, batchAxis: -4, seqAxis: -3, dimAxis: -1 }), y);
    }
  });
}

test("[dim, heads, seq, batch] gives the transposed result, bit for bit", () => {
  const rope = small.rotary({ dim: 6, layout: "interleaved", rotaryDim: 4 });
  const [batch, seq, heads, dim] = [2, 3, 2, 6];
  const x = pseudoRandom(72, 5);
  const transposed = (from, back) => {
    const to = new Float32Array(from.length);
    for (let i = 0; i < from.length; ++i) {
      const [b, s, h, d] = [Math.floor(i / 36), Math.floor(i / 12) % 3, Math.floor(i / 6) % 2, i % 6];
      const j = ((d * heads + h) * seq + s) * batch + b;
      to[back ? i : j] = from[back ? j : i];
    }
    return to;
  };
  const positions = { data: [3, 1, 4, 1, 5, 9], shape: [batch, seq] };
  const there = rope.apply(transposed(x, false), {
    shape: [dim, heads, seq, batch],
    positions,
    batchAxis: 3,
    seqAxis: 2,
    dimAxis: 0,
  });
  assert.deepEqual(
    transposed(there, true),
    rope.apply(x, { shape: [batch, seq, heads, dim], seqAxis: 1, batchAxis: 0, positions }),
  );
});

const rope = pe.rotary({ dim: 4, layout: "half" });
const x = () => new Float32Array(8);

testWrongCalls([
  [
    () => rope.apply(x(), { shape: [1, 2, 4] }),
    RangeError,
    "seqAxis: none, expected the axis of the sequence: 0 in [seq, heads, dim], 1 in [heads, seq, dim], " +
      "-2 in [batch, heads, seq, dim]",
  ],
  [
    () =>
      rope.apply(x(), {
        shape: [1, 2, 1, 4],
        seqAxis: 1,
        batchAxis: 0,
        positions: { data: [1, 2, 3, 4], shape: [2, 2] },
      }),
    RangeError,
    "positions: 2 lists, expected 1 lists",
  ],
  [
    () => rope.apply(x(), { shape: [2, 4], positions: { data: [1, 2], shape: [1, 2, 1] } }),
    RangeError,
    "positions.shape: [1, 2, 1], expected",
  ],
]);
