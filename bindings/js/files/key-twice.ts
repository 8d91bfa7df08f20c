// A key that an object of JSON has twice: parsers take the last one, and say nothing.

import { isArray, isObject } from "../base/check.js";

const token = /"(?:[^"\\]+|\\.)*"(?:\s*:)?|[{}[\]]/g;

/** How many keys all objects in a value have. */
function keysOf(value: unknown): number {
  let count = 0;
  const open = [value]; // no recursion: a text may be deeper than the stack
  const look = (inner: unknown) => isObject(inner) && open.push(inner);
  for (let each = open.pop(); each; each = open.pop())
    if (isArray(each)) each.forEach(look);
    else
      for (const key in each) {
        ++count;
        look(each[key as never]);
      }
  return count;
}

/** The first key that an object has twice, in a text that is JSON and the value of which is known. */
export function keyTwice(text: string, value: unknown): string | undefined {
  let written = 0;
  while (token.test(text)) written += Number(text[token.lastIndex - 1] === ":");
  if (written === keysOf(value)) return undefined;
  const open: Set<string>[] = [];
  for (const [found] of text.matchAll(token)) {
    const last = found.at(-1) as string;
    if ("{[".includes(last)) open.push(new Set());
    else if ("}]".includes(last)) open.pop();
    else if (last === ":") {
      const key: string = JSON.parse(found.slice(0, found.lastIndexOf('"') + 1));
      const keys = open.at(-1) as Set<string>;
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}
