import type { PosencFull } from "posenc/full";

/** How models compute the angle of a position; each way has errors of its own. */
export const ways = ["float32", "running", "bfloat16", "stored"] as const;
export type Way = (typeof ways)[number];

/** Positions surveyed at a time: a few milliseconds. */
const chunk = 1024;

export type Survey = ReturnType<typeof survey>["result"];

type Dims = { cos: Float32Array; sin: Float32Array };

/** Cosines and sines of consecutive positions, from the first one on, in one of the ways. */
type Source = (offset: number, length: number) => Dims;

/** All angles of a bfloat16 model: position, frequency and their product are each rounded to 8 bits. */
function inBfloat16(pe: PosencFull, dim: number, base: number): Source {
  const rounded = (x: ArrayLike<number>, width: number) => {
    const data = Float32Array.from(x);
    return pe.convert(pe.convert({ data, shape: [data.length / width, width] }, "bfloat16"), "float32");
  };
  const frequencies = rounded(pe.frequencies({ dim, base }).data, 1);
  const pairs = frequencies.data.length;
  const known = new Map<number, Dims>();
  /** Many positions round to the same number, which is computed once. */
  const at = (position: number): Dims => {
    const found = known.get(position);
    if (found) return found;
    const products = pe.linear({ data: Float32Array.of(position), shape: [1, 1] }, frequencies);
    const table = pe.sinusoidal({ dim: 2, positions: rounded(products.data, pairs).data }).data;
    const dims = {
      cos: table.filter((_, dimension) => dimension % 2 === 1),
      sin: table.filter((_, dimension) => dimension % 2 === 0),
    };
    known.set(position, dims);
    return dims;
  };
  return (offset, length) => {
    const positions = rounded(
      Array.from({ length }, (_, row) => offset + row),
      1,
    ).data;
    const cos = new Float32Array(length * pairs);
    const sin = new Float32Array(length * pairs);
    positions.forEach((position, row) => {
      const dims = at(position);
      cos.set(dims.cos, row * pairs);
      sin.set(dims.sin, row * pairs);
    });
    return { cos, sin };
  };
}

/** Cosines and sines of the true angles, kept as bfloat16. */
function storedAsBfloat16(pe: PosencFull, dim: number, base: number): { source: Source; end(): void } {
  const rope = pe.rotary({ dim, layout: "interleaved", base });
  const source: Source = (offset, length) => {
    const { cos, sin } = rope.cache({ offset, length, dtype: "bfloat16" });
    return { cos: pe.convert(cos, "float32").data, sin: pe.convert(sin, "float32").data };
  };
  return { source, end: () => rope.delete() };
}

function cached(pe: PosencFull, dim: number, base: number, precision: "exact" | "float32") {
  const rope = pe.rotary({ dim, layout: "interleaved", base, precision });
  const source: Source = (offset, length) => {
    const { cos, sin } = rope.cache({ offset, length });
    return { cos: cos.data, sin: sin.data };
  };
  return { source, end: () => rope.delete() };
}

/**
 * A unit vector for each pair, rotated position by position: each result is rounded to float32, and the next one starts
 * from it. Positions must be requested in order.
 */
function runningProduct(pe: PosencFull, dim: number, base: number): { source: Source; end(): void } {
  const pairs = dim / 2;
  const rope = pe.rotary({ dim, layout: "interleaved", base });
  const vector = pe.buffer(dim);
  vector.view.set(Float32Array.from({ length: dim }, (_, dimension) => 1 - (dimension % 2)));
  const step = rope.step(vector, { shape: [1, 1, dim], seqAxis: 0 });
  const source: Source = (_, length) => {
    const cos = new Float32Array(length * pairs);
    const sin = new Float32Array(length * pairs);
    for (let row = 0; row < length; row++) {
      const { view } = vector;
      for (let pair = 0; pair < pairs; pair++) {
        cos[row * pairs + pair] = view[2 * pair];
        sin[row * pairs + pair] = view[2 * pair + 1];
      }
      step.apply(1);
    }
    return { cos, sin };
  };
  return {
    source,
    end() {
      step.delete();
      vector.delete();
      rope.delete();
    },
  };
}

/** The largest angle between the pairs of two rows, and which pair has it. */
export function farthest(a: Dims, b: Dims, row: number, pairs: number): { error: number; pair: number } {
  let most = -1;
  let pair = 0;
  for (let at = 0; at < pairs; at++) {
    const i = row * pairs + at;
    const cross = Math.abs(a.sin[i] * b.cos[i] - a.cos[i] * b.sin[i]);
    const dot = a.cos[i] * b.cos[i] + a.sin[i] * b.sin[i];
    // Grows with the angle from 0 to π: the tangent of its half.
    const half = cross / (Math.sqrt(cross * cross + dot * dot) + dot || Number.MIN_VALUE);
    if (half > most) {
      most = half;
      pair = at;
    }
  }
  return { error: 2 * Math.atan(most), pair };
}

/** Surveys positions 0, 1, 2, … up to `length`, a chunk at each call of `more`, which returns whether any are left. */
export function survey(pe: PosencFull, dim: number, base: number, length: number) {
  const pairs = dim / 2;
  const exact = cached(pe, dim, base, "exact");
  const float32 = cached(pe, dim, base, "float32");
  const running = runningProduct(pe, dim, base);
  const stored = storedAsBfloat16(pe, dim, base);
  const sources: Record<Way, Source> = {
    float32: float32.source,
    running: running.source,
    bfloat16: inBfloat16(pe, dim, base),
    stored: stored.source,
  };
  const each = <T>(make: () => T) => Object.fromEntries(ways.map((way) => [way, make()])) as Record<Way, T>;
  const result = {
    /** The largest error of an angle at every position, over all pairs, for each way. */
    errors: each(() => new Float32Array(length)),
    /** The largest of the errors up to every position. */
    most: each(() => new Float32Array(length)),
    /** The pair that has this error. */
    pairs: each(() => new Uint16Array(length)),
    /** Positions done so far, of `length`. */
    done: 0,
    length,
  };
  const end = () => {
    for (const rotary of [exact, float32, running, stored]) rotary.end();
  };
  function more(): boolean {
    const count = Math.min(chunk, length - result.done);
    const truth = exact.source(result.done, count);
    for (const way of ways) {
      const dims = sources[way](result.done, count);
      for (let row = 0; row < count; row++) {
        const { error, pair } = farthest(dims, truth, row, pairs);
        const position = result.done + row;
        result.errors[way][position] = error;
        result.most[way][position] = position > 0 ? Math.max(error, result.most[way][position - 1]) : error;
        result.pairs[way][position] = pair;
      }
    }
    result.done += count;
    return result.done < length;
  }
  return { result, more, end };
}

/** The first position whose error is larger than `limit`, if any position surveyed so far has one. */
export function firstAbove({ most, done }: Survey, way: Way, limit: number): number | undefined {
  let [low, high] = [0, done];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (most[way][middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low < done ? low : undefined;
}
