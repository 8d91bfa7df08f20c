import type { Fault } from "../protocol";

/** The error of a text that does not contain numbers. */
export class Unreadable extends Error {
  constructor(
    readonly fault: Fault,
    message: string,
    readonly part?: string,
    /** The whole text, if the error has a place in it. */
    readonly text?: string,
  ) {
    super(message);
  }
}

/** The most characters of a pasted text; longer ones are dropped as files. */
const longest = 20_000_000;

export interface Numbers {
  readonly data: Float64Array;
  readonly shape: number[];
}

const special: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
};

function numberOf(text: string): number {
  const sign = text.startsWith("-") ? -1 : 1;
  const bare = text.replace(/^[+-]/, "").toLowerCase();
  const value = special[bare] ?? (/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(bare) ? Number(bare) : undefined);
  if (value === undefined) throw new Unreadable("not-a-number", text.slice(0, 40));
  return sign * value;
}

/** Brackets within brackets, as Python, NumPy, PyTorch, JAX and JSON print them, with commas or without; and where they end. */
function nested(text: string): Numbers & { end: number } {
  const values: number[] = [];
  const shape: number[] = [];
  /** How many entries each open bracket has so far. */
  const open: number[] = [];
  let depthOfNumbers = -1;
  let end = text.length;
  const close = (at: number) => {
    const count = open.pop() ?? 0;
    const axis = open.length;
    shape[axis] ??= count;
    if (shape[axis] !== count) throw new Unreadable("ragged", text.slice(Math.max(0, at - 40), at + 1).trim());
    if (axis > 0) open[axis - 1] += 1;
  };
  for (const { 0: token, index } of text.matchAll(/[[({\])}]|[^\s,;[\](){}]+/g)) {
    if ("[({".includes(token)) open.push(0);
    else if ("])}".includes(token)) {
      close(index);
      if (open.length > 0) continue;
      end = index + 1;
      break;
    } else {
      if (/^(\.{3}|…)$/.test(token)) throw new Unreadable("shortened", "…");
      if (depthOfNumbers >= 0 && depthOfNumbers !== open.length)
        throw new Unreadable("ragged", text.slice(Math.max(0, index - 40), index + token.length).trim());
      depthOfNumbers = open.length;
      values.push(numberOf(token));
      open[open.length - 1] += 1;
    }
  }
  if (open.length > 0) throw new Unreadable("ragged", text.slice(-40).trim());
  return { data: Float64Array.from(values), shape, end };
}

/** Brackets that follow one another, a row or an array each; of what stands behind the last, such as a dtype, nothing. */
function brackets(text: string): Numbers {
  const all: Numbers[] = [];
  for (let rest = text; ; ) {
    const { end, ...one } = nested(rest);
    if (all.length > 0 && `${one.shape}` !== `${all[0].shape}`)
      throw new Unreadable("ragged", rest.slice(0, 40).trim());
    all.push(one);
    const next = /^[\s,;)]*(?:\w+\()?(?=\[)/.exec(rest.slice(end));
    if (next) rest = rest.slice(end + next[0].length);
    else if (all.length === 1) return one;
    else break;
  }
  return { data: Float64Array.from(all.flatMap(({ data }) => Array.from(data))), shape: [all.length, ...all[0].shape] };
}

/** A row of numbers a line. */
function lines(text: string): Numbers {
  const rows = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const values = rows.map((row) =>
    row
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(numberOf),
  );
  const width = values[0].length;
  const ragged = values.findIndex((row) => row.length !== width);
  if (ragged >= 0) throw new Unreadable("ragged", rows[ragged].slice(0, 40));
  return { data: Float64Array.from(values.flat()), shape: rows.length === 1 ? [width] : [rows.length, width] };
}

/** The numbers in a text: what programs print of an array, JSON, or rows of numbers. */
export function pasted(text: string): Numbers {
  if (text.length > longest) throw new Unreadable("too-long", `${text.length}`);
  if (text.trim() === "") throw new Unreadable("empty", "");
  const bracket = text.indexOf("[");
  const read = bracket >= 0 ? brackets(text.slice(bracket)) : lines(text);
  if (read.data.length === 0) throw new Unreadable("empty", text.slice(0, 40));
  return read;
}

/** The most positions of a range. */
const mostPositions = 1_000_000;

/** Positions: a list of numbers, or "0..7". */
export function pastedPositions(text: string): Numbers {
  const range = text.trim().match(/^(-?\d+)\s*(?:\.\.|…|:)\s*(-?\d+)$/);
  if (!range) return pasted(text);
  const [first, last] = [Number(range[1]), Number(range[2])];
  if (last < first || last - first >= mostPositions) throw new Unreadable("positions", text.trim());
  const data = Float64Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return { data, shape: [data.length] };
}
