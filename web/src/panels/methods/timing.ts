import type { PosencFull } from "posenc/full";
import { nextTask } from "../../core/wait";
import { type MethodName, methodNames, type Sizes } from "./model";

/** Seconds that a method takes at one length: the median of the rounds. */
export interface Timing {
  readonly method: MethodName;
  readonly length: number;
  readonly seconds: number;
}

export const lengths = [64, 128, 256, 512, 1024];
const rounds = 7;
/** Clocks of browsers are coarse: a round lasts at least this many milliseconds. */
const least = 4;

/** Returns the work of a method for one sequence, as a function to time. */
function work(pe: PosencFull, name: MethodName, length: number, { dim, heads }: Sizes): () => void {
  const shape = [length, dim];
  const x = pe.learnedTable({ length, dim, seed: 1 });
  const pairs = { queries: length, keys: length };
  switch (name) {
    case "sinusoid":
      return () => pe.add(x, pe.sinusoidal({ length, dim }));
    case "learned": {
      const table = pe.learnedTable({ length, dim, seed: 2 });
      return () => pe.addRows(x, table);
    }
    case "shaw":
      return () => pe.shawIds({ ...pairs, maxDistance: 16 });
    case "t5": {
      const table = pe.learnedTable({ length: 32, dim: heads, seed: 3 });
      return () => pe.t5({ ...pairs, table, bidirectional: true });
    }
    case "alibi":
      return () => pe.alibi({ ...pairs, heads });
    case "rope": {
      const rope = pe.rotary({ dim, layout: "half" });
      const key = x.data.slice();
      return () => {
        rope.apply(x.data, { shape });
        rope.apply(key, { shape });
      };
    }
  }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];

function round(once: () => void): number {
  const start = performance.now();
  let times = 0;
  let passed = 0;
  do {
    once();
    times++;
    passed = performance.now() - start;
  } while (passed < least);
  return passed / times / 1000;
}

/**
 * Measures every method at every length; `report` is called with each result, and the page can draw between two of
 * them.
 */
export async function measure(
  pe: PosencFull,
  sizes: Sizes,
  report: (timing: Timing) => void,
  cancelled: () => boolean,
): Promise<void> {
  for (const length of lengths)
    for (const method of methodNames) {
      if (cancelled()) return;
      const once = work(pe, method, length, sizes);
      once();
      report({ method, length, seconds: median(Array.from({ length: rounds }, () => round(once))) });
      await nextTask();
    }
}

/** The growth of time is measured from this length on: with shorter texts the cost of a call hides it. */
export const growthFrom = 256;

/** The factor by which time grows from there to the longest text. */
export function growth(timings: readonly Timing[], method: MethodName): number | undefined {
  const [short, long] = [growthFrom, lengths[lengths.length - 1]].map(
    (length) => timings.find((timing) => timing.method === method && timing.length === length)?.seconds,
  );
  return long && short ? long / short : undefined;
}
