// A key that an object of JSON has twice: parsers take the last one, and say nothing.

const token = /"(?:[^"\\]+|\\.)*"(?:\s*:)?|[{}[\]]/g;

/** The first key that an object has twice, in a text that is JSON. */
export function keyTwice(text: string): string | undefined {
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
