import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, inverseFrequency, pseudoRandom, range, rotatePairs } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("M-RoPE: text is rotated as by rotary, bit for bit; images by their three positions", () => {
  const options = { dim: 16, layout: "half", base: 1e6 };
  const shape = [1, 7, 2, 16];
  const seqAxis = 1;
  for (const order of ["chunked", "interleaved"]) {
    const rope = pe.mrope({ ...options, sections: [4, 2, 2], order });
    const text = pe.mropePositions({ preset: "qwen2-vl", segments: [{ text: 7 }] });
    assert.deepEqual(text.positions.shape, [3, 7]);
    const x = pseudoRandom(7 * 32, 8);
    assert.deepEqual(
      rope.apply(x.slice(), { shape, seqAxis, positions: text.positions }),
      pe.rotary(options).apply(x.slice(), { shape, seqAxis }),
    );
    const { positions } = pe.mropePositions({
      preset: "qwen2-vl",
      segments: [{ text: 2 }, { image: [1, 4, 4] }, { text: 1 }],
    });
    const axis = order === "chunked" ? [0, 0, 0, 0, 1, 1, 2, 2] : [0, 1, 2, 0, 1, 2, 0, 0];
    const wanted = range(14).flatMap((row) => {
      const angles = axis.map((a, i) => positions.data[a * 7 + Math.floor(row / 2)] * inverseFrequency(i, 16, 1e6));
      return rotatePairs(x.slice(row * 16, row * 16 + 16), "half", angles);
    });
    assertClose(rope.apply(x, { shape, seqAxis, positions }), wanted, 5e-7);
    assert.deepEqual(rope.cache({ positions: [...positions.data] }).cos.shape, [7, 8]);
  }
});

test("M-RoPE's positions of a ragged batch, padded on either side", () => {
  const rows = [[{ text: 3 }], [{ image: [1, 2, 4] }]];
  const batch = pe.mropePositions({ preset: "qwen2-vl", rows, padding: "left" });
  assert.deepEqual(batch.positions.shape, [3, 2, 3]);
  assert.deepEqual([...batch.positions.data], [0, 1, 2, 1, 0, 0, 0, 1, 2, 1, 0, 0, 0, 1, 2, 1, 0, 1]);
  assert.deepEqual([...batch.ropeDeltas, ...batch.lengths], [0, -1, 3, 2]);
  const five = { padding: "left", paddingPosition: 0, deltas: "unpadded", next: "past-extent" };
  assert.deepEqual(pe.mropePositions({ preset: "qwen2-vl", rows, ...five }).ropeDeltas, [0, 0]);
  const right = pe.mropePositions({ preset: "qwen2-vl", rows, padding: "right", paddingPosition: 0 });
  assert.deepEqual([...right.positions.data.slice(12)], [0, 1, 2, 0, 1, 0]);
  assert.deepEqual(pe.mropePositions({ preset: "qwen3-vl", rows: [] }).positions.shape, [3, 0, 0]);
});

test("M-RoPE takes what hubConfig says of it, GenLIP's sections as they stand too", () => {
  const sections = [8, 12, 12];
  for (const [head_dim, mrope_interleaved] of [
    [64, false],
    [72, true],
  ]) {
    const [plan] = pe.hubConfig({
      head_dim,
      rope_scaling: { type: "mrope", mrope_section: sections, mrope_interleaved },
    }).plans;
    const rope = pe.mrope({ layout: "half", ...plan.rotary, ...plan.mrope });
    const said = pe.mrope({ layout: "half", dim: head_dim, sections, order: plan.mrope.order });
    const positions = [5, 1000, 7, 2000, 9, 3000];
    assert.deepEqual(rope.cache({ positions }), said.cache({ positions }));
  }
});

test("four sections rotate by four positions, and time's pairs may come last", () => {
  const shape = [7, 1, 16];
  const segments = [{ text: 1 }, { image: [1, 2, 4] }, { text: 3 }];
  const { positions } = pe.mropePositions({ preset: "hunyuan-vl", segments });
  assert.deepEqual([...positions.data.slice(7)], [0, 0, 1, 2, 4, 5, 6, 0, 0, 0, 0, 4, 5, 6, 0, 0, 0, 0, 4, 5, 6]);
  const ernie = pe.mropePositions({
    preset: "ernie4.5-vl",
    segments: [{ text: 1 }, { video: [2, 4, 4] }, { text: 2 }],
  });
  for (const [sections, order, ids, axis] of [
    [[2, 2, 2, 2], "chunked", positions, [0, 0, 1, 1, 2, 2, 3, 3]],
    [[2, 3, 3], "time-last", ernie.positions, [1, 2, 1, 2, 1, 2, 0, 0]],
  ]) {
    const rope = pe.mrope({ dim: 16, layout: "interleaved", sections, order });
    const x = pseudoRandom(7 * 16, 9);
    const wanted = range(7).flatMap((row) =>
      rotatePairs(
        x.slice(row * 16, row * 16 + 16),
        "interleaved",
        axis.map((a, i) => ids.data[a * 7 + row] * inverseFrequency(i, 16)),
      ),
    );
    assertClose(rope.apply(x, { shape, seqAxis: 0, positions: ids }), wanted, 5e-7);
  }
});

const three = pe.mrope({ dim: 8, layout: "half", sections: [2, 1, 1], order: "chunked" });
const x = () => new Float32Array(8);
const segments = (list, more) => pe.mropePositions({ preset: "qwen2-vl", segments: list, ...more });

testWrongCalls([
  [() => three.apply(x(), { shape: [1, 8], positions: [0, 1] }), RangeError, "positions: 2, expected a multiple of 3"],
  [() => segments([], { rows: [] }), TypeError, "segments: [], expected nothing beside rows"],
  [() => segments({}), TypeError, "segments: [object Object], expected an array of segments"],
  [() => segments([{}]), TypeError, "segments[0]: [object Object], expected one of text, image, video"],
  [() => segments([{ text: 1, image: [1, 2, 2] }]), TypeError, "segments[0]: [object Object], expected one of"],
  [() => segments([{ words: 1 }]), TypeError, "segments[0].words: 1, expected one of text, image, video"],
  [
    () => segments([{ text: 1 }, { image: [2, 2] }]),
    TypeError,
    "segments[1].image: [2, 2], expected [t, h, w], three numbers",
  ],
  [() => segments([{ text: 1, audio: 2 }]), TypeError, "segments[0].audio: 2, expected nothing: of videos alone"],
  [
    () => segments(undefined, { rows: [[{ text: 2 }], [{ text: 1 }, { text: -1 }]], padding: "left" }),
    RangeError,
    "rows[1][1].text: -1, expected a number >= 0",
  ],
  [() => segments([{ image: [1, 2, 3] }]), RangeError, "segments[0].grid: 3, expected an h and a w that mergeSize"],
  [() => segments(undefined, { rows: [[{ text: 1 }], []] }), TypeError, 'padding: undefined, expected one of "left"'],
]);
