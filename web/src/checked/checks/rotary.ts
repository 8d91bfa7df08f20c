import type { PosencFull, Tensor } from "posenc/full";
import { scaled, tensor } from "../../core/arithmetic";
import type { Claim } from "../claim";
import { dot, freeNumbers, gap, mean, random, rotated, row, score, table, transposed } from "./arithmetic";

const CLOSE = 1e-4;
const BASE = 10000;

/** Post C's three tokens, weights and angles. */
const PRINTED: Readonly<Record<"tokens" | "weightQ" | "weightK", Tensor> & { angles: Float32Array }> = {
  tokens: tensor([1, 0.2, 0.3, 1, -0.9, 0.5], 2),
  weightQ: tensor([1, 0.8, -0.8, 1], 2),
  weightK: tensor([-1, 0.6, 0.6, 1], 2),
  angles: Float32Array.of(10, 20, 30),
};

/** Random tokens, weights and angles. */
function drawn(pe: PosencFull, seed: number): typeof PRINTED {
  const [tokens, weightQ, weightK] = [3, 2, 2].map((rows, stream) => random(pe, rows, 2, 10 * seed + stream));
  return { tokens, weightQ, weightK, angles: scaled(random(pe, 1, 3, 10 * seed + 3), 90).data };
}

/** Neighbouring dimensions rotated as pairs, with the engine's sine and cosine, as the posts' code does. */
function rotatedByEngine({ data, shape: [rows, dim] }: Tensor, angle: (row: number, pair: number) => number): Tensor {
  return table(rows, dim, (r, dimension) => {
    const a = data[r * dim + dimension - (dimension % 2)];
    const b = data[r * dim + dimension - (dimension % 2) + 1];
    const by = angle(r, Math.floor(dimension / 2));
    return dimension % 2 === 0 ? a * Math.cos(by) - b * Math.sin(by) : a * Math.sin(by) + b * Math.cos(by);
  });
}

/** The first dimensions of all pairs, then the second ones. */
const taken = (pe: PosencFull, x: Tensor): Tensor =>
  pe.convertLayout(x, { dim: x.shape[1], from: "interleaved", to: "half", axis: -1 });

/** elu(x) + 1 */
const feature = ({ data, shape }: Tensor): Tensor => ({ data: data.map((x) => (x > 0 ? x + 1 : Math.exp(x))), shape });

type Rotary = "C7" | "C8" | "C9" | "C10" | "C11" | "C12" | "C13" | "C14" | "C15" | "C16" | "C17";

export const rotary: Readonly<Record<Rotary, Claim>> = {
  C7: {
    seeded: true,
    sizes: { of: "shift", choices: [1000, 100, 100000] },
    check(pe, { seed, size }) {
      const rope = pe.rotary({ dim: 64, layout: "interleaved" });
      const [q, k] = [row(random(pe, 2, 64, seed), 0), row(random(pe, 2, 64, seed), 1)];
      const [here, there] = [score(pe, rope, q, k, 7, 3), score(pe, rope, q, k, 7 + size, 3 + size)];
      const other = score(pe, rope, q, k, 8, 3);
      const off = Math.abs(here - there);
      const changes = Math.abs(here - other) > CLOSE * 10;
      return { isTrue: off < CLOSE * 10 && changes, numbers: { here, there, other, off, by: size } };
    },
  },
  C8: {
    seeded: true,
    sizes: { of: "shift", choices: [1000, 10, 100000] },
    check(pe, { seed, size }) {
      const dim = 16;
      const rope = pe.rotary({ dim, layout: "interleaved" });
      const x = random(pe, 2, dim, 10 * seed);
      const [weightQ, weightK] = [1, 2].map((stream) => scaled(random(pe, dim, dim, 10 * seed + stream), 0.25));
      const at = (m: number, n: number) => {
        const inputs = rotated(rope, x, [m, n]);
        return dot(pe, row(pe.linear(inputs, weightQ), 0), row(pe.linear(inputs, weightK), 1));
      };
      const [here, there] = [at(7, 3), at(7 + size, 3 + size)];
      const off = Math.abs(here - there);
      return { isTrue: off < CLOSE * 10, numbers: { here, there, off, by: size } };
    },
  },
  C9: {
    seeded: true,
    check(pe, { seed }) {
      const rope = pe.rotary({ dim: 2, layout: "interleaved" });
      const [q, k] = [0, 1].map((at) => row(random(pe, 2, 2, seed), at));
      const [m, n] = [2, 1];
      const stated = (a: Float32Array, b: Float32Array) => Math.cos(m - n) * dot(pe, a, b);
      const true_ = score(pe, rope, q, k, m, n);
      const missing = Math.sin(m - n) * dot(pe, q, [k[1], -k[0]]);
      const off = Math.abs(true_ - stated(q, k));
      const whole = Math.abs(true_ - stated(q, k) - missing);
      const parallel = Math.abs(score(pe, rope, q, q, m, n) - stated(q, q));
      return { isTrue: off < CLOSE, numbers: { true: true_, stated: stated(q, k), off, missing, whole, parallel } };
    },
  },
  C10: {
    seeded: true,
    sizes: { of: "dimensions", choices: [32, 128] },
    check(pe, { seed, size }) {
      const n = 10;
      const x = random(pe, n, size, seed);
      const half = size / 2;
      // As printed: -2 i / dim, where dim is half of the dimensions.
      const printed = taken(
        pe,
        rotatedByEngine(x, (p, pair) => p * BASE ** (-2 * (pair / half))),
      );
      const positions = Array.from({ length: n }, (_, p) => p);
      const inPlace = (exponent: "paper" | "double-stepped") =>
        rotated(pe.rotary({ dim: size, layout: "interleaved", exponent }), x, positions);
      const by = (exponent: "paper" | "double-stepped") => taken(pe, inPlace(exponent));
      const off = gap(printed, by("paper"));
      const doubled = gap(printed, by("double-stepped"));
      const scores = (y: Tensor) => pe.linear(y, y);
      return {
        isTrue: off < CLOSE,
        // Another order of the dimensions than that of its input.
        limited: gap(printed, inPlace("paper")) > CLOSE,
        numbers: { dim: size, off, doubled, scores: gap(scores(printed), scores(by("paper"))) },
      };
    },
  },
  C11: {
    seeded: true,
    check(pe, { seed }) {
      const { tokens, weightQ, weightK, angles } = seed === 1 ? PRINTED : drawn(pe, seed);
      const degrees = (p: number) => (angles[p] * Math.PI) / 180;
      const positions = Array.from(angles, (_, p) => degrees(p));
      const rope = pe.rotary({ dim: 2, layout: "interleaved" });
      const [q, k] = [weightQ, weightK].map((weight) => pe.linear(tokens, weight));
      const [after, keys] = [q, k].map((x) => rotated(rope, x, positions));
      const off = [gap(after, rotatedByEngine(q, degrees)), gap(keys, rotatedByEngine(k, degrees))];
      const { weights, output } = pe.attention({
        query: after,
        key: keys,
        value: tokens,
        weights: true,
        precision: "exact",
      });
      const sums = pe.linear(weights, tensor([1, 1, 1], 3)).data;
      const most = Math.max(...off);
      return {
        isTrue: most < CLOSE && sums.every((sum) => Math.abs(sum - 1) < CLOSE),
        numbers: {
          seed,
          off: most,
          w0: weights.data[0],
          w1: weights.data[1],
          w2: weights.data[2],
          x: output.data[0],
          y: output.data[1],
        },
      };
    },
  },
  C12: {
    sizes: { of: "dimensions", choices: [12, 64, 512] },
    check(pe, { size: dim }) {
      const positions = [0, 1, 2, 5, 10];
      const x = table(positions.length, dim, () => 5);
      const after = rotated(pe.rotary({ dim, layout: "interleaved" }), x, positions);
      const off = gap(
        after,
        rotatedByEngine(x, (r, pair) => positions[r] / BASE ** ((2 * pair) / dim)),
      );
      const last = row(after, 4);
      return { isTrue: off < CLOSE, numbers: { dim, off, a: last[0], b: last[1], c: last[dim - 2], d: last[dim - 1] } };
    },
  },
  C13: {
    seeded: true,
    sizes: { of: "dimensions", choices: [8, 32] },
    check(pe, { seed, size }) {
      const [m, n] = [9, 4];
      const rope = pe.rotary({ dim: size, layout: "interleaved" });
      const matrix = pe.rotaryMatrix({ rotary: rope, position: n - m });
      const outside = table(size, size, (i, j) =>
        Math.floor(i / 2) === Math.floor(j / 2) ? 0 : matrix.data[i * size + j],
      );
      const x = random(pe, 2, size, 10 * seed);
      const [weightQ, weightK] = [1, 2].map((stream) => scaled(random(pe, size, size, 10 * seed + stream), 0.25));
      const [q, k] = [row(pe.linear(x, weightQ), 0), row(pe.linear(x, weightK), 1)];
      const left = score(pe, rope, q, k, m, n);
      const right = dot(pe, q, pe.linear(tensor(k, size), matrix).data);
      const off = Math.abs(left - right);
      const off_blocks = Math.max(...outside.data.map(Math.abs));
      return {
        isTrue: off < CLOSE * 10 && off_blocks === 0,
        numbers: { dim: size, left, right, off, outside: off_blocks },
      };
    },
  },
  C14: {
    seeded: true,
    sizes: { of: "dimensions", choices: [512, 64] },
    check(pe, { seed, size }) {
      const x = random(pe, 1, size, seed);
      const rope = pe.rotary({ dim: size, layout: "half" });
      const squared = (y: Tensor) => dot(pe, y.data, y.data);
      const [before, after] = [squared(x), squared(rotated(rope, x, [1000]))];
      const change = Math.abs(after / before - 1);
      const length = 64;
      const cached = () => pe.rotary({ dim: size, layout: "half" }).cache({ length }).cos.data;
      const parameters = freeNumbers(cached);
      const table = (drawn: number) => pe.learnedTable({ length, dim: size, seed: drawn }).data;
      return {
        isTrue: change < 1e-5 && parameters === 0,
        numbers: {
          dim: size,
          before,
          after,
          change,
          parameters,
          cosines: cached().length,
          learned: freeNumbers(table),
        },
      };
    },
  },
  C15: {
    sizes: { of: "dimensions", choices: [128, 64] },
    check(pe, { size }) {
      const length = 2048;
      const rope = pe.rotary({ dim: size, layout: "half" });
      const ones = table(length, size, () => 1);
      const codes = rotated(
        rope,
        ones,
        Array.from({ length }, (_, p) => p),
      );
      // The score of two vectors of ones by distance, as a share of the score at distance 0.
      const curve = pe.linear(codes, tensor(row(codes, 0), size)).data.map((value) => value / size);
      const rises = curve.reduce((count, value, p) => count + (p > 0 && value > curve[p - 1] ? 1 : 0), 0);
      const [near, far] = [mean(curve.slice(1, 65)), mean(curve.slice(-64))];
      return { isTrue: far < near, limited: rises > 0, numbers: { dim: size, near, far, rises, length } };
    },
  },
  C16: {
    seeded: true,
    sizes: { of: "dimensions", choices: [64, 16] },
    check(pe, { seed, size }) {
      const rope = pe.rotaryGrid({ preset: "axial", dim: size, layout: "interleaved", axes: 2 });
      const x = random(pe, 2, size, seed);
      const at = (points: number[]) => {
        const data = rope.apply(x.data.slice(), { shape: [2, size], points });
        return dot(pe, data.slice(0, size), data.slice(size));
      };
      const [here, there, other] = [at([2, 3, 5, 1]), at([22, 13, 25, 11]), at([2, 3, 5, 2])];
      const off = Math.abs(here - there);
      return { isTrue: off < CLOSE * 10 && Math.abs(other - here) > CLOSE * 10, numbers: { here, there, other, off } };
    },
  },
  C17: {
    seeded: true,
    sizes: { of: "words", choices: [16, 64] },
    check(pe, { seed, size }) {
      const dim = 16;
      const rope = pe.rotary({ dim, layout: "half" });
      const [q, k, v] = [1, 2, 3].map((stream) => random(pe, size, dim, 10 * seed + stream));
      const linear = pe.linearAttention({ rotary: rope, query: q, key: k, value: v });
      const positions = Array.from({ length: size }, (_, p) => p);
      const [fq, fk] = [feature(q), feature(k)];
      const [rq, rk] = [fq, fk].map((features) => rotated(rope, features, positions));
      const [above, below] = [pe.linear(rq, rk), pe.linear(fq, fk)];
      const weights = table(size, size, (i, j) => {
        const total = row(below, i).reduce((sum, value) => sum + value, 0);
        return above.data[i * size + j] / total;
      });
      const off = gap(linear, pe.linear(weights, transposed(v)));
      const least = weights.data.reduce((low, value) => Math.min(low, value), 0);
      const sums = pe.linear(
        weights,
        table(1, size, () => 1),
      ).data;
      return {
        isTrue: off < CLOSE,
        limited: least < 0 || sums.some((sum) => Math.abs(sum - 1) > CLOSE),
        numbers: { n: size, off, least, sum: sums[size - 1] },
      };
    },
  },
};
