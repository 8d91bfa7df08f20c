// Values of JSON between JavaScript and the core (embind/json.hpp), as doubles: the kind of a value, then its contents.

import type { Module } from "./module.js";

/** A list and an object go on to an end. */
export const [end, none, no, yes, number, string, list, object] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

function unpack(from: Float64Array): unknown {
  let at = 0;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const next = () => from[at++] as number;
  function items(): unknown[] {
    const read: unknown[] = [];
    while (from[at] !== end) read.push(value());
    ++at;
    return read;
  }
  function value(): unknown {
    const kind = next();
    if (kind === none) return null;
    if (kind === no || kind === yes) return kind === yes;
    if (kind === number) return next();
    if (kind === list) return items();
    if (kind === string) {
      const size = next();
      at += size;
      return decoder.decode(new Uint8Array(from.subarray(at - size, at)));
    }
    const members: [string, unknown][] = [];
    while (from[at] !== end) members.push([value() as string, value()]);
    ++at;
    return Object.fromEntries(members);
  }
  return value();
}

/** Unpacks the core's answer: each call returns a new copy. */
export function taken(answers: { handle: number; address: number; size: number }, module: Module): () => unknown {
  const made = module.HEAPF64.slice(answers.address / 8, answers.address / 8 + answers.size);
  module.release(answers.handle);
  return () => unpack(made);
}
