// What the sentences of diagnose share in both languages.

import type * as t from "../types/index.js";
import type { mistakeSentences } from "./mistake-sentences.js";

export type Found<Type> = Extract<t.Explanation["found"], { type: Type }>;

/** Six digits, without the zeros at their end. */
export const short = (value: number) => String(Number(value.toPrecision(6)));

/** Indices, runs of them as first to last; of many only the first and the last. */
export function runs(indices: readonly number[]): string {
  const found: [number, number][] = [];
  for (let i = 0; i < indices.length; ++i) {
    const index = indices[i] as number;
    const last = found[found.length - 1];
    if (last && last[1] === index - 1) last[1] = index;
    else found[found.length] = [index, index];
  }
  const shown = found.length > 4 ? [[...(found[0] ?? [0, 0])], [...(found[found.length - 1] ?? [0, 0])]] : found;
  const texts = shown.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return texts.join(found.length > 4 ? " … " : ", ");
}

export type Places = { readonly [name in "tokens" | "heads" | "pairs"]: readonly number[] } & {
  readonly ofTokens: number;
};

/** Where a pattern of positions shows, and its number. */
export type Pattern = { readonly at: string; readonly by: string };

/** A part of a sentence, where a number is not what it usually is. */
export const unless = (usual: number, value: number, part: (text: string) => string) =>
  value === usual ? "" : part(short(value));

/** The remedy of each mistake: dimensions that are permuted, numbers that can be undone, or a new computation. */
export const remedyOf = {
  layout: "dims",
  permuted: "dims",
  "first-dim": "dims",
  "rotary-dim": "again",
  "not-rotated": "rotate",
  "exponent-doubled": "again",
  "exponent-halved": "again",
  "exponent-half-minus-one": "again",
  "exponent-head-dim": "again",
  "exponent-rotary-dim": "again",
  reciprocal: "again",
  base: "again",
  "other-layers": "again",
  "scaling-missing": "again",
  "scaling-twice": "again",
  "scaling-other": "again",
  "factor-missing": "factor",
  "factor-twice": "factor",
  "factor-default": "factor",
  "factor-other": "factor",
  sign: "sign",
  exchanged: "exchange",
  "first-position": "shift",
  "position-scale": "positions",
  "angles-float32": "precision",
  "angles-float16": "precision",
  "angles-bfloat16": "precision",
  "angles-product": "precision",
  "angles-exact": "arithmetic",
  restarted: "again",
  "time-rule": "times",
  "next-rule": "times",
  "sequence-axis": "along",
  "positions-joined": "places",
  "positions-restarted": "places",
  "padding-counted": "places",
  "padding-skipped": "places",
  "counted-on": "places",
  "token-indices": "places",
  "positions-modulo": "places",
  "positions-clamped": "places",
  "offset-from": "places",
  "positions-reversed": "places",
  "positions-constant": "places",
  "positions-other": "places",
  "rotated-again": "once",
  "zero-rows": "complete",
  "zero-heads": "complete",
  "tokens-not-rotated": "complete",
  "heads-not-rotated": "complete",
  "cache-form": "form",
  "exponent-by-dim": "again",
  "zero-column": "column",
  "axes-order": "axes",
  "cell-order": "axes",
  "axis-missing": "axes",
  sections: "axes",
  "section-order": "axes",
  arrangement: "columns",
  amplitude: "factor",
  "padding-row": "row",
  slopes: "bias",
  distance: "bias",
  causal: "bias",
  buckets: "bias",
} as const satisfies Record<keyof typeof mistakeSentences.en, string>;

export type Numbers = { readonly factor: number; readonly shift: number; readonly scale: number };

/** A sentence, or one that has numbers. */
export type Sentence = string | ((numbers: Numbers) => string);

export interface KindWords {
  readonly mistakes: Readonly<Record<string, string>>;
  readonly remedies: Readonly<Record<string, Sentence>>;
}

export const arithmetic = (name: string) => name.replace("product", "float32");

export interface Rule {
  type: string;
  factor?: number;
  fraction?: number;
}

export const rule = ({ scaling }: { scaling?: unknown }) => scaling as Rule | undefined;

/** The options of a function, one after the other, but tables. */
export const optionsOf = ({ options }: Found<"made">) =>
  Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === "number" ? short(value) : value}`)
    .join(", ");

/** The heads whose slopes a bias has, where they are not simply its own. */
export function headsOf({ slopes = [], ruleHeads = 0, ruleFirst = 0, rulePeriod = 0 }: Found<"bias">) {
  const count = rulePeriod || slopes.length;
  return rulePeriod > 0 || (ruleHeads > 0 && ruleHeads !== count)
    ? { first: ruleFirst, last: ruleFirst + count - 1, heads: ruleHeads, period: rulePeriod }
    : undefined;
}
