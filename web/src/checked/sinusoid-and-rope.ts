import type { Tensor } from "posenc/full";
import { gap, random, refuses, sinusoidByEngine, table } from "./arithmetic";
import type { Claims } from "./claim";

/** BERT, uncased, as its paper and config.json have it. */
const BERT = { vocabulary: 30522, positions: 512, segments: 2 };
/** Base and large, by their width: layers, and the parameters that the published model has. */
const PUBLISHED: Readonly<Record<number, { layers: number; published: number }>> = {
  768: { layers: 12, published: 109482240 },
  1024: { layers: 24, published: 335141888 },
};

/** What all of BERT's matrices, biases and norms hold, with so many learned vectors of positions. */
function parameters(width: number, layers: number, positions: number): number {
  const { vocabulary, segments } = BERT;
  const inner = 4 * width;
  const norm = 2 * width;
  const square = width * width + width;
  const layer = 4 * square + (width * inner + inner) + (inner * width + width) + 2 * norm;
  return (vocabulary + positions + segments) * width + norm + layers * layer + square;
}

export const sinusoidAndRope: Claims<"D"> = {
  D1: {
    sizes: [768, 1024],
    check(pe, { size }) {
      const { layers, published } = PUBLISHED[size];
      const learned = pe.learnedTable({ length: BERT.positions, dim: size, seed: 1 }).data.length;
      const without = parameters(size, layers, 0);
      return {
        asSaid: without === published,
        numbers: { width: size, published, without, missing: published - without, learned },
      };
    },
  },
  D2: {
    sizes: [1000000, 5000],
    check(pe, { size }) {
      const beyond = pe.sinusoidal({ length: 4, offset: size, dim: 32 });
      const engine = table(4, 32, (p, lane) => {
        const angle = (size + p) / 10000 ** ((lane - (lane % 2)) / 32);
        return lane % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
      });
      const off = gap(pe, beyond, engine);
      const learned = pe.learnedTable({ length: 512, dim: 32, seed: 1 });
      const stops = refuses(() => pe.lookupRows(learned, { ids: [size] }));
      return { asSaid: off > 1e-6 || !stops, numbers: { position: size, off, rows: learned.shape[0] } };
    },
  },
  D3: {
    sizes: [30, 512],
    check(pe, { size }) {
      const whole = pe.sinusoidal({ length: 512, dim: 512 });
      const part: Tensor = pe.sinusoidal({ length: size, dim: 512 });
      const same = part.data.every((value, at) => Object.is(value, whole.data[at]));
      const off = gap(pe, part, sinusoidByEngine(size, 512));
      return { asSaid: same && off < 6.1e-8, numbers: { rows: part.shape[0], lanes: part.shape[1], off } };
    },
  },
  D4: {
    seeded: true,
    sizes: [16, 64],
    check(pe, { seed, size }) {
      const [batch, heads, dim] = [2, 4, 32];
      const x = random(pe, size * batch * heads, dim, seed);
      const rope = pe.rotary({ dim, layout: "half" });
      const after = {
        data: rope.apply(x.data.slice(), { shape: [size, batch, heads, dim], seqAxis: 0 }),
        shape: x.shape,
      };
      // x cos + neg_half(x) sin, as the class has it.
      const byClass = table(size * batch * heads, dim, (r, lane) => {
        const angle = Math.floor(r / (batch * heads)) / 10000 ** ((2 * (lane % (dim / 2))) / dim);
        const other = lane < dim / 2 ? -x.data[r * dim + lane + dim / 2] : x.data[r * dim + lane - dim / 2];
        return x.data[r * dim + lane] * Math.cos(angle) + other * Math.sin(angle);
      });
      const off = gap(pe, after, byClass);
      const [short, long] = [size, 2 * size].map((length) => rope.cache({ length }).cos.data);
      const reused = short.every((value, at) => Object.is(value, long[at]));
      return { asSaid: off < 1e-5 && reused, numbers: { n: size, off, kept: short.length } };
    },
  },
};
