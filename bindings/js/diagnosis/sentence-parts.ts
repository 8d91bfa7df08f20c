// Parts that the sentences of diagnose share in both languages.

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

/** The mistakes that each remedy mends: dimensions that are permuted, numbers that can be undone, or a new computation. */
const mistakesOf = {
  dims: ["layout", "permuted", "first-dim"],
  again: [
    "rotary-dim",
    "exponent-doubled",
    "exponent-halved",
    "exponent-half-minus-one",
    "exponent-head-dim",
    "exponent-rotary-dim",
    "reciprocal",
    "base",
    "other-layers",
    "scaling-missing",
    "scaling-twice",
    "scaling-other",
    "restarted",
    "exponent-by-dim",
  ],
  rotate: ["not-rotated"],
  along: ["sequence-axis"],
  factor: ["factor-missing", "factor-twice", "factor-default", "factor-other", "amplitude"],
  temperature: ["temperature-missing"],
  sign: ["sign"],
  exchange: ["exchanged"],
  shift: ["first-position"],
  positions: ["position-scale"],
  precision: ["angles-float32", "angles-float16", "angles-bfloat16", "angles-product"],
  arithmetic: ["angles-exact"],
  times: ["time-rule", "next-rule"],
  places: [
    "positions-joined",
    "positions-restarted",
    "padding-counted",
    "padding-skipped",
    "counted-on",
    "token-indices",
    "positions-modulo",
    "positions-clamped",
    "offset-from",
    "positions-reversed",
    "positions-constant",
    "positions-other",
  ],
  once: ["rotated-again"],
  complete: ["zero-rows", "zero-heads", "tokens-not-rotated", "heads-not-rotated"],
  form: ["cache-form"],
  column: ["zero-column"],
  axes: ["axes-order", "cell-order", "axis-missing", "sections", "section-order"],
  columns: ["arrangement"],
  row: ["padding-row"],
  bias: ["slopes", "distance", "causal", "buckets"],
} as const;

type Remedies = typeof mistakesOf;
type Mended = Remedies[keyof Remedies][number];

const listed = Object.fromEntries(
  Object.entries(mistakesOf).flatMap(([remedy, mistakes]) => mistakes.map((mistake) => [mistake, remedy])),
) as Record<Mended, keyof Remedies>;

/** The remedy of each mistake. */
export const remedyOf: Readonly<Record<keyof typeof mistakeSentences.en, keyof Remedies>> = listed;

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
