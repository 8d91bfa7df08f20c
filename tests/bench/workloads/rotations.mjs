// Rotation of many tokens in place: float32 in a buffer, with cos and sin ready or built in the call, and 16-bit values.

import { rotateBfloat16, rotateFloat16 } from "../javascript/halves.mjs";
import { rotateHalf, rotateInterleaved } from "../javascript/tables-and-rotations.mjs";
import { limitsFor } from "../yardsticks.mjs";

const HEADS = 32;
const DIM = 128;
/** Each call begins at another position, so that no angles can be reused from the last. */
const SPREAD = 65536;

const SIZES = [
  { seq: 2048, share: { half: [0.78, 0.9], interleaved: [0.72, 0.85] } },
  { seq: 256, share: { half: [0.55, 0.65], interleaved: [0.52, 0.65] } },
];

const plainOf = { half: rotateHalf, interleaved: rotateInterleaved };

function float32({ pe, full, yardsticks }, layout, seq) {
  const shape = [seq, HEADS, DIM];
  const count = seq * HEADS * DIM;
  const [buffer, other] = [pe.buffer(count), full.buffer(count)];
  buffer.view.fill(1);
  other.view.fill(1);
  const array = new Float32Array(count).fill(1);
  const plain = new Float32Array(count).fill(1);
  const rope = pe.rotary({ dim: DIM, layout });
  const { cos, sin } = rope.cache({ length: seq });
  const [cosines, sines] = [cos, sin].map(({ data }) => {
    const kept = full.buffer(data.length);
    kept.view.set(data);
    return kept;
  });
  const ready = { layout, form: "onnx", shape };
  const rotateReady = () =>
    full.rotateWithCache(other.view, {
      ...ready,
      cos: { data: cosines.view, shape: cos.shape },
      sin: { data: sines.view, shape: sin.shape },
    });
  const rotatePlain = plainOf[layout];
  let offset = 0;
  const next = () => {
    offset = (offset + seq) % SPREAD;
    return offset;
  };
  return {
    contestants: {
      ...limitsFor(yardsticks, count),
      "posenc, cos/sin built": () => rope.apply(buffer.view, { shape, offset: next() }),
      "posenc, cos/sin ready": rotateReady,
      "posenc, in an array": () => rope.apply(array, { shape, offset: next() }),
      "JavaScript, cos/sin ready": () => rotatePlain(plain, cos.data, sin.data, 0, seq, HEADS, DIM),
    },
  };
}

const wide = SIZES.flatMap(({ seq, share }) =>
  ["half", "interleaved"].map((layout) => ({
    name: `RoPE ${layout} [${seq}, ${HEADS}, ${DIM}]`,
    what: "in place, in a buffer",
    limit: "multiply in place",
    goals: [
      {
        of: "posenc, cos/sin ready",
        against: "multiply in place",
        must: share[layout][0],
        wanted: share[layout][1],
      },
      { of: "posenc, cos/sin built", against: "multiply in place" },
      { of: "posenc, cos/sin built", against: "posenc, cos/sin ready", measure: "cost", must: 1.06, wanted: 1.03 },
      { of: "posenc, cos/sin built", against: "JavaScript, cos/sin ready" },
    ],
    make: (modules) => float32(modules, layout, seq),
  })),
);

const HALVES = {
  float16: { one: 0x3c00, plain: rotateFloat16, share: [0.2, 0.3] },
  bfloat16: { one: 0x3f80, plain: rotateBfloat16, share: [0.4, 0.7] },
};

function halves({ full, yardsticks }, dtype, seq) {
  const { one, plain } = HALVES[dtype];
  const shape = [seq, HEADS, DIM];
  const count = seq * HEADS * DIM;
  const [x, mine] = [new Uint16Array(count).fill(one), new Uint16Array(count).fill(one)];
  const narrow = full.buffer(count, { dtype });
  new Uint16Array(narrow.view.buffer, narrow.view.byteOffset, count).fill(one);
  const buffer = full.buffer(count);
  buffer.view.fill(1);
  const array = new Float32Array(count).fill(1);
  const rope = full.rotary({ dim: DIM, layout: "half" });
  const { cos, sin } = rope.cache({ length: seq });
  return {
    contestants: {
      ...limitsFor(yardsticks, count),
      "posenc, float32 in a buffer": () => rope.apply(buffer.view, { shape }),
      "posenc, float32 in an array": () => rope.apply(array, { shape }),
      [`posenc, ${dtype} in a buffer`]: () => rope.apply(narrow.view, { shape, dtype }),
      [`posenc, ${dtype} in an array`]: () => rope.apply(x, { shape, dtype }),
      "JavaScript, cos/sin ready": () => plain(mine, cos.data, sin.data, seq, HEADS, DIM),
    },
  };
}

const narrow = Object.entries(HALVES).map(([dtype, { share }]) => ({
  name: `RoPE ${dtype} half [256, ${HEADS}, ${DIM}]`,
  what: "in place; as many values as 4 MB of float32",
  limit: "multiply in place",
  goals: [
    {
      of: `posenc, ${dtype} in a buffer`,
      against: "posenc, float32 in a buffer",
      must: share[0],
      wanted: share[1],
    },
    { of: `posenc, ${dtype} in a buffer`, against: "JavaScript, cos/sin ready", must: 5 },
  ],
  make: (modules) => halves(modules, dtype, 256),
}));

export const rotations = [...wide, ...narrow];
