import type { Fault, Problem } from "../protocol";

/** A text or file that does not contain what it should. */
export class Unreadable extends Error {
  readonly problem: Problem;
  constructor(fault: Fault, message = "", part?: string, text?: string) {
    super(message);
    this.problem = { fault, message, part, text };
  }
}

export interface Numbers {
  readonly data: number[];
  readonly shape: number[];
}

/** The most characters of a pasted text; longer ones are dropped as files. */
const longest = 20_000_000;
/** The most positions of a range. */
const mostPositions = 1_000_000;

const number = /^([+-]?)(?:((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(nan)|(inf|infinity))$/i;

function numberOf(text: string): number {
  const [found, sign, digits, nan] = number.exec(text) ?? [];
  if (found === undefined) throw new Unreadable("not-a-number", text.slice(0, 40));
  return (sign === "-" ? -1 : 1) * Number(digits ?? (nan ? Number.NaN : Number.POSITIVE_INFINITY));
}

/**
 * Brackets within brackets, as Python, NumPy, PyTorch, JAX and JSON print them, with commas or without. Several that follow
 * one another are rows or arrays of one; a word between them ends it, unless it is the name of an array's type.
 */
function brackets(text: string): Numbers {
  const data: number[] = [];
  const shape: number[] = [];
  /** How many entries each open bracket has so far; the first is around all. */
  const open = [0];
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/(?:tensor|array)\(|[[({\])}]|[^\s,;[\](){}]+/gi)) {
    const isOutside = open.length === 1;
    const check = (isRight: boolean) => {
      if (!isRight) throw new Unreadable("ragged", text.slice(Math.max(0, index - 40), index + token.length).trim());
    };
    if ("[({".includes(token)) open.push(0);
    else if (isOutside && /^(\)|\w+\()$/.test(token)) continue;
    else if (isOutside) break;
    else if ("])}".includes(token)) {
      const count = open.pop() as number;
      shape[open.length - 1] ??= count;
      check(shape[open.length - 1] === count);
      open[open.length - 1] += 1;
    } else {
      if (/^(\.{3}|…)$/.test(token)) throw new Unreadable("shortened", "…");
      check(depth === 0 || depth === open.length);
      depth = open.length;
      data.push(numberOf(token));
      open[open.length - 1] += 1;
    }
  }
  if (open.length > 1) throw new Unreadable("ragged", text.slice(-40).trim());
  return { data, shape: open[0] === 1 ? shape : [open[0], ...shape] };
}

/** The numbers in a text: what programs print of an array, JSON, or a row of numbers a line. */
export function pasted(typed: string): Numbers {
  if (typed.length > longest) throw new Unreadable("too-long", `${typed.length}`);
  // Commas of Chinese keyboards.
  const text = typed.replace(/[，、；]/g, ",");
  const start = text.indexOf("[");
  const rows = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const read = brackets(start < 0 ? rows.map((line) => `[${line}]`).join("") : text.slice(start));
  if (read.data.length === 0) throw new Unreadable("empty", text.slice(0, 40));
  return read;
}

/** Positions: a list of numbers, or "0..7". */
export function pastedPositions(text: string): Numbers {
  const range = text.trim().match(/^(-?\d+)\s*(?:\.\.|…|:)\s*(-?\d+)$/);
  if (!range) return pasted(text);
  const first = Number(range[1]);
  const count = Number(range[2]) - first + 1;
  if (count < 1 || count > mostPositions) throw new Unreadable("positions", text.trim());
  return { data: Array.from({ length: count }, (_, index) => first + index), shape: [count] };
}
