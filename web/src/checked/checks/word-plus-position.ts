import type { PosencFull, Tensor } from "posenc/full";
import { largestDifference, tensor } from "../../core/arithmetic";
import type { Claims } from "../claim";
import { perplexities, readsOn, stored } from "../trained";
import { dot, gap, random, refuses, row, sinusoidByEngine, table, transposed } from "./arithmetic";
import { numbersOf, printedSums } from "./printed-sums";

/** The smallest of the largest differences of two rows. */
function closest(vectors: Tensor): number {
  const rows = Array.from({ length: vectors.shape[0] }, (_, i) => row(vectors, i));
  const gaps = rows.flatMap((a, i) => rows.slice(i + 1).map((b) => largestDifference(a, b)));
  return gaps.reduce((least, value) => Math.min(least, value));
}

const TRAINED = 512;

/**
 * The error of a linear layer that was trained to name the first positions by their codes: there, and on as many more.
 */
function positionsNamed(pe: PosencFull): Readonly<Record<"inside" | "beyond", number>> {
  const dim = 64;
  const codes = pe.sinusoidal({ length: TRAINED, dim });
  const columns = transposed(codes);
  // Positions as shares of the training length.
  const wanted = (start: number) => table(TRAINED, 1, (p) => (start + p) / TRAINED);
  const weight = tensor(new Float32Array(dim), dim);
  const moments = [0, 0].map(() => new Float32Array(dim));
  const missed = (x: Tensor, start: number) => {
    const named = pe.linear(x, weight).data;
    return wanted(start).data.map((value, p) => named[p] - value);
  };
  for (let step = 1; step <= 1000; step++) {
    const misses = missed(codes, 0).map((miss) => (2 * miss) / TRAINED);
    const gradient = pe.linear(tensor(misses, TRAINED), columns).data;
    pe.adamStep(weight.data, { gradient, lr: 0.01, step, firstMoment: moments[0], secondMoment: moments[1] });
  }
  const error = (x: Tensor, start: number) => {
    const misses = missed(x, start);
    return Math.sqrt(dot(pe, misses, misses) / TRAINED) * TRAINED;
  };
  return {
    inside: error(codes, 0),
    beyond: error(pe.sinusoidal({ length: TRAINED, offset: TRAINED, dim }), TRAINED),
  };
}

export const wordPlusPosition: Claims<"E"> = {
  E1: {
    seeded: true,
    check(pe, { seed }) {
      const { off, sumsRight } = printedSums(pe, "E", 2);
      const drawnWords = random(pe, 6, 2, seed);
      const codes = sinusoidByEngine(6, 2).data;
      const byEngine = table(6, 2, (p, dimension) => drawnWords.data[2 * p + dimension] + codes[2 * p + dimension]);
      const drawn = gap(pe.add(drawnWords, pe.sinusoidal({ length: 6, dim: 2 })), byEngine);
      return { isTrue: sumsRight && drawn < 1e-6, numbers: { off, drawn } };
    },
  },
  E2: {
    sizes: { of: "dimensions", choices: [2, 8, 512] },
    check(pe, { size }) {
      const { sumsRight, codesOff, nearestOff, settings, shown, last } = printedSums(pe, "E", size);
      const { position } = numbersOf("E");
      const right = [0, 1, 2, 3, 4, 5].filter(
        (p) => largestDifference(row(position, p), row(shown, p)) < last / 2,
      ).length;
      const second = row(shown, 1);
      return {
        isTrue: sumsRight && nearestOff < last / 2,
        illustrative: sumsRight,
        numbers: {
          dim: size,
          right,
          all: position.shape[0],
          codesOff,
          nearestOff,
          settings,
          a: second[0],
          b: second[1],
        },
      };
    },
  },
  E3: {
    sizes: { of: "positions", choices: [6, 24, 96] },
    check(pe, { size }) {
      const { embedding, position } = numbersOf("E");
      const printed = closest(position);
      const formula = closest(pe.sinusoidal({ length: size, dim: 2 }));
      const [x, y] = row(pe.add(embedding, position), 4);
      return { isTrue: Math.min(printed, formula) > 1e-6, numbers: { printed, formula, positions: size, x, y } };
    },
  },
  E4: {
    sizes: { of: "position", choices: [100000, 5000] },
    trained: true,
    check(pe, { size }, trainings = stored) {
      const far = pe.sinusoidal({ length: 8, offset: size, dim: 64 });
      const off = gap(far, sinusoidByEngine(8, 64, size));
      // The slowest wave of 64 dimensions: a model has seen all its angles only if it was trained on as many positions.
      const { data } = pe.frequencies({ dim: 64 });
      const wavelength = (2 * Math.PI) / data[data.length - 1];
      const { inside, beyond } = positionsNamed(pe);
      const [near, longest] = perplexities(trainings, "sinusoid");
      return {
        // The code can be computed there; a model has not learned it.
        isTrue: off < 1e-6,
        partly: beyond > 10 * inside || !readsOn(trainings, "sinusoid"),
        numbers: { position: size, off, wavelength, trained: TRAINED, inside, beyond, near, longest },
      };
    },
  },
  E5: {
    seeded: true,
    sizes: { of: "words", choices: [6, 64] },
    check(pe, { seed, size }) {
      const dModel = 32;
      const x: Tensor = { data: random(pe, 2 * size, dModel, seed).data, shape: [2, size, dModel] };
      const layer = pe.positionalEncoding({ dModel, dropout: 0, maxLen: 5000 });
      const added = pe.add(x, pe.sinusoidal({ length: size, dim: dModel }), { seqAxis: 1 });
      const off = gap(layer.forward(x, { training: false, seqAxis: 1 }), added);
      const tooLong = table(5001, dModel, () => 0);
      return {
        isTrue: off === 0 && refuses(() => layer.forward(tooLong, { training: false })),
        numbers: { n: size, off },
      };
    },
  },
  E6: {
    seeded: true,
    check(pe, { seed }) {
      const [fruit, company, taste] = ["我吃了一个苹果", "苹果公司发布了新产品", "苹果很好吃"].map((text) => [...text]);
      const known = [...new Set([...fruit, ...company, ...taste])];
      const dim = 16;
      const table = random(pe, known.length, dim, seed);
      const embedded = (text: string[]) => pe.lookupRows(table, { ids: text.map((sign) => known.indexOf(sign)) });
      const at = (text: string[]) => text.indexOf("苹");
      const apple = (text: string[], x: Tensor) => row(x, at(text));
      const input = (text: string[]) =>
        apple(text, pe.add(embedded(text), pe.sinusoidal({ length: text.length, dim })));
      const output = (text: string[]) => {
        const x = embedded(text);
        return apple(text, pe.attention({ query: x, key: x, value: x }).output);
      };
      const same = largestDifference(input(taste), input(company));
      return {
        isTrue: same > 1e-6,
        numbers: {
          first: at(fruit),
          second: at(company),
          inPost: largestDifference(input(fruit), input(company)),
          same,
          context: largestDifference(output(taste), output(company)),
        },
      };
    },
  },
};
