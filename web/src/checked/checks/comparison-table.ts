import type { PosencFull, Rotary, Tensor } from "posenc/full";
import type { Claim } from "../claim";
import { perplexities, readsOn, stored, type Trainings } from "../trained";
import { freeNumbers, gap, random, refuses, row, score } from "./arithmetic";

/** The comparison table of post C: four methods, five columns. */

const DIM = 64;
const CLOSE = 1e-3;

/** The cells of a method, as stated or as computed. Cost and storage are exponents of n: O(n) is 1, no storage 0. */
interface Cells {
  readonly trained: boolean;
  readonly extrapolates: boolean;
  readonly isRelative: boolean;
  readonly cost: number;
  readonly storage: number;
}
const columns = ["trained", "extrapolates", "isRelative", "cost", "storage"] as const satisfies (keyof Cells)[];

const STATED = {
  sinusoid: { trained: false, extrapolates: true, isRelative: false, cost: 1, storage: 0 },
  learned: { trained: true, extrapolates: false, isRelative: false, cost: 1, storage: 1 },
  Shaw: { trained: true, extrapolates: true, isRelative: true, cost: 2, storage: 2 },
  RoPE: { trained: false, extrapolates: true, isRelative: true, cost: 1, storage: 0 },
} as const satisfies Readonly<Record<string, Cells>>;
type Method = keyof typeof STATED;
const methods = Object.keys(STATED) as Method[];

/** Numbers that are counted of a method for n tokens. */
interface Counted {
  /** Numbers that are looked up or computed. */
  made(n: number): number;
  /** Numbers that are trained, and so have to be stored. */
  stored(n: number): number;
  readonly isRelative: boolean;
}

const drawn = (pe: PosencFull, rows: number, dim: number) => (seed: number) =>
  pe.learnedTable({ length: rows, dim, seed }).data;

/** Whether one map takes the code at each position to that so many positions on. */
function shifts(pe: PosencFull, codes: (offset: number) => Tensor): boolean {
  const by = 5;
  return gap(pe.shift(codes(0), { dim: DIM, by }), codes(by)) < CLOSE;
}

/** Whether scores depend on the difference of positions, and on nothing else. */
function isRelativeScore(pe: PosencFull, rope: Rotary): boolean {
  const [q, k] = [0, 1].map((at) => row(random(pe, 2, DIM, 1), at));
  const at = (m: number, n: number) => score(pe, rope, q, k, m, n);
  return Math.abs(at(7, 3) - at(107, 103)) < CLOSE && Math.abs(at(7, 3) - at(8, 3)) > CLOSE;
}

/** Whether pairs at the same distance have the same vector, and others have others. */
function isRelativeIds(pe: PosencFull, n: number): boolean {
  const { data } = pe.shawIds({ queries: n, keys: n, maxDistance: n - 1 });
  return Array.from(data).every((id, at) => id === data[0] + (at % n) - Math.floor(at / n));
}

function counted(pe: PosencFull): Readonly<Record<Method, Counted>> {
  const sinusoid = (offset: number, n: number) => pe.sinusoidal({ length: n, offset, dim: DIM });
  const rope = pe.rotary({ dim: DIM, layout: "half" });
  const cosines = (n: number) => pe.rotary({ dim: DIM, layout: "half" }).cache({ length: n }).cos.data;
  const table = pe.learnedTable({ length: 64, dim: DIM, seed: 1 });
  return {
    sinusoid: {
      made: (n) => sinusoid(0, n).data.length,
      stored: (n) => freeNumbers(() => sinusoid(0, n).data),
      isRelative: shifts(pe, (offset) => sinusoid(offset, 32)),
    },
    learned: {
      made: (n) => drawn(pe, n, DIM)(1).length,
      stored: (n) => freeNumbers(drawn(pe, n, DIM)),
      isRelative: shifts(pe, (offset) => pe.lookupRows(table, { length: 32, offset })),
    },
    Shaw: {
      made: (n) => pe.shawIds({ queries: n, keys: n, maxDistance: n - 1 }).data.length,
      stored: (n) => freeNumbers(drawn(pe, 2 * n - 1, DIM)),
      isRelative: isRelativeIds(pe, 16),
    },
    RoPE: {
      made: (n) => rope.apply(new Float32Array(n * DIM), { shape: [n, DIM] }).length,
      stored: (n) => freeNumbers(() => cosines(n)),
      isRelative: isRelativeScore(pe, rope),
    },
  };
}

/** The power of n by which a count grows, from n to 2n; 0 where there is nothing to count. */
const exponent = (count: (n: number) => number, n: number) =>
  Math.round(Math.log2(count(2 * n) / (count(n) || 1) || 1));

function computed(all: Readonly<Record<Method, Counted>>, trainings: Trainings, name: Method, n: number): Cells {
  const { made, stored, isRelative } = all[name];
  return {
    trained: stored(n) > 0,
    extrapolates: readsOn(trainings, name),
    isRelative,
    cost: exponent(made, n),
    storage: exponent(stored, n),
  };
}

export const comparisonTable: Readonly<Record<"C18", Claim>> = {
  C18: {
    sizes: { of: "words", choices: [256, 1024] },
    trained: true,
    check(pe, { size: n }, trainings = stored) {
      const all = counted(pe);
      const found = methods.map((name) => ({ stated: STATED[name], is: computed(all, trainings, name, n) }));
      const inColumn = columns.map((column) => found.filter(({ stated, is }) => stated[column] === is[column]).length);
      const right = inColumn.reduce((sum, count) => sum + count);
      const cells = methods.length * columns.length;
      const stops = refuses(() => pe.lookupRows(pe.learnedTable({ length: n, dim: DIM, seed: 1 }), { ids: [n] }));
      const perplexity = methods.flatMap((name) => {
        const [near, far] = perplexities(trainings, name);
        return [[`${name}Near`, near] as const, [`${name}Far`, far] as const];
      });
      return {
        // In each column at least half is right.
        isTrue: stops && inColumn.every((count) => 2 * count >= methods.length),
        partly: right < cells,
        numbers: {
          n,
          cells,
          all: methods.length,
          ...Object.fromEntries(columns.map((column, at) => [column, inColumn[at]])),
          right,
          seeds: trainings("text", "RoPE").length,
          ...Object.fromEntries(perplexity),
          learned: 4 * all.learned.stored(n),
          relative: 4 * all.Shaw.stored(n),
          pairs: 4 * DIM * all.Shaw.made(n),
        },
      };
    },
  },
};
