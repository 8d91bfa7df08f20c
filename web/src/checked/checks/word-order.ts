import type { PosencFull, Tensor } from "posenc/full";
import { largestDifference, wavelength } from "../../core/arithmetic";
import type { Claim } from "../claim";
import { gap, random, row, sinusoidByEngine } from "./arithmetic";
import { printedSums } from "./printed-sums";

const CLOSE = 1e-5;
const FIRST = ["the", "cat", "sat", "on", "the", "mat"];
const SHUFFLED = ["on", "mat", "the", "sat", "cat", "the"];
/** The comma is a token. */
const SECOND = ["on", "the", "mat", ",", "the", "cat", "sat"];

/** A vector for each word; equal words have equal vectors. */
function embedded(pe: PosencFull, words: readonly string[], seed: number): Tensor {
  const known = [...new Set(FIRST)];
  return pe.lookupRows(random(pe, known.length, 16, seed), { ids: words.map((word) => known.indexOf(word)) });
}

const moved = (places: readonly number[], by: number) => places.map((place) => place + by);

/** The output of self-attention for each word. */
function attended(pe: PosencFull, x: Tensor): Tensor {
  return pe.attention({ query: x, key: x, value: x, precision: "exact" }).output;
}

/** The index of the largest number. */
const likeliest = (values: Float32Array) => values.reduce((most, value, at) => (value > values[most] ? at : most), 0);

export const wordOrder: Readonly<Record<"C1" | "C2" | "C3" | "C4" | "C5" | "C6", Claim>> = {
  C1: {
    seeded: true,
    check(pe, { seed }) {
      const [first, second] = [FIRST, SHUFFLED].map((words) => attended(pe, embedded(pe, words, seed)));
      // Each word's place in the other sentence; both "the" have one vector, so either will do.
      const matched = pe.lookupRows(second, { ids: FIRST.map((word) => SHUFFLED.indexOf(word)) });
      const coded = [FIRST, SHUFFLED].map((words) => {
        const x = embedded(pe, words, seed);
        return attended(pe, pe.add(x, pe.sinusoidal({ length: words.length, dim: 16 })));
      });
      const moved = pe.lookupRows(coded[1], { ids: FIRST.map((word) => SHUFFLED.indexOf(word)) });
      const off = gap(first, matched);
      return { isTrue: off < CLOSE, numbers: { off, coded: gap(coded[0], moved) } };
    },
  },
  C2: {
    seeded: true,
    check(pe, { seed }) {
      const x = embedded(pe, FIRST, seed);
      const placed = pe.add(x, pe.sinusoidal({ length: FIRST.length, dim: 16 }));
      const apart = (words: Tensor) => largestDifference(row(words, 0), row(words, 4));
      return { isTrue: apart(x) === 0 && apart(placed) > 0.1, numbers: { before: apart(x), after: apart(placed) } };
    },
  },
  C3: {
    sizes: { of: "dimensions", choices: [512, 64, 8] },
    check(pe, { size }) {
      const { off, sumsRight, codesOff, nearestOff, settings, shown, last } = printedSums(pe, "C", size);
      const first = row(shown, 0);
      return {
        isTrue: sumsRight && nearestOff < last / 2,
        illustrative: sumsRight,
        numbers: { dim: size, off, codesOff, nearestOff, settings, a: first[0], b: first[1], c: first[2] },
      };
    },
  },
  C4: {
    sizes: { of: "dimensions", choices: [512, 64, 8] },
    check(pe, { size }) {
      const { data } = pe.frequencies({ dim: size });
      const falling = data.every((frequency, i) => i === 0 || frequency < data[i - 1]);
      const waves = [data[0], data[data.length - 1]].map((frequency) => wavelength(frequency));
      return { isTrue: falling, numbers: { dim: size, shortest: waves[0], longest: waves[1] } };
    },
  },
  C5: {
    sizes: { of: "wordsBefore", choices: [0, 10, 1000] },
    check(pe, { size: before }) {
      const stated = moved([5, 6, 7, 1, 2, 3], before);
      const tokens = [...new Array<string>(before).fill("so"), ...SECOND];
      const length = tokens.length;
      const dim = 16;
      // The library adds codes to words numbered from 1; the position of each is read back from its code.
      const words = pe.lookupRows(random(pe, length, dim, 1), { ids: tokens.map((word) => tokens.indexOf(word)) });
      const placed = pe.add(words, pe.sinusoidal({ length, offset: 1, dim }));
      const codes = { data: placed.data.map((value, at) => value - words.data[at]), shape: placed.shape };
      const known = pe.linear(codes, sinusoidByEngine(length + 1, dim));
      const positions = tokens.map((_, at) => likeliest(row(known, at)));
      // The first sentence's first "the" is the cat's, the later one in this sentence.
      const found = FIRST.map((word, i) => positions[i === 0 ? tokens.lastIndexOf(word) : tokens.indexOf(word)]);
      const off = largestDifference(found, stated);
      return { isTrue: off === 0, numbers: { comma: positions[tokens.indexOf(",")], off, before } };
    },
  },
  C6: {
    sizes: { of: "wordsBefore", choices: [0, 10, 100] },
    check(pe, { size: before }) {
      const places = moved([5, 6, 7, 1, 2, 3], before);
      const length = 7 + before;
      const offsets = pe.relativeOffsets({ queries: length, keys: length });
      // The offset from position p to position q is in row p - 1, column q - 1.
      const steps = places.slice(1).map((place, i) => offsets.data[(places[i] - 1) * length + place - 1]);
      const same = steps.filter((step) => step === 1).length;
      return {
        isTrue: same === steps.length,
        numbers: { same, before, all: steps.length, broken: steps.find((step) => step !== 1) ?? 1 },
      };
    },
  },
};
