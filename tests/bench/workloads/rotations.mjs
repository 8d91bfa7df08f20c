// Rotation of many tokens in place, in a buffer: float32 with cos and sin ready or built in the call, 16-bit values, and
// every other kind of rotation beside the usual one.

import { given, numbers } from "../inputs.mjs";
import * as plain from "../javascript/rotary.mjs";
import { row } from "../row.mjs";
import { kinds } from "./rotation-kinds.mjs";

const HEADS = 32;
const DIM = 128;
/** Each call begins at another position, so that no angles can be reused from the last. */
const SPREAD = 65536;
const BUILT = "posenc, cos/sin built";

const SIZES = [2048, 256];

/** Each pair twice, as loops over neighbours read it: cosines, and sines whose first is negative. */
const twice = (values, sign) =>
  Float32Array.from({ length: 2 * values.length }, (_, i) => (i % 2 ? 1 : sign) * values[i >> 1]);

const whole = (values) => given(values, values.length);

const LAYOUTS = {
  half: {
    rotate: plain.rotateHalf,
    loops: ["halfHeads", "halfVectors"],
    tables: ({ cos, sin }) => ({ loopCos: whole(cos), loopSin: whole(sin) }),
  },
  interleaved: {
    rotate: plain.rotateInterleaved,
    loops: ["interleavedHeads", "interleavedVectors"],
    tables: ({ cos, sin }) => ({ loopCos: whole(twice(cos, 1)), loopSin: whole(twice(sin, -1)) }),
  },
};
const LOOPS = ["plain loop, 4 heads at once", "plain loop, head by head"];

function float32(layout, seq) {
  const shape = [seq, HEADS, DIM];
  const pairs = DIM / 2;
  const { rotate, loops, tables } = LAYOUTS[layout];
  // Beyond the caches one head after another is the best, within them several at once.
  const best = seq === 2048 ? 1 : 0;
  const built = (pe) => {
    const rope = pe.rotary({ dim: DIM, layout });
    let offset = 0;
    return ({ x }) => {
      offset = (offset + seq) % SPREAD;
      rope.apply(x.data, { shape, seqAxis: 0, offset });
    };
  };
  const isBuilt = seq === 2048 && layout === "half";
  const ready = plain.angleTables(seq, DIM);
  return row({
    name: `RoPE ${layout} [${shape.join(", ")}]`,
    inputs: {
      x: numbers(...shape),
      cos: given(ready.cos, seq, pairs),
      sin: given(ready.sin, seq, pairs),
      ...tables(ready),
    },
    library:
      (pe) =>
      ({ x, cos, sin }) =>
        pe.rotateWithCache(x.data, { layout, form: "onnx", shape, seqAxis: 0, cos, sin }),
    more: isBuilt ? { [BUILT]: built } : {},
    script: ({ x }) => rotate(x, ready.cos, ready.sin, 0, seq, HEADS, DIM),
    onSame: (compiled, { x, loopCos, loopSin }) => {
      const [at, cos, sin] = [x, loopCos, loopSin].map(({ data }) => data.byteOffset);
      return { [LOOPS[best]]: () => compiled[loops[best]](at, cos, sin, seq, HEADS, DIM) };
    },
    goals: [
      { of: "posenc", against: LOOPS[best], must: 0.95 },
      ...(isBuilt ? [{ of: BUILT, against: "posenc", measure: "cost", must: 1.06 }] : []),
    ],
  });
}

const wide = SIZES.flatMap((seq) => Object.keys(LAYOUTS).map((layout) => float32(layout, seq)));

const HALVES = {
  float16: { one: 0x3c00, share: 0.2 },
  bfloat16: { one: 0x3f80, share: 0.4 },
};

function halves({ full }, dtype, seq) {
  const { one } = HALVES[dtype];
  const shape = [seq, HEADS, DIM];
  const count = seq * HEADS * DIM;
  const narrow = full.buffer(count, { dtype });
  new Uint16Array(narrow.view.buffer, narrow.view.byteOffset, count).fill(one);
  const buffer = full.buffer(count);
  buffer.view.fill(1);
  const rope = full.rotary({ dim: DIM, layout: "half" });
  return {
    contestants: {
      "posenc, float32 in a buffer": () => rope.apply(buffer.view, { shape, seqAxis: 0 }),
      [`posenc, ${dtype} in a buffer`]: () => rope.apply(narrow.view, { shape, seqAxis: 0, dtype }),
    },
  };
}

const narrow = Object.entries(HALVES).map(([dtype, { share }]) => ({
  name: `RoPE ${dtype} half [256, ${HEADS}, ${DIM}]`,
  goals: [{ of: `posenc, ${dtype} in a buffer`, against: "posenc, float32 in a buffer", must: share }],
  make: (modules) => halves(modules, dtype, 256),
}));

export const rotations = [...wide, ...narrow, ...kinds];
