import type { PosencFull, Tensor } from "posenc/full";
import { largest, tensor } from "../core/library";
import { dot, gap, rotated, row, sinusoidByEngine, table } from "./arithmetic";
import type { Claims } from "./claim";

/** Half an ulp of 1, plus the error of the engine's own sine. */
const ONE_ROUNDING = 6.1e-8;

/** How many of a table's rows are the same as an earlier one. */
function repeats({ data, shape: [rows, width] }: { data: ArrayLike<number>; shape: readonly number[] }): number {
  const seen = new Set<string>();
  for (let at = 0; at < rows * width; at += width)
    seen.add(Array.from({ length: width }, (_, lane) => data[at + lane]).join());
  return rows - seen.size;
}

/** The squared distance of the first row to the row nearest to it, from the library's products. */
function nearest(pe: PosencFull, codes: Tensor): number {
  const first = row(codes, 0);
  const own = dot(pe, first, first);
  const products = pe.linear(codes, tensor(first, first.length)).data;
  const most = products.slice(1).reduce((high, product) => Math.max(high, product), Number.NEGATIVE_INFINITY);
  // |a - b|² = a · a + b · b - 2 a · b, and all rows have the length of the first.
  return Math.max(0, dot(pe, [own, most], [2, -2]));
}

/** The document's rotate_every_two: halves are chunked, swapped, and the second negated. */
function rotateEveryTwo({ data, shape: [rows, width] }: Tensor): Tensor {
  const half = width / 2;
  return table(rows, width, (r, lane) =>
    lane < half ? -data[r * width + lane + half] : data[r * width + lane - half],
  );
}

const touched = (values: Float32Array) => [...values].flatMap((value, lane) => (value === 0 ? [] : [lane]));

export const sinusoidCode: Claims<"A"> = {
  A1: {
    sizes: [8, 64, 512, 4096],
    check(pe, { size }) {
      const codes = pe.sinusoidal({ length: size, dim: 32 });
      const off = gap(pe, codes, sinusoidByEngine(size, 32));
      return { asSaid: off <= ONE_ROUNDING, numbers: { rows: size, off } };
    },
  },
  A2: {
    seeded: true,
    sizes: [64, 512, 4096],
    check(pe, { seed, size }) {
      const by = 1 + (seed % 97);
      const codes = pe.sinusoidal({ length: size, dim: 64 });
      // The same matrix for all rows: it depends on k only.
      const map = pe.shiftMatrix({ dim: 64, by });
      const moved = pe.linear(codes, map);
      const off = gap(pe, moved, pe.sinusoidal({ length: size, offset: by, dim: 64 }));
      return { asSaid: off < 1e-6, numbers: { by, rows: size, off } };
    },
  },
  A3: {
    sizes: [2048, 256, 16384],
    check(pe, { size }) {
      const [narrow, wide] = [2, 32].map((dim) => pe.sinusoidal({ length: size, dim }));
      const rounded = (codes: Tensor) => repeats(pe.convert(codes, "bfloat16"));
      const lost = rounded(narrow);
      const exact = repeats(narrow) + repeats(wide);
      return {
        asSaid: exact === 0,
        limited: lost > 0,
        numbers: { rows: size, exact, lost, kept: rounded(wide), narrow: nearest(pe, narrow), wide: nearest(pe, wide) },
      };
    },
  },
  A4: {
    sizes: [8, 32, 128],
    check(pe, { size }) {
      const dim = 32;
      const whole = pe.relativeSinusoidal({ queries: size, keys: size, dim });
      const offsets = Float64Array.from({ length: size * size }, (_, at) => (at % size) - Math.floor(at / size));
      const off = gap(pe, whole, pe.sinusoidal({ positions: offsets, dim }));
      return { asSaid: off === 0, numbers: { size, entries: whole.data.length, off } };
    },
  },
  A5: {
    sizes: [8, 64, 512],
    check(pe, { size }) {
      const right = pe.frequencies({ dim: 32 }).data;
      const printed = pe.frequencies({ dim: 32, exponent: "double-stepped" }).data;
      // Columns as the loop writes them, from -(L - 1) to L - 1: a negative index counts from the end.
      const columns = new Map<number, number>();
      for (let offset = 1 - size; offset < size; offset++) columns.set((offset + size) % size, offset);
      const offsets = 2 * size - 1;
      const last = right.length - 1;
      return {
        asSaid: columns.size === offsets && right[last] === printed[last],
        numbers: {
          offsets,
          kept: columns.size,
          lost: offsets - columns.size,
          right: right[last],
          printed: printed[last],
        },
      };
    },
  },
  A6: {
    sizes: [8, 32, 128],
    check(pe, { size }) {
      const one = table(1, size, (_, lane) => (lane === 0 ? 1 : 0));
      const partner = (values: Tensor) => touched(values.data).find((lane) => lane > 0) ?? 0;
      const printed = partner(rotateEveryTwo(one));
      const by = (layout: "half" | "interleaved") => partner(rotated(pe.rotary({ dim: size, layout }), one, [1]));
      return {
        asSaid: printed === by("interleaved"),
        numbers: { dim: size, printed, half: by("half"), neighbours: by("interleaved") },
      };
    },
  },
  A7: {
    sizes: [32, 128],
    check(pe, { size }) {
      const rope = pe.rotary({ dim: size, layout: "half" });
      const q = table(1, size, () => 1);
      const start = rotated(rope, q, [3]).data;
      // One wavelength of pair i later its two lanes are what they were.
      const wavelengths = [...pe.frequencies({ dim: size }).data].map((frequency) => (2 * Math.PI) / frequency);
      const off = wavelengths.map((wavelength, pair) => {
        const later = rotated(rope, q, [3 + wavelength]).data;
        return gap(
          pe,
          tensor([start[pair], start[pair + size / 2]], 1),
          tensor([later[pair], later[pair + size / 2]], 1),
        );
      });
      const most = largest(tensor(off, 1));
      return {
        asSaid: most < 1e-6,
        numbers: { dim: size, shortest: wavelengths[0], longest: wavelengths[wavelengths.length - 1], off: most },
      };
    },
  },
};
