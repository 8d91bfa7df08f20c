import type { PosencFull, Tensor } from "posenc/full";
import { tensor } from "../library";
import { gap, random, refuses, row, table } from "./arithmetic";
import type { Claims } from "./claim";
import { numbersOf, printedSums } from "./printed-sums";

/** The smallest of the largest lane differences of two rows. */
function closest(pe: PosencFull, { data, shape }: Tensor): number {
  const rows = Array.from({ length: shape[0] }, (_, i) => row({ data, shape }, i));
  const gaps = rows.flatMap((a, i) => rows.slice(i + 1).map((b) => gap(pe, tensor(a, 1), tensor(b, 1))));
  return gaps.reduce((least, value) => Math.min(least, value));
}

export const document004: Claims<"E"> = {
  E1: {
    check(pe) {
      const { off, sumsRight } = printedSums(pe, "004", 2);
      return { asSaid: sumsRight, numbers: { off } };
    },
  },
  E2: {
    check(pe) {
      const { sumsRight, codesOff, shown, last } = printedSums(pe, "004", 2);
      const { position } = numbersOf("004");
      const right = [0, 1, 2, 3, 4, 5].filter(
        (p) => gap(pe, tensor(row(position, p), 1), tensor(row(shown, p), 1)) < last / 2,
      ).length;
      const second = row(shown, 1);
      return {
        asSaid: codesOff < last / 2,
        illustrative: sumsRight,
        numbers: { right, all: position.shape[0], codesOff, a: second[0], b: second[1] },
      };
    },
  },
  E3: {
    check(pe) {
      const { embedding, position } = numbersOf("004");
      const printed = closest(pe, pe.add(embedding, position));
      const formula = closest(pe, pe.add(embedding, pe.sinusoidal({ length: embedding.shape[0], dim: 2 })));
      return { asSaid: printed > 1e-6, numbers: { printed, formula } };
    },
  },
  E4: {
    sizes: [100000, 5000],
    check(pe, { size }) {
      const far = pe.sinusoidal({ length: 8, offset: size, dim: 64 });
      const engine = table(8, 64, (p, lane) => {
        const angle = (size + p) / 10000 ** ((lane - (lane % 2)) / 64);
        return lane % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
      });
      const off = gap(pe, far, engine);
      // The slowest wave of 64 lanes; what lies within one turn of it was seen by a model trained on as many positions.
      const { data } = pe.frequencies({ dim: 64 });
      const turn = (2 * Math.PI) / data[data.length - 1];
      return { asSaid: off < 1e-6, limited: size > 512, numbers: { position: size, off, turn } };
    },
  },
  E5: {
    seeded: true,
    sizes: [6, 64],
    check(pe, { seed, size }) {
      const dModel = 32;
      const x: Tensor = { data: random(pe, 2 * size, dModel, seed).data, shape: [2, size, dModel] };
      const layer = pe.positionalEncoding({ dModel, dropout: 0, maxLen: 5000 });
      const off = gap(
        pe,
        layer.forward(x, { training: false }),
        pe.add(x, pe.sinusoidal({ length: size, dim: dModel })),
      );
      const tooLong = table(5001, dModel, () => 0);
      return {
        asSaid: off === 0 && refuses(() => layer.forward(tooLong, { training: false })),
        numbers: { n: size, off },
      };
    },
  },
};
