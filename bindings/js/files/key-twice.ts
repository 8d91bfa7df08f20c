// A key that an object of JSON has twice: parsers take the last one, and say nothing.

import { isArray, isObject } from "../base/check.js";

const token = /"(?:[^"\\]+|\\.)*"(?:\s*:)?|[{}[\]]/g;
const stringOrColon = /"(?:[^"\\]+|\\.)*"|:/g;

/** How many keys a text that is JSON has: a colon outside of strings follows each. */
function keysIn(text: string): number {
  let count = 0;
  stringOrColon.lastIndex = 0;
  while (stringOrColon.test(text)) count += Number(text[stringOrColon.lastIndex - 1] === ":");
  return count;
}

/** How many keys all objects in a value have. */
function keysOf(value: object): number {
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

/** The first key that an object has twice, in a text that is JSON and was read as the value. */
export function keyTwice(text: string, value: unknown): string | undefined {
  if (isObject(value) && keysIn(text) === keysOf(value)) return undefined;
  const open: (Set<string> | undefined)[] = []; // made with the first key: most brackets are of lists
  for (const [found] of text.matchAll(token)) {
    const last = found.at(-1);
    if (found === "{" || found === "[") open.push(undefined);
    else if (found === "}" || found === "]") open.pop();
    else if (last === ":") {
      const key: string = JSON.parse(found.slice(0, found.lastIndexOf('"') + 1));
      const at = open.length - 1;
      if (open[at]?.has(key)) return key;
      open[at] = (open[at] ?? new Set()).add(key);
    }
  }
  return undefined;
}
