// Chance with a seed, roundings, and damage: what all kinds of random cases share.

import { bfloat16 } from "../rotations.mjs";

/** Numbers from a seed; `state` begins a case again. */
export class Chance {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  next = () => {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state / 2 ** 32;
  };
  below = (end) => Math.floor(this.next() * end);
  pick = (list) => list[this.below(list.length)];
  /** One in so many. */
  rarely = (one) => this.below(one) === 0;
  values = (size) => Float32Array.from({ length: size }, () => 2 * this.next() - 1);
}

/** A float16 of numbers below 65504, rounded to nearest, as a number: ties are rare here. */
function float16(x) {
  if (!Number.isFinite(x) || x === 0) return x;
  const step = Math.abs(x) < 2 ** -14 ? 2 ** -24 : 2 ** (Math.floor(Math.log2(Math.abs(x))) - 10);
  return Math.round(x / step) * step;
}

export const roundings = {
  float32: (numbers) => Float32Array.from(numbers),
  bfloat16: (numbers) => new Float32Array(Uint32Array.from(bfloat16(numbers), (bits) => bits << 16).buffer),
  float16: (numbers) => Float32Array.from(numbers, float16),
};

/** One rounding, relative; and of float16's smallest numbers, absolute. */
export const unit = { float32: 2 ** -24, bfloat16: 2 ** -8, float16: 2 ** -11 };
const least = { float32: 2 ** -150, bfloat16: 2 ** -134, float16: 2 ** -25 };

/** Numbers are explained within eight roundings of what is as large as `size`, of either part of a pair. */
export const explained = 8 * Math.SQRT2;
export const allowance = (dtype, size) => explained * Math.max(unit[dtype] * Math.abs(size), least[dtype]);

/** Float32 may change an angle by this: its own rounding, and those of the frequency's power. */
export const looseAngle = (angle, rate) =>
  rate === 0 ? 0 : Math.min(1, Math.abs(angle) * 2 ** -24 * (2 + Math.abs(Math.log(Math.abs(rate)))));

/** Ways in which numbers are damaged, at an index; `width` of them are a row. */
export const damages = {
  none: () => {},
  one: (data, at) => {
    data[at] += 0.3;
  },
  little: (data, at) => {
    if (Number.isFinite(data[at])) data[at] += 0.001 * (Math.abs(data[at]) || 1);
  },
  stretch: (data, at) => data.fill(0.7, at, at + 3),
  zeros: (data, at, width) => data.fill(0, at - (at % width)),
  "some zeros": (data, at) => data.fill(0, at, at + (data.length >> 3) + 1),
  noise: (data, _, __, { next }) => {
    for (let i = 0; i < data.length; ++i) data[i] += 0.01 * (next() - 0.5);
  },
  row: (data, at, width) => data.copyWithin(at - (at % width), 0, width),
  exchanged: (data, at) => {
    const other = (at * 7 + 3) % data.length;
    [data[at], data[other]] = [data[other], data[at]];
  },
  "not a number": (data, at) => {
    data[at] = Number.NaN;
  },
};

/** The largest of `count` ratios; a number that is not one counts as infinite. */
export function worst(count, ratio) {
  let most = 0;
  for (let i = 0; i < count; ++i) {
    const own = ratio(i);
    if (!(own <= most)) most = Number.isNaN(own) ? Number.POSITIVE_INFINITY : own;
  }
  return most;
}
