// Files that are too large to be read whole are sampled: this chooses tokens and heads, and counts them.

import * as check from "../js/base/check.js";
import type { Picks } from "../js/types/files.js";

/** The numbers of tokens and heads that were read, of how many. */
export interface Sampled {
  tokens: [number, number];
  heads: [number, number];
}

/** So many tokens suffice: eight or more positions near one another, and others far away. */
const mostTokens = 64;

/** One head shows what the others repeat; several distinguish the axes. */
const mostHeads = 8;

/** The tokens that are examined: where there are many the first sixteen, whose angles do not wrap, and others, evenly. */
function tokensOf(count: number): Picks {
  if (count <= mostTokens) return undefined;
  const near = 16;
  const all: number[] = [];
  for (let i = 0; i < near; ++i) all[i] = i;
  for (let i = near; i < mostTokens; ++i)
    all[i] = near + Math.floor(((i - near) * (count - 1 - near)) / (mostTokens - 1 - near));
  return all;
}

/** Indices evenly over an axis. */
function spread(count: number, most: number): Picks {
  if (count <= most) return undefined;
  const all: number[] = [];
  for (let i = 0; i < most; ++i) all[i] = most === 1 ? 0 : Math.floor((i * (count - 1)) / (most - 1));
  return all;
}

/** The numbers of tokens and heads that were examined; null where all were. */
const sampledOf = (tokens: number, ofTokens: number, heads: number, ofHeads: number): Sampled | null =>
  tokens === ofTokens && heads === ofHeads ? null : { tokens: [tokens, ofTokens], heads: [heads, ofHeads] };

/** So many values are read whole. */
const mostValues = 2 ** 24;

export const isLarge = (shape: readonly number[]): boolean => check.product(shape) > mostValues;

/** Pairs of axes that tokens and dimensions may have, the likeliest first: dimensions are usually the last, or the one before. */
export function axesOf(
  { shape, seqAxis, dimAxis }: { shape: readonly number[]; seqAxis: number | undefined; dimAxis: number | undefined },
  tokens: number,
): [number, number][] {
  const all: [number, number][] = [];
  for (let dims = shape.length - 1; dims >= 0; --dims) {
    if (dimAxis !== undefined && dimAxis !== dims) continue;
    for (let axis = 0; axis < shape.length; ++axis) {
      const is = seqAxis === undefined ? shape[axis] === tokens : seqAxis === axis;
      if (is && axis !== dims && (shape[dims] as number) > 1) all.push([axis, dims]);
    }
  }
  return all;
}

/** Picks the tokens and heads of vectors that are examined. */
export function vectorPicks(shape: readonly number[], tokens: number, dims: number) {
  const picks: Picks[] = [];
  let [left, heads, ofHeads] = [mostHeads, 1, 1];
  for (let axis = shape.length - 1; axis >= 0; --axis) {
    const extent = shape[axis] as number;
    if (axis === tokens) picks[axis] = tokensOf(extent);
    else if (axis !== dims) {
      picks[axis] = spread(extent, left);
      const taken = picks[axis]?.length ?? extent;
      left = Math.floor(left / taken);
      heads *= taken;
      ofHeads *= extent;
    }
  }
  const count = shape[tokens] as number;
  return { picks, sampled: sampledOf(picks[tokens]?.length ?? count, count, heads, ofHeads) };
}

/**
 * Picks the rows of a table that are examined: its shape as [leading, tokens, dimensions], or with complex numbers [leading, tokens,
 * pairs, 2], of which the first leading index is taken. Other axes of one index are left out.
 */
export function rowPicks(shape: readonly number[], kept: number) {
  const own: number[] = [];
  for (let missing = kept + 1 - shape.length; missing > 0; --missing) own[own.length] = 1;
  let left = shape.length - kept;
  for (let axis = 0; axis < shape.length; ++axis) {
    const extent = shape[axis] as number;
    const isLeftOut = left > 0 && extent === 1 && axis < shape.length - 1;
    if (isLeftOut) left -= 1;
    else own[own.length] = extent;
  }
  if (own.length === kept) own.unshift(1);
  const leading = check.product(own.slice(0, own.length - kept));
  const whole = [leading, ...own.slice(own.length - kept)];
  const count = whole[1] as number;
  const tokens = tokensOf(count);
  return { whole, tokens, sampled: sampledOf(tokens?.length ?? count, count, 1, leading) };
}

/** So many queries of a bias are examined, the last, and so many keys, the nearest: they have every distance there is. */
const mostQueries = 64;
const mostKeys = 1024;

/** The part of a bias that is examined, and the position of its first query relative to its first key. */
export function biasWindow(shape: readonly number[], first: number | undefined) {
  const [queries = 1, keys = 1] = shape.slice(-2);
  // A batch is sampled by its first entry; without heads there are two axes.
  const heads = shape.at(-3) ?? 1;
  const batch = check.product(shape.slice(0, -3));
  const flat = shape.length > 2 ? [batch, heads, queries, keys] : shape;
  const one = shape.length > 2 ? [[0], undefined] : [];
  const isWhole = shape.length < 2 || !isLarge([heads, queries, keys]);
  if (isWhole)
    return { picks: one, shape: flat, firstQuery: first, sampled: sampledOf(queries, queries, heads, batch * heads) };
  const run = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
  const queryCount = Math.min(queries, mostQueries);
  const keyCount = Math.min(keys, mostKeys);
  const position = first ?? keys - queries;
  // A bias of both sides shows most distances where the query is in the middle of the keys.
  const from = Math.max(0, Math.min(queries - queryCount, Math.floor(keys / 2) - position));
  const fromKey = Math.max(0, Math.min(keys - keyCount, position + from - Math.floor(keyCount / 2)));
  const picks: Picks[] = [...one, run(from, queryCount), run(fromKey, keyCount)];
  const sampled = sampledOf(queryCount, queries, heads, batch * heads);
  return { picks, shape: flat, firstQuery: position + from - fromKey, sampled };
}
