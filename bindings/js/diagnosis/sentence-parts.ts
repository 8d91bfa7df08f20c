// Parts that the sentences of diagnose share in both languages.

import type * as t from "../types/index.js";
import type { KnownMistake } from "./mistake-sentences.js";

export type Found<Type> = Extract<t.Explanation["found"], { type: Type }>;

/** Whole numbers whole; of others six digits, without the zeros at their end. */
export const short = (value: number) => String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));

/** Indices or positions, runs of them as first to last; of many runs the first six and the last. */
export function runs(indices: readonly number[]): string {
  const found: [number, number][] = [];
  for (const index of indices) {
    const last = found.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else found.push([index, index]);
  }
  const texts = found.map(([from, to]) => (from === to ? short(from) : `${short(from)}–${short(to)}`));
  return texts.length > 8 ? `${texts.slice(0, 6).join(", ")} … ${texts.at(-1)}` : texts.join(", ");
}

export type Places = { readonly [name in "tokens" | "heads" | "pairs"]: readonly number[] } & {
  readonly ofTokens: number;
};

/** Where a pattern of positions shows, and its number. */
export type Pattern = { readonly at: string; readonly by: string };

type Split<Words> = Words extends `${infer First} ${infer Others}` ? First | Split<Others> : Words;

/** The mistakes that each remedy mends. What is not listed is mended by "again", a new computation. */
const mistakesOf = {
  dims: "layout permuted first-dim axis-layout",
  rotate: "not-rotated",
  still: "rotated",
  along: "sequence-axis",
  factor: "factor-missing factor-twice factor-default factor-other amplitude",
  temperature: "temperature-missing",
  sign: "sign",
  exchange: "exchanged",
  shift: "first-position",
  positions: "position-scale longer-side",
  precision: "angles-float16 angles-bfloat16 angles-float32 angles-product",
  stored: "frequencies-float16 frequencies-bfloat16 cosines-float16 cosines-bfloat16",
  arithmetic: "angles-exact",
  sines: "sine-rows",
  times: "time-rule next-rule",
  places:
    "positions-joined positions-restarted padding-counted padding-skipped counted-on token-indices positions-modulo positions-clamped offset-from positions-reversed positions-constant positions-other",
  once: "rotated-again",
  complete: "zero-rows zero-heads tokens-not-rotated heads-not-rotated",
  form: "cache-form",
  column: "zero-column",
  axes: "axes-order cell-order axis-missing sections section-order registers-behind",
  columns: "arrangement",
  row: "padding-row",
  bias: "slopes distance causal buckets slopes-float16 slopes-bfloat16 terms-rounded",
} as const;

type Remedies = typeof mistakesOf;
export type Remedy = keyof Remedies | "again";

const mended = Object.entries(mistakesOf).flatMap(([remedy, mistakes]) =>
  (mistakes.split(" ") as Split<Remedies[keyof Remedies]>[]).map((mistake) => [mistake, remedy] as const),
);
const remedies: ReadonlyMap<KnownMistake, string> = new Map(mended);

/** The remedy of a mistake. */
export const remedyOf = (mistake: t.Mistake) => (remedies.get(mistake as KnownMistake) ?? "again") as Remedy;

export type Numbers = { readonly factor: number; readonly shift: number; readonly scale: number };

export interface KindWords {
  readonly mistakes: Readonly<Record<string, string>>;
  /** A sentence, or one that has numbers. */
  readonly remedies: Readonly<Record<string, string | ((numbers: Numbers) => string)>>;
}
