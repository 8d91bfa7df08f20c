import { computed } from "@preact/signals-core";
import type { Tensor } from "posenc";
import type { PosencFull } from "posenc/full";
import { largestDifference } from "../../core/arithmetic";
import { rows } from "../../core/format";
import { state } from "./state";

export const methodNames = ["sinusoid", "learned", "shaw", "t5", "alibi", "rope"] as const;
export type MethodName = (typeof methodNames)[number];

export interface Sizes {
  readonly length: number;
  readonly dim: number;
  readonly heads: number;
}

/** The numbers that are counted and computed for a method. */
export interface Facts {
  /** Trainable numbers. */
  readonly parameters: number;
  /** The number of parameters for sequences twice as long. */
  readonly parametersTwice: number;
  /** Bytes kept for sequences of this length, and bytes with an entry for each query and key. */
  readonly bytes: number;
  readonly bytesOfPairs: number | undefined;
  /** How much a score changes when query and key both move by `moved`. */
  readonly change: number;
  /** How many of the positions (or distances, where the code is one of distances) have a code that no other has. */
  readonly distinct: number;
  readonly of: number;
  /** Whether position 2n has a code. */
  readonly beyond: boolean;
}

export const moved = 7;
/** Shaw's relative positions are clipped to this, T5's share buckets. */
const clip = 16;
const buckets = 32;

export const sizes = computed(
  (): Sizes => ({
    length: state.methodLength.value,
    // A pair of dimensions is the least that rotates.
    dim: 2 * Math.ceil(state.methodDim.value / 2),
    heads: state.methodHeads.value,
  }),
);

const rowsOf = (pe: PosencFull, count: number, dim: number, seed: number) =>
  pe.learnedTable({ length: count, dim, seed, std: 1 });

/** How many rows occur once. */
function once(table: Tensor, width: number): number {
  const seen = new Map<string, number>();
  for (const row of rows(table.data, width)) {
    const key = row.join();
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return [...seen.values()].filter((count) => count === 1).length;
}

/** Transposes a bias [heads, distances]: a row for each distance. */
function byDistance(bias: Tensor): Tensor {
  const [heads, distances] = bias.shape;
  const data = new Float32Array(bias.data.length);
  for (let head = 0; head < heads; head++)
    for (let at = 0; at < distances; at++) data[at * heads + head] = bias.data[head * distances + at];
  return { data, shape: [distances, heads] };
}

/** Whether the library computes this: a RangeError is its refusal. */
const works = (attempt: () => unknown): boolean => {
  try {
    attempt();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

const change = (a: Tensor, b: Tensor) => largestDifference(a.data, b.data);

function added(pe: PosencFull, { length, dim }: Sizes, table: (offset: number, count: number) => Tensor) {
  // A few positions are enough to see a change, with any words.
  const count = Math.min(8, Math.max(1, length - moved));
  const [query, key] = [rowsOf(pe, count, dim, 1), rowsOf(pe, count, dim, 2)];
  const at = (offset: number) => {
    const codes = table(offset, count);
    return pe.linear(pe.add(query, codes), pe.add(key, codes));
  };
  return change(at(0), at(moved));
}

/** Methods that add to scores: the bias of 8 queries and keys, here and `moved` positions on. */
function biased(bias: (queryOffset: number, keys: number) => Tensor): number {
  const count = 8;
  const block = (full: Tensor, keys: number, from: number): Tensor => {
    const lines = rows(full.data, keys).map((row) => row.slice(from, from + count));
    return { data: Float32Array.from(lines.flat()), shape: [lines.length, count] };
  };
  return change(block(bias(0, count), count, 0), block(bias(moved, count + moved), count + moved, moved));
}

export function facts(pe: PosencFull, name: MethodName): Facts {
  const { length, dim, heads } = sizes.value;
  const everyPair = { queries: length, keys: length, form: "compact" } as const;
  const bytesOfPairs = 4 * heads * length * length;
  const untrained = { parameters: 0, parametersTwice: 0, bytesOfPairs: undefined, of: length };
  switch (name) {
    case "sinusoid": {
      const table = pe.sinusoidal({ length, dim });
      return {
        ...untrained,
        bytes: table.data.byteLength,
        change: added(pe, sizes.value, (offset, count) => pe.sinusoidal({ offset, length: count, dim })),
        distinct: once(table, dim),
        beyond: works(() => pe.sinusoidal({ positions: [2 * length], dim })),
      };
    }
    case "learned": {
      const table = pe.learnedTable({ length, dim, seed: 3 });
      const more = length >= moved + 1 ? table : pe.learnedTable({ length: moved + 1, dim, seed: 3 });
      return {
        parameters: table.data.length,
        parametersTwice: pe.learnedTable({ length: 2 * length, dim, seed: 3 }).data.length,
        bytes: table.data.byteLength,
        bytesOfPairs: undefined,
        change: added(pe, sizes.value, (offset, count) => pe.lookupRows(more, { offset, length: count })),
        distinct: once(table, dim),
        of: length,
        beyond: works(() => pe.lookupRows(table, { ids: [2 * length] })),
      };
    }
    case "shaw": {
      const width = 2 * clip + 1;
      const [keys, values] = [rowsOf(pe, width, dim, 4), rowsOf(pe, width, dim, 5)];
      const ids = pe.shawIds({ ...everyPair, maxDistance: clip });
      const found = (queryOffset: number, count: number) => {
        const all = pe.shawIds({ queries: 8, keys: count, queryOffset, maxDistance: clip });
        return { data: Float32Array.from(all.data), shape: all.shape };
      };
      return {
        parameters: keys.data.length + values.data.length,
        parametersTwice: keys.data.length + values.data.length,
        bytes: keys.data.byteLength + values.data.byteLength,
        bytesOfPairs: 2 * 4 * dim * length * length,
        change: biased(found),
        distinct: once(pe.lookupRows(keys, { ids }), dim),
        of: 2 * length - 1,
        beyond: works(() => pe.shawIds({ queries: 1, keys: 1, queryOffset: 2 * length, maxDistance: clip })),
      };
    }
    case "t5": {
      const options = { table: rowsOf(pe, buckets, heads, 6), buckets, bidirectional: true };
      const bias = pe.t5({ ...options, ...everyPair });
      return {
        parameters: options.table.data.length,
        parametersTwice: options.table.data.length,
        bytes: bias.data.byteLength,
        bytesOfPairs,
        change: biased((queryOffset, keys) => pe.t5({ ...options, queries: 8, keys, queryOffset })),
        distinct: once(byDistance(bias), heads),
        of: 2 * length - 1,
        beyond: works(() => pe.t5({ ...options, queries: 1, keys: 1, queryOffset: 2 * length })),
      };
    }
    case "alibi": {
      const bias = pe.alibi({ heads, ...everyPair, future: "mask" });
      // Keys after the query are masked in the models that have it: only distances back count.
      const back = byDistance(bias).data.slice(0, length * heads);
      return {
        ...untrained,
        bytes: bias.data.byteLength,
        bytesOfPairs,
        change: biased((queryOffset, keys) => pe.alibi({ heads, queries: 8, keys, queryOffset })),
        distinct: once({ data: back, shape: [length, heads] }, heads),
        beyond: works(() => pe.alibi({ heads, queries: 1, keys: 1, queryOffset: 2 * length })),
      };
    }
    case "rope": {
      const rope = pe.rotary({ dim, layout: "half" });
      try {
        const { cos, sin } = rope.cache({ length });
        const count = 8;
        const [query, key] = [rowsOf(pe, count, dim, 1), rowsOf(pe, count, dim, 2)];
        const rotated = (x: Tensor, offset: number) => ({
          data: rope.apply(x.data.slice(), { shape: x.shape, offset }),
          shape: x.shape,
        });
        const at = (offset: number) => pe.linear(rotated(query, offset), rotated(key, offset));
        const codes = rope.apply(new Float32Array(length * dim).fill(1), { shape: [length, dim] });
        return {
          ...untrained,
          bytes: cos.data.byteLength + sin.data.byteLength,
          change: change(at(0), at(moved)),
          distinct: once({ data: codes, shape: [length, dim] }, dim),
          beyond: works(() => rope.cache({ positions: [2 * length] })),
        };
      } finally {
        rope.delete();
      }
    }
  }
}
