import type { Kind } from "./protocol";

/** A part of the numbers to diagnose. */
export interface Slot {
  readonly name: string;
  readonly optional?: true;
  /** Matches the names that its files and arrays usually have. */
  readonly known: RegExp;
}

const positions = { name: "positions", known: /pos|\bids?\b/i };

/** The parts of each kind. */
export const slots: Readonly<Record<Kind, readonly Slot[]>> = {
  rotation: [
    { name: "before", known: /before|input|unrot|\bx\b|\bin\b|(^|_)pre/i },
    { name: "after", known: /after|out|rot|\by\b|post|embed/i },
    positions,
  ],
  outputs: [
    { name: "a", known: /(^|[^a-z])a([^a-z]|$)|ours|mine|wrong|port/i },
    { name: "b", known: /(^|[^a-z])b([^a-z]|$)|theirs|ref|right|expected/i },
    { name: "before", optional: true, known: /before|input|\bin\b/i },
    positions,
  ],
  cache: [
    { name: "cos", known: /cos/i },
    { name: "sin", known: /sin/i },
    { ...positions, optional: true },
  ],
  cosSin: [
    { name: "cosSin", known: /cos|sin|cache|freqs_cis|rope/i },
    { ...positions, optional: true },
  ],
  table: [
    { name: "table", known: /table|pe|enc|pos_?emb|sin/i },
    { ...positions, optional: true },
  ],
  frequencies: [{ name: "frequencies", known: /freq|theta|omega|wave/i }],
  bias: [{ name: "bias", known: /bias|alibi|mask/i }],
  ids: [
    { name: "ids", known: /ids?|pos/i },
    { name: "segments", known: /seg/i },
  ],
};

/** Guesses the kind from the names of arrays. */
export function kindOf(names: readonly string[]): Kind | undefined {
  const has = (known: RegExp) => names.some((name) => known.test(name));
  if (has(/cos/i) && has(/(^|[^o])sin/i) && names.some((name) => /cos/i.test(name) && !/sin/i.test(name)))
    return "cache";
  if (has(/before/i) && has(/after/i)) return "rotation";
  if (names.length > 1) return undefined;
  if (has(/cos.*sin|freqs_cis/i)) return "cosSin";
  if (has(/inv_?freq|frequenc|theta/i)) return "frequencies";
  if (has(/bias|alibi/i)) return "bias";
  return undefined;
}

/** Which array goes to which part: the first that has such a name and is not taken, else the next in order. */
export function assign(kind: Kind, names: readonly string[]): Readonly<Record<string, number>> {
  const left = new Set(names.keys());
  const found: Record<string, number> = {};
  for (const { name, known } of slots[kind]) {
    const at = [...left].find((index) => known.test(names[index]));
    if (at === undefined) continue;
    found[name] = at;
    left.delete(at);
  }
  for (const { name, optional } of slots[kind]) {
    const [next] = left;
    if (name in found || optional || next === undefined || /positions|segments/.test(name)) continue;
    found[name] = next;
    left.delete(next);
  }
  return found;
}
