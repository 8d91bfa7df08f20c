import type { Kind } from "./protocol";

/** A part of the numbers to diagnose, and what its files and arrays are usually called. */
export interface Slot {
  readonly name: string;
  readonly known: RegExp;
  readonly optional?: true;
}

const positions = { name: "positions", known: /pos|\bids?\b/i };
const rows: Slot = { ...positions, optional: true };

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
  cache: [{ name: "cos", known: /cos/i }, { name: "sin", known: /sin/i }, rows],
  cosSin: [{ name: "cosSin", known: /cos|sin|cache|freqs_cis|rope/i }, rows],
  table: [{ name: "table", known: /table|pe|enc|pos_?emb|sin/i }, rows],
  frequencies: [{ name: "frequencies", known: /freq|theta|omega|wave/i }],
  bias: [{ name: "bias", known: /bias|alibi|mask/i }],
  ids: [
    { name: "ids", known: /ids?|pos/i },
    { name: "segments", known: /seg/i },
  ],
};

/** Names that tell the kind: of all its arrays, or of the only one. */
const telling: readonly (readonly [Kind, ...RegExp[]])[] = [
  ["cache", /^(?!.*sin).*cos/i, /(^|[^o])sin/i],
  ["rotation", /before/i, /after/i],
  ["cosSin", /cos.*sin|freqs_cis/i],
  ["frequencies", /inv_?freq|frequenc|theta/i],
  ["bias", /bias|alibi/i],
];

/** Guesses the kind from the names of arrays. */
export const kindOf = (names: readonly string[]): Kind | undefined =>
  telling.find(
    ([, ...all]) =>
      (all.length > 1 || names.length === 1) && all.every((known) => names.some((name) => known.test(name))),
  )?.[0];

/** Which array goes to which part: the first that has such a name and is not taken, else the next in order. */
export function assign(kind: Kind, names: readonly string[]): Readonly<Record<string, number>> {
  const left = new Set(names.keys());
  const found: Record<string, number> = {};
  const take = (part: string, at: number | undefined) => {
    if (at === undefined) return;
    found[part] = at;
    left.delete(at);
  };
  for (const { name, known } of slots[kind])
    take(
      name,
      [...left].find((index) => known.test(names[index])),
    );
  for (const { name, optional } of slots[kind])
    if (!(name in found || optional || /positions|segments/.test(name))) take(name, left.values().next().value);
  return found;
}
