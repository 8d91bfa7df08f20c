import type { PosencFull, Tensor } from "posenc/full";
import { scaled } from "../../core/arithmetic";
import type { Claim } from "../claim";
import { dot, gap, mean, random, row, transposed } from "./arithmetic";

const CLOSE = 1e-5;

/** softmax((Q Kᵀ + R) / sqrt(d)) V, step by step. */
function byFormula(pe: PosencFull, q: Tensor, k: Tensor, v: Tensor, bias: Tensor): Tensor {
  const dim = q.shape[1];
  const scores = pe.add(pe.linear(q, k), { data: bias.data, shape: bias.shape.slice(-2) });
  const weights = pe.softmax(scaled(scores, 1 / Math.sqrt(dim)));
  return pe.linear(weights, transposed(v));
}

function biases(pe: PosencFull, n: number, seed: number): Record<"alibi" | "t5" | "learned", Tensor> {
  const t5 = pe.t5({ queries: n, keys: n, table: random(pe, 32, 1, seed), bidirectional: true });
  const learned = random(pe, 2 * n - 1, 1, seed + 1);
  const ids = pe.shawIds({ queries: n, keys: n, maxDistance: n - 1 });
  return {
    alibi: pe.alibi({ heads: 1, queries: n, keys: n }),
    t5,
    learned: pe.tableBias({ ids, table: learned }),
  };
}

/** How sharp attention is with this scale: the mean over queries of the largest weight. */
function sharpness(pe: PosencFull, q: Tensor, k: Tensor, scale: number): number {
  const { weights } = pe.attention({ query: q, key: k, value: k, scale, weights: true, precision: "exact" });
  const [queries] = weights.shape;
  return mean(
    Array.from({ length: queries }, (_, i) => row(weights, i).reduce((most, weight) => Math.max(most, weight), 0)),
  );
}

export const relativeAttention: Readonly<Record<"B1" | "B2" | "B3" | "B4" | "B5" | "B6", Claim>> = {
  B1: {
    sizes: { of: "position", choices: [1000, 100, 100000] },
    check(pe, { size }) {
      const at = (position: number) => pe.sinusoidal({ positions: [position, position + 1], dim: 128 });
      const likeness = (pair: Tensor) => dot(pe, row(pair, 0), row(pair, 1));
      const [near, far] = [likeness(at(0)), likeness(at(size))];
      const growth = far - near;
      return { isTrue: growth > 1e-3, numbers: { near, far, growth, position: size } };
    },
  },
  B2: {
    seeded: true,
    sizes: { of: "words", choices: [6, 32, 128] },
    check(pe, { seed, size }) {
      const [q, k, v] = [1, 2, 3].map((stream) => random(pe, size, 16, 10 * seed + stream));
      const bare = { query: q, key: k, value: v, precision: "exact" } as const;
      const kinds = Object.entries(biases(pe, size, 10 * seed + 4)).map(([name, bias]) => {
        const whole = { ...bias, shape: [size, size] };
        const formula = byFormula(pe, q, k, v, bias);
        const inside = pe.attention({ ...bare, bias: whole, biasScaled: true }).output;
        // ALiBi and T5 add their bias to scores that are scaled already.
        const outside = pe.attention({ ...bare, bias: whole, biasScaled: false }).output;
        return { name, inside: gap(inside, formula), outside: gap(outside, formula) };
      });
      const inside = Math.max(...kinds.map((kind) => kind.inside));
      return {
        isTrue: inside < CLOSE,
        limited: kinds.some(({ outside }) => outside > 100 * CLOSE),
        numbers: {
          n: size,
          inside,
          ...Object.fromEntries(kinds.map(({ name, outside }) => [name, outside])),
        },
      };
    },
  },
  B3: {
    sizes: { of: "words", choices: [64, 512, 1024] },
    check(pe, { size }) {
      const heads = 1;
      const shape = { queries: size, keys: size };
      const whole = pe.alibi({ heads, ...shape });
      const compact = pe.alibi({ heads, ...shape, form: "compact" });
      const off = gap(pe.relativeExpand(compact, shape), whole);
      const differences = new Set(pe.relativeOffsets(shape).data).size;
      return {
        // The differences are needed, each of them, and suffice.
        isTrue: off === 0 && compact.data.length === differences,
        numbers: {
          n: size,
          all: whole.data.length,
          differences,
          pairs: whole.data.byteLength,
          line: compact.data.byteLength,
          off,
        },
      };
    },
  },
  B4: {
    seeded: true,
    sizes: { of: "dimensions", choices: [512, 64, 16] },
    check(pe, { seed, size }) {
      const n = 128;
      const [q, k] = [1, 2].map((stream) => random(pe, n, size, 10 * seed + stream));
      const products = pe.linear(q, k).data;
      const variance = mean(Float32Array.from(products, (product) => product * product));
      const bare = sharpness(pe, q, k, 1);
      const divided = sharpness(pe, q, k, 1 / Math.sqrt(size));
      return { isTrue: divided < bare && divided < 0.5, numbers: { dim: size, variance, bare, divided, even: 1 / n } };
    },
  },
  B5: {
    seeded: true,
    sizes: { of: "words", choices: [6, 32] },
    check(pe, { seed, size }) {
      const [heads, width] = [4, 32];
      const x = random(pe, size, width, 10 * seed);
      const weights = [1, 2, 3, 4].map((stream) => scaled(random(pe, width, width, 10 * seed + stream), 0.2));
      const [query, key, value, out] = weights.map((weight) => ({ weight }));
      const bias = pe.alibi({ heads, queries: size, keys: size });
      const together = pe.multiHeadAttention({
        query: x,
        layers: { query, key, value, out },
        heads,
        bias,
        biasScaled: false,
      });
      const [q, k, v] = weights.slice(0, 3).map((weight) => pe.splitHeads(pe.linear(x, weight), { heads }));
      const apart = Array.from({ length: heads }, (_, head) => {
        const of = ({ data, shape: [, rows, dimensions] }: Tensor): Tensor => ({
          data: data.slice(head * rows * dimensions, (head + 1) * rows * dimensions),
          shape: [rows, dimensions],
        });
        return pe.attention({ query: of(q), key: of(k), value: of(v), bias: of(bias), biasScaled: false }).output.data;
      });
      const merged = pe.mergeHeads({ data: Float32Array.from(apart.flatMap((head) => [...head])), shape: q.shape });
      const off = gap(together.output, pe.linear(merged, weights[3]));
      return { isTrue: off < CLOSE, numbers: { heads, n: size, off } };
    },
  },
  B6: {
    seeded: true,
    sizes: { of: "words", choices: [64, 512] },
    check(pe, { seed, size }) {
      const dModel = 64;
      const layer = pe.positionalEncoding({ dModel, dropout: 0.1, maxLen: 5000 });
      const x: Tensor = { data: new Float32Array(size * dModel).fill(1), shape: [size, dModel] };
      const added = pe.add(x, pe.sinusoidal({ length: size, dim: dModel }));
      const evaluated = gap(layer.forward(x, { training: false }), added);
      const trained = layer.forward(x, { training: true, seed });
      const zeros = trained.data.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
      const [before, after] = [mean(added.data), mean(trained.data)];
      const change = after / before - 1;
      const dropped = zeros / trained.data.length;
      return {
        isTrue: evaluated === 0 && Math.abs(change) < 0.03 && Math.abs(dropped - 0.1) < 0.02,
        numbers: { evaluated, before, after, dropped },
      };
    },
  },
};
