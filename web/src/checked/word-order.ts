import type { PosencFull, Tensor } from "posenc/full";
import { tensor } from "../core/library";
import { gap, random, refuses, row, times } from "./arithmetic";
import type { Claim } from "./claim";
import { printedSums } from "./printed-sums";
import { perplexities, readsOn, stored } from "./trained";

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

/** Milliseconds of the fastest of several runs. */
function quickest(run: () => unknown): number {
  const times = Array.from({ length: 15 }, () => {
    const start = performance.now();
    for (let i = 0; i < 8; i++) run();
    return (performance.now() - start) / 8;
  });
  return times.reduce((least, time) => Math.min(least, time));
}

/** How many times as long twice the tokens take. */
function growth(run: (length: number) => () => unknown, length: number): number {
  const [once, twice] = [length, 2 * length].map((n) => quickest(run(n)));
  return twice / Math.max(once, 1e-6);
}

/** What the table says of each method: whether it extrapolates. */
const EXTRAPOLATES = { sinusoid: true, learned: false, Shaw: true, RoPE: true };

export const wordOrder: Readonly<Record<"C1" | "C2" | "C3" | "C4" | "C5" | "C6" | "C18", Claim>> = {
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
      const off = gap(pe, first, matched);
      return { asSaid: off < CLOSE, numbers: { off, coded: gap(pe, coded[0], moved) } };
    },
  },
  C2: {
    seeded: true,
    check(pe, { seed }) {
      const x = embedded(pe, FIRST, seed);
      const placed = pe.add(x, pe.sinusoidal({ length: FIRST.length, dim: 16 }));
      const apart = (words: Tensor) => gap(pe, tensor(row(words, 0), 1), tensor(row(words, 4), 1));
      return { asSaid: apart(x) === 0 && apart(placed) > 0.1, numbers: { before: apart(x), after: apart(placed) } };
    },
  },
  C3: {
    sizes: [512, 64, 8],
    check(pe, { size }) {
      const { off, sumsRight, codesOff, shown, last } = printedSums(pe, "002", size);
      const first = row(shown, 0);
      return {
        asSaid: sumsRight && codesOff < last / 2,
        illustrative: sumsRight,
        numbers: { dim: size, off, codesOff, a: first[0], b: first[1], c: first[2] },
      };
    },
  },
  C4: {
    sizes: [512, 64, 8],
    check(pe, { size }) {
      const { data } = pe.frequencies({ dim: size });
      const falling = data.every((frequency, i) => i === 0 || frequency < data[i - 1]);
      const waves = [data[0], data[data.length - 1]].map((frequency) => times(pe, 2 * Math.PI, 1 / frequency));
      return { asSaid: falling, numbers: { dim: size, shortest: waves[0], longest: waves[1] } };
    },
  },
  C5: {
    // Words before the sentence.
    sizes: [0, 10, 1000],
    check(pe, { size: before }) {
      const said = [5, 6, 7, 1, 2, 3];
      // Words of the first sentence in the second: its first "the" is the cat's.
      const wanted = ["the", "cat", "sat", "on", "the", "mat"];
      const tokens = [...new Array<string>(before).fill("so"), ...SECOND];
      const found = wanted.map((word, i) => (i === 0 ? tokens.lastIndexOf(word) : tokens.indexOf(word)) + 1);
      const off = gap(pe, tensor(found, 1), tensor(moved(said, before), 1));
      return { asSaid: off === 0, numbers: { comma: tokens.indexOf(",") + 1, off, before } };
    },
  },
  C6: {
    // Words before the sentence.
    sizes: [0, 10, 100],
    check(pe, { size: before }) {
      const places = moved([5, 6, 7, 1, 2, 3], before);
      const length = 7 + before;
      const offsets = pe.relativeOffsets({ queries: length, keys: length });
      // The offset from place p to place q stands in row p - 1, column q - 1.
      const steps = places.slice(1).map((place, i) => offsets.data[(places[i] - 1) * length + place - 1]);
      const same = steps.filter((step) => step === 1).length;
      return {
        asSaid: same === steps.length,
        numbers: { same, before, all: steps.length, broken: steps.find((step) => step !== 1) ?? 1 },
      };
    },
  },
  C18: {
    sizes: [1024, 4096],
    trained: Object.keys(EXTRAPOLATES),
    check(pe, { size }, trainings = stored) {
      const dim = 64;
      const rope = pe.rotary({ dim, layout: "half" });
      const room = pe.buffer(4 * size * dim);
      const rotate = (n: number) => () => rope.apply(room.view.subarray(0, n * dim), { shape: [n, dim] });
      const compact = (n: number) => () => pe.alibi({ heads: 1, queries: n, keys: n, form: "compact" });
      const whole = (n: number) => () => pe.alibi({ heads: 1, queries: n, keys: n });
      const [rotary, line, square] = [growth(rotate, size), growth(compact, size), growth(whole, Math.min(size, 512))];
      room.delete();
      rope.delete();
      const map = pe.shift(pe.sinusoidal({ length: size, dim }), { dim, by: 5 });
      const carries = gap(pe, map, pe.sinusoidal({ length: size, offset: 5, dim })) < 1e-6;
      const stops = refuses(() => pe.lookupRows(pe.learnedTable({ length: 8, dim, seed: 1 }), { ids: [8] }));
      const claimed = Object.entries(EXTRAPOLATES);
      const right = claimed.filter(([name, does]) => readsOn(trainings, name) === does).length;
      const perplexity = Object.fromEntries(
        claimed.flatMap(([name]) => {
          const [near, far] = perplexities(trainings, name);
          return [
            [`${name}Near`, near],
            [`${name}Far`, far],
          ];
        }),
      );
      return {
        // Of its column on extrapolation at least half is right.
        asSaid: stops && 2 * right >= claimed.length,
        // The table claims that sinusoids carry no relative positions, and that relative encodings need n² values.
        limited: carries || right < claimed.length,
        numbers: {
          right,
          all: claimed.length,
          seeds: trainings("text", "RoPE").length,
          ...perplexity,
          n: size,
          rotary,
          line,
          square,
          learned: 4 * size * dim,
          relative: 4 * (2 * size - 1),
          pairs: 4 * size * size,
        },
      };
    },
  },
};
