import type { Tensor } from "posenc/full";
import type { Claims } from "../claim";
import { perplexities, readsOn, stored } from "../trained";
import { dot, gap, random, refuses, row, score, sinusoidByEngine, table } from "./arithmetic";

/** BERT, uncased, as its paper and config.json have it. */
const BERT = { vocabulary: 30522, positions: 512, segments: 2 };
/** Base and large, by their width: layers, and the parameters that the published model has. */
const PUBLISHED: Readonly<Record<number, { layers: number; published: number }>> = {
  768: { layers: 12, published: 109482240 },
  1024: { layers: 24, published: 335141888 },
};

/** The number of parameters of BERT's matrices, biases and norms, with this many learned position vectors. */
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
    sizes: { of: "dimensions", choices: [768, 1024] },
    check(pe, { size }) {
      const { layers, published } = PUBLISHED[size];
      const { encoding } = pe.hubConfig({
        model_type: "bert",
        hidden_size: size,
        num_attention_heads: size / 64,
        num_hidden_layers: layers,
        max_position_embeddings: BERT.positions,
        position_embedding_type: "absolute",
      });
      const rows = encoding.type === "learned" ? encoding.rows : 0;
      // The library has no table without rows.
      const learned = rows && pe.learnedTable({ length: rows, dim: size, seed: 1 }).data.length;
      const without = parameters(size, layers, 0);
      return {
        // Sinusoids would leave nothing of the published number; the table that the library reads may account for more.
        isTrue: Math.abs(published - without) <= Math.abs(published - without - learned),
        numbers: { width: size, published, without, missing: published - without, rows, learned },
      };
    },
  },
  D2: {
    sizes: { of: "position", choices: [1000000, 5000] },
    trained: true,
    check(pe, { size }, trainings = stored) {
      const beyond = pe.sinusoidal({ length: 4, offset: size, dim: 32 });
      const off = gap(beyond, sinusoidByEngine(4, 32, size));
      const learned = pe.learnedTable({ length: 512, dim: 32, seed: 1 });
      const stops = refuses(() => pe.lookupRows(learned, { ids: [size] }));
      const [near, longest] = perplexities(trainings, "sinusoid");
      return {
        // A model does worse at other lengths; but no code has to be trained again for that.
        isTrue: stops && !readsOn(trainings, "sinusoid"),
        partly: off <= 1e-6,
        numbers: { position: size, off, rows: learned.shape[0], near, longest },
      };
    },
  },
  D3: {
    sizes: { of: "positions", choices: [30, 512] },
    check(pe, { size }) {
      const whole = pe.sinusoidal({ length: 512, dim: 512 });
      const part: Tensor = pe.sinusoidal({ length: size, dim: 512 });
      const same = part.data.every((value, at) => Object.is(value, whole.data[at]));
      const off = gap(part, sinusoidByEngine(size, 512));
      return { isTrue: same && off < 6.1e-8, numbers: { rows: part.shape[0], dimensions: part.shape[1], off } };
    },
  },
  D4: {
    seeded: true,
    sizes: { of: "words", choices: [16, 64] },
    check(pe, { seed, size }) {
      const [batch, heads, dim] = [2, 4, 32];
      const x = random(pe, size * batch * heads, dim, seed);
      const rope = pe.rotary({ dim, layout: "half" });
      const after = {
        data: rope.apply(x.data.slice(), { shape: [size, batch, heads, dim], seqAxis: 0 }),
        shape: x.shape,
      };
      // x cos + neg_half(x) sin, as the class has it.
      const byClass = table(size * batch * heads, dim, (r, dimension) => {
        const angle = Math.floor(r / (batch * heads)) / 10000 ** ((2 * (dimension % (dim / 2))) / dim);
        const other =
          dimension < dim / 2 ? -x.data[r * dim + dimension + dim / 2] : x.data[r * dim + dimension - dim / 2];
        return x.data[r * dim + dimension] * Math.cos(angle) + other * Math.sin(angle);
      });
      const off = gap(after, byClass);
      const [short, long] = [size, 2 * size].map((length) => rope.cache({ length }).cos.data);
      const reused = short.every((value, at) => Object.is(value, long[at]));
      return { isTrue: off < 1e-5 && reused, numbers: { n: size, off, kept: short.length } };
    },
  },
  D5: {
    seeded: true,
    sizes: { of: "shift", choices: [7, 100] },
    check(pe, { seed, size: by }) {
      const dim = 32;
      const words = random(pe, 2, dim, seed);
      const rope = pe.rotary({ dim, layout: "interleaved" });
      const start = pe.sinusoidal({ length: 1, dim });
      // The position vector of 0, rotated to each position.
      const rotatedTo = (position: number) => pe.shift(start, { dim, by: position });
      const off = gap(rotatedTo(by), pe.sinusoidal({ length: 1, offset: by, dim }));
      const added = (m: number, n: number) => {
        const [query, key] = [m, n].map((position, at) =>
          row(pe.add({ data: row(words, at), shape: [1, dim] }, rotatedTo(position)), 0),
        );
        return dot(pe, query, key);
      };
      const ofAdded = Math.abs(added(7 + by, 3 + by) - added(7, 3));
      const rotary = (m: number, n: number) => score(pe, rope, row(words, 0), row(words, 1), m, n);
      const ofRotated = Math.abs(rotary(7 + by, 3 + by) - rotary(7, 3));
      return {
        // Rotated position vectors would be RoPE if their scores depended on the distance alone, as RoPE's do.
        isTrue: ofAdded < 1e-4,
        numbers: { off, added: ofAdded, rotated: ofRotated, by },
      };
    },
  },
};
