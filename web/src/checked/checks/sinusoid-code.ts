import type { Tensor } from "posenc/full";
import { scaled, tensor } from "../../core/arithmetic";
import type { Claims } from "../claim";
import { gap, random, rotated, row, sinusoidByEngine, table } from "./arithmetic";

/** Half an ulp of 1, plus the error of the engine's own sine. */
const ONE_ROUNDING = 6.1e-8;

/** Counts the rows of a table that are equal to an earlier one. */
function repeats({ data, shape: [rows, width] }: { data: ArrayLike<number>; shape: readonly number[] }): number {
  const seen = new Set<string>();
  for (let at = 0; at < rows * width; at += width)
    seen.add(Array.from({ length: width }, (_, dimension) => data[at + dimension]).join());
  return rows - seen.size;
}

/**
 * The squared distance of the first row to the row nearest to it: a sum of squared differences, since the difference of
 * dot products would be rounded away.
 */
function nearest(codes: Tensor): number {
  const [first, ...others] = Array.from({ length: codes.shape[0] }, (_, r) => row(codes, r));
  const apart = (other: Float32Array) => first.reduce((sum, value, at) => sum + (value - other[at]) ** 2, 0);
  return others.reduce((least, other) => Math.min(least, apart(other)), Number.POSITIVE_INFINITY);
}

/** One row of the post's relative class: its index i steps by two already, and is doubled once more. */
const printedCode = (offset: number, dim: number): Float32Array =>
  Float32Array.from({ length: dim }, (_, at) => {
    const angle = offset / 10000 ** ((2 * (at - (at % 2))) / dim);
    return at % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });

/** The post's rotate_every_two: halves are chunked, swapped, and the second negated. */
function rotateEveryTwo({ data, shape: [rows, width] }: Tensor): Tensor {
  const half = width / 2;
  return table(rows, width, (r, dimension) =>
    dimension < half ? -data[r * width + dimension + half] : data[r * width + dimension - half],
  );
}

/** x cos + rotate_every_two(x) sin, as the post has it; which angle a dimension has, it leaves to the caller. */
function appliedAsPrinted(x: Tensor, angle: (row: number, dimension: number) => number): Tensor {
  const swapped = rotateEveryTwo(x);
  const [rows, width] = x.shape;
  return table(rows, width, (r, dimension) => {
    const [at, by] = [r * width + dimension, angle(r, dimension)];
    return x.data[at] * Math.cos(by) + swapped.data[at] * Math.sin(by);
  });
}

export const sinusoidCode: Claims<"A"> = {
  A1: {
    sizes: { of: "positions", choices: [8, 64, 512, 4096] },
    check(pe, { size }) {
      const codes = pe.sinusoidal({ length: size, dim: 32 });
      const off = gap(codes, sinusoidByEngine(size, 32));
      return { isTrue: off <= ONE_ROUNDING, numbers: { rows: size, off } };
    },
  },
  A2: {
    seeded: true,
    sizes: { of: "positions", choices: [64, 512, 4096] },
    check(pe, { seed, size }) {
      const by = 1 + (seed % 97);
      const codes = pe.sinusoidal({ length: size, dim: 64 });
      // One matrix serves all rows: it depends on k only.
      const map = pe.shiftMatrix({ dim: 64, by });
      const moved = pe.linear(codes, map);
      const off = gap(moved, pe.sinusoidal({ length: size, offset: by, dim: 64 }));
      return { isTrue: off < 1e-6, numbers: { by, rows: size, off } };
    },
  },
  A3: {
    sizes: { of: "positions", choices: [2048, 256, 16384] },
    check(pe, { size }) {
      const [narrow, wide] = [2, 32].map((dim) => pe.sinusoidal({ length: size, dim }));
      const rounded = (codes: Tensor) => repeats(pe.convert(codes, "bfloat16"));
      const lost = rounded(narrow);
      const exact = repeats(narrow) + repeats(wide);
      return {
        isTrue: exact === 0,
        limited: lost > 0,
        numbers: { rows: size, exact, lost, kept: rounded(wide), narrow: nearest(narrow), wide: nearest(wide) },
      };
    },
  },
  A4: {
    sizes: { of: "words", choices: [8, 32, 128] },
    check(pe, { size }) {
      const dim = 32;
      const whole = pe.relativeSinusoidal({ queries: size, keys: size, dim });
      const offsets = Float64Array.from({ length: size * size }, (_, at) => (at % size) - Math.floor(at / size));
      const off = gap(whole, pe.sinusoidal({ positions: offsets, dim }));
      const [queries, keys, width] = whole.shape;
      return {
        isTrue: off === 0 && queries === size && keys === size && width === dim,
        numbers: { queries, keys, width, entries: whole.data.length, off },
      };
    },
  },
  A5: {
    sizes: { of: "words", choices: [8, 32, 128] },
    check(pe, { size }) {
      const dim = 32;
      // Columns as the loop writes them, from -(L - 1) to L - 1: a negative index counts from the end.
      const columns = new Map<number, number>();
      for (let offset = 1 - size; offset < size; offset++) columns.set((offset + size) % size, offset);
      const codes = Array.from({ length: size }, (_, column) => printedCode(columns.get(column) ?? 0, dim));
      const whole = pe.relativeSinusoidal({ queries: size, keys: size, dim });
      const cells = size * size;
      const agrees = (at: number) => {
        const printed = codes[((at % size) - Math.floor(at / size) + size) % size];
        return printed.every((value, dimension) => Math.abs(value - whole.data[at * dim + dimension]) < 1e-6);
      };
      const right = Array.from({ length: cells }, (_, at) => at).filter(agrees).length;
      const { data } = pe.frequencies({ dim });
      const offsets = 2 * size - 1;
      return {
        isTrue: right === cells,
        numbers: {
          offsets,
          kept: columns.size,
          lost: offsets - columns.size,
          cells,
          right,
          lowest: data[data.length - 1],
          printed: 10000 ** ((-2 * (dim - 2)) / dim),
        },
      };
    },
  },
  A6: {
    seeded: true,
    sizes: { of: "dimensions", choices: [8, 32, 128] },
    check(pe, { seed, size: dim }) {
      const n = 4;
      const x = random(pe, n, dim, seed);
      const positions = Array.from({ length: n }, (_, p) => p + 1);
      const angle = (p: number, pair: number) => positions[p] / 10000 ** ((2 * pair) / dim);
      // The pairs' angles once and then again, or each angle twice in a row.
      const repeated = appliedAsPrinted(x, (p, dimension) => angle(p, dimension % (dim / 2)));
      const doubled = appliedAsPrinted(x, (p, dimension) => angle(p, Math.floor(dimension / 2)));
      const off = gap(repeated, rotated(pe.rotary({ dim, layout: "half" }), x, positions));
      const neighbours = gap(doubled, rotated(pe.rotary({ dim, layout: "interleaved" }), x, positions));
      return {
        isTrue: off < 1e-5 || neighbours < 1e-5,
        limited: off >= 1e-5 || neighbours >= 1e-5,
        numbers: { dim, partner: dim / 2, off, neighbours },
      };
    },
  },
  A7: {
    sizes: { of: "dimensions", choices: [32, 128] },
    check(pe, { size }) {
      const rope = pe.rotary({ dim: size, layout: "half" });
      const q = table(1, size, () => 1);
      const at = (position: number) => rotated(rope, q, [position]).data;
      const start = at(3);
      const pairOf = (data: Float32Array, pair: number) => tensor([data[pair], data[pair + size / 2]], 1);
      // One wavelength of pair i later its two dimensions are what they were, half of one later their negatives.
      const wavelengths = [...pe.frequencies({ dim: size }).data].map((frequency) => (2 * Math.PI) / frequency);
      const off = wavelengths.map((wavelength, i) => gap(pairOf(start, i), pairOf(at(3 + wavelength), i)));
      const opposite = wavelengths.map((wavelength, i) =>
        gap(scaled(pairOf(start, i), -1), pairOf(at(3 + wavelength / 2), i)),
      );
      const [most, half] = [off, opposite].map((gaps) => Math.max(...gaps));
      return {
        isTrue: most < 1e-6 && half < 1e-6,
        numbers: { dim: size, shortest: wavelengths[0], longest: wavelengths[wavelengths.length - 1], off: most, half },
      };
    },
  },
};
