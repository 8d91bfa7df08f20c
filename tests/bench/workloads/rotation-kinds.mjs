// Other kinds of rotation in place, [512, 32, 128] in a buffer, beside the usual one; JavaScript finds the cosines and
// sines ready.

import { given, numbers } from "../inputs.mjs";
import * as plain from "../javascript/rotary.mjs";
import { row } from "../row.mjs";

const [SEQ, HEADS, DIM] = [512, 32, 128];
const PAIRS = DIM / 2;
const shape = [SEQ, HEADS, DIM];
const HALF = "posenc, RoPE half";

const half = (pe) => {
  const rope = pe.rotary({ dim: DIM, layout: "half" });
  return ({ x }) => rope.apply(x.data, { shape, seqAxis: 0 });
};

const frequency = (i, dims = DIM, base = 10000) => base ** ((-2 * i) / dims);
const usual = plain.angleTables(SEQ, DIM);
const byTables =
  ({ cos, sin }) =>
  ({ x }) =>
    plain.rotateHalf(x, cos, sin, 0, SEQ, HEADS, DIM);

const SECTIONS = [16, 24, 24];
const axisOf = (pair) => (pair < 16 ? 0 : pair < 40 ? 1 : 2);
const positions = Int32Array.from({ length: 3 * SEQ }, (_, i) => (i * 7) % 100);
const ofMrope = plain.tablesOf(SEQ, PAIRS, (token, i) => positions[axisOf(i) * SEQ + token] * frequency(i));

const CENTRE = SEQ / 2;
const scale = (token, i) => ((2 * i + 0.4 * DIM) / (1.4 * DIM)) ** ((token - CENTRE) / 512);
const angle = (token, i) => token * frequency(i);
const ofXpos = {
  query: plain.tablesOf(SEQ, PAIRS, angle, scale),
  key: plain.tablesOf(SEQ, PAIRS, angle, (token, i) => 1 / scale(token, i)),
};

/** Now the one side, now the other: values stay as large as they are. */
const sides = () => {
  let side = "key";
  return () => {
    side = side === "key" ? "query" : "key";
    return side;
  };
};

/** The calls, their rows' names and how many times as long as RoPE half each may take. */
const KINDS = [
  {
    name: "deinterleaved",
    must: 1.5,
    library: (pe) => {
      const rope = pe.rotary({ dim: DIM, layout: "deinterleaved" });
      return ({ x }) => rope.apply(x.data, { shape, seqAxis: 0 });
    },
    script: ({ x }) => plain.rotateDeinterleaved(x, usual.cos, usual.sin, SEQ, HEADS, DIM),
  },
  {
    name: "M-RoPE",
    must: 1.5,
    inputs: { ids: given(positions, 3, SEQ) },
    library: (pe) => {
      const rope = pe.mrope({ dim: DIM, layout: "half", sections: SECTIONS, order: "chunked" });
      return ({ x, ids }) => rope.apply(x.data, { shape, seqAxis: 0, positions: ids });
    },
    script: byTables(ofMrope),
  },
  {
    name: "xPos",
    must: 1.6,
    library: (pe) => {
      const rope = pe.xpos({ dim: DIM, layout: "half", centre: CENTRE });
      const next = sides();
      return ({ x }) => rope.apply(x.data, { shape, seqAxis: 0, side: next() });
    },
    script: (() => {
      const next = sides();
      return (arrays) => byTables(ofXpos[next()])(arrays);
    })(),
  },
];

export const kinds = KINDS.map(({ name, must, inputs, library, script }) =>
  row({
    name: `RoPE ${name} [${shape.join(", ")}]`,
    inputs: { x: numbers(...shape), ...inputs },
    tolerance: 1e-4,
    library,
    script,
    more: { [HALF]: half },
    goals: [{ of: "posenc", against: HALF, measure: "cost", must }],
  }),
);
