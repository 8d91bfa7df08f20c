// The sentences of diagnose in English.

import type * as t from "../types/index.js";
import { mistakeSentences } from "./mistake-sentences.js";
import {
  arithmetic,
  type Found,
  headsOf,
  type KindWords,
  type Numbers,
  optionsOf,
  type Pattern,
  type Places,
  type Rule,
  remedyOf,
  rule,
  runs,
  short,
  unless,
} from "./sentence-parts.js";

export const en = {
  mistakes: mistakeSentences.en,
  remedyOf,
  remedies: {
    dims: "Reorder the dimensions of the output: dimension i has to be what is dimension dimensions[i] now.",
    rows: "Reorder each head's rows of W_q and W_k: row i has to be what is row rows[i] now.",
    again:
      "Compute the frequencies from the expected plan. Keys that are cached already are rotated back by what was found, and again by what was expected.",
    rotate: "Rotate queries and keys by their positions.",
    factor: ({ factor }: Numbers) =>
      factor === 1 ? "Use the factor that was expected." : `Multiply by ${short(factor)}.`,
    temperature: "Multiply each query by the temperature of its position.",
    sign: "Negate the sines.",
    exchange: "Exchange sine and cosine.",
    shift: ({ shift }: Numbers) =>
      shift === 0 ? "Start the positions where it was expected." : `Add ${short(shift)} to the positions.`,
    positions: ({ scale }: Numbers) =>
      scale === 1
        ? "Take the positions as they are: the frequencies alone are to be scaled."
        : `Multiply the positions by ${short(scale)}.`,
    precision: "Compute each angle by itself, and in float32 or better; round cosines and sines, not angles.",
    arithmetic: "Compute the angles in the arithmetic that was named.",
    places: "Give each token the position that was expected of it.",
    along: "Rotate along the axis of the sequence: name it, or move it to where the code expects it.",
    once: "Rotate each key once, when it is stored.",
    complete: "Rotate all tokens and all heads, and write all of them.",
    form: "Give the code a cache of its own form: the values of each pair where it reads them.",
    times: "Compute the ids by the rules that were named.",
    axes: "Assign the pairs to the axes as the expected sections and their order say.",
    columns: "Reorder the columns of the table.",
    column: "Compute the last column: the sine of the frequency behind the last pair's.",
    row: "Set the row of the padding position to zero, and no other.",
    bias: "Compute the bias from what was expected: nothing else of it is wrong.",
  },
  /** Some kinds of samples have other words for it. */
  of: {
    bias: {
      mistakes: {
        sign: "The values have the wrong sign, or queries and keys are exchanged.",
        "first-position": "The first query is at another position.",
        "factor-other": "The slopes are multiplied by a factor.",
      },
      remedies: {
        sign: "Negate the values, or exchange queries and keys.",
        shift: ({ shift }: Numbers) =>
          shift === 0
            ? "Place the first query where it was expected."
            : `Add ${short(shift)} to the queries' positions.`,
      },
    },
    sinusoidal: {
      mistakes: { sign: "The sines have the wrong sign.", "not-rotated": "All rows are alike." },
      remedies: { again: "Compute the table from what was expected." },
    },
    frequencies: { mistakes: {}, remedies: { again: "Compute the frequencies from the expected plan." } },
    ids: {
      mistakes: {
        "first-position": "All ids have the same number added.",
        "scaling-other": "The times are at another rate, or the rule is another one.",
        "axes-order": "The axes of the ids are exchanged.",
        "axis-missing": "An axis has the ids of another, or the indices of the tokens.",
      },
      remedies: {
        again: "Compute the ids by the expected preset.",
        axes: "Give each axis its own ids, in the order of the preset.",
        shift: ({ shift }: Numbers) =>
          shift === 0 ? "Start the ids where it was expected." : `Add ${short(shift)} to the ids.`,
      },
    },
    made: {
      mistakes: {
        sign: "The sines have the wrong sign, or queries and keys are exchanged.",
        "axes-order": "The axes of the grid are exchanged: height has what is width's.",
        "first-position": "The indices of the cells start elsewhere.",
        "position-scale": "The coordinates are normalised in another way, or not at all.",
        restarted: "All axes share one list of frequencies where each has its own, or the reverse.",
        "scaling-other": "The encoding is that of another preset.",
        arrangement: "Sines, cosines and axes are in different columns.",
      },
      remedies: {
        sign: "Rotate forwards; exchange queries and keys of a bias.",
        dims: "Rotate the pairs of the expected layout.",
        again: "Compute it with the options that were expected.",
        shift: "Start the indices where it was expected.",
        positions: "Compute the coordinates as it was expected.",
        axes: "Give each axis its own coordinate, and each cell its own place.",
        columns: "Put sines, cosines and axes into the columns that were expected.",
      },
    },
  } as Readonly<Record<string, KindWords>>,
  /** Which of two directions a mistake has. */
  directed: {
    half: 'The dimensions are paired as in "half" in place of "interleaved".',
    interleaved: 'The dimensions are paired as in "interleaved" in place of "half".',
    causal: "The bias is causal where it should be symmetric.",
    symmetric: "The bias is symmetric where it should be causal.",
    row: "There is a row of zeros that should not be there.",
    "no-row": "There is no row of zeros where one should be.",
    twice: "The positions are doubled, or vectors are rotated twice.",
  },
  /** Mistakes of positions, with the tokens at which they show and their numbers. */
  patterns: {
    "positions-joined": ({ at }) => `Positions go on at ${at}, where documents begin and they should begin again.`,
    "positions-restarted": ({ at }) => `Positions begin again at ${at}, where they should go on.`,
    "padding-counted": ({ at }) => `Padding is counted: the positions go on through its edge at ${at}.`,
    "padding-skipped": ({ at }) => `Padding is not counted: the positions begin or end at its edge, ${at}.`,
    "positions-modulo": ({ by }) => `Positions are taken modulo ${by}.`,
    "positions-clamped": ({ at, by }) => `Positions are clamped at ${by}, which shows at ${at}.`,
    "offset-from": ({ at, by }) => `Positions have ${by} added on one side of ${at}.`,
    "tokens-not-rotated": ({ at }) => `Not rotated, as at position 0: ${at}.`,
    "positions-constant": ({ by }) => `All tokens have the position ${by}.`,
  } as Readonly<Record<string, (pattern: Pattern) => string>>,
  tokensAt: (tokens: string) => (/\D/.test(tokens) ? `tokens ${tokens}` : `token ${tokens}`),
  found: {
    rotary: (found: Found<"rotary">) => {
      const { plan, firstDim, reads, writes, factor, offset, positionScale, mrope } = found;
      const scaling = rule(plan);
      const layout =
        reads === writes ? `paired as in "${reads}"` : `read as in "${reads}" and written as in "${writes}"`;
      return [
        found.form === undefined
          ? `${plan.rotaryDim ?? plan.dim} of ${plan.dim} dimensions rotate`
          : `A cache of the form "${found.form}" for ${plan.rotaryDim ?? plan.dim} of ${plan.dim} dimensions`,
        unless(0, firstDim, (dimension) => ` from dimension ${dimension} on`),
        reads === undefined ? "" : `, ${layout}`,
        frequenciesPart(plan, scaling),
        unless(1, factor, (by) => `, cosines and sines times ${by}`),
        unless(1, positionScale, (by) => `, positions times ${by}`),
        unless(0, offset, (by) => `, positions plus ${by}`),
        found.inverse ? ", backwards" : "",
        found.exchanged ? ", sine and cosine exchanged" : "",
        found.reciprocal ? ", with wavelengths for frequencies" : "",
        mrope ? `, axes in sections ${mrope.sections.join(", ")} (${mrope.order})` : "",
        arithmeticPart(found.arithmetic),
        ".",
      ].join("");
    },
    sinusoidal: (found: Found<"sinusoidal">) =>
      [
        `A table of sinusoids of ${found.plan.dim} columns, ${found.arrangement}`,
        frequenciesPart(found.plan, rule(found.plan)),
        unless(1, found.amplitude, (by) => `, times ${by}`),
        unless(1, found.positionScale, (by) => `, positions times ${by}`),
        unless(0, found.offset, (by) => `, positions plus ${by}`),
        found.inverse ? ", the sines negated" : "",
        found.reciprocal ? ", with wavelengths for frequencies" : "",
        found.paddingRow ? ", with a row of zeros" : "",
        found.zeroColumn ? ", the last column zeros" : "",
        arithmeticPart(found.arithmetic),
        ".",
      ].join(""),
    frequencies: ({ plan, unit, inverse }: Found<"frequencies">) =>
      `${plan.dim / 2} frequencies (${unit})${frequenciesPart(plan, rule(plan))}${inverse ? ", negated" : ""}.`,
    bias: (found: Found<"bias">) =>
      `A bias of the distance, ${found.bias}${found.causal ? ", causal" : ""}${slopesPart(found)}${found.upToRows ? ", up to a constant of each row" : ""}.`,
    made: (found: Found<"made">) => `Numbers of ${found.function}: ${optionsOf(found)}.`,
    ids: ({ preset, offset, time, next }: Found<"ids">) =>
      `Ids of the preset "${preset}", times by the rule "${time}", going on by the rule "${next}"${unless(0, offset, (by) => `, plus ${by}`)}.`,
  },
  verdicts: {
    certain: ({ bits }: { bits: number; count: number }) =>
      `This is certain: all else that was tried is ${short(bits)} bits less likely.`,
    likely: ({ bits }: { bits: number; count: number }) => `This is likely, by ${short(bits)} bits, but not certain.`,
    ambiguous: ({ count }: { bits: number; count: number }) =>
      count > 1
        ? `These numbers do not tell ${count} explanations apart.`
        : "These numbers fit other explanations, too.",
    "too-little": (_: { bits: number; count: number }) =>
      "These numbers tell nothing: all of them are zero, or nearly.",
    none: (_: { bits: number; count: number }) => "None of the encodings known here explains these numbers.",
  },
  outputs: {
    neither: "Both outputs are as expected.",
    a: "The first output is wrong.",
    b: "The second output is wrong.",
    both: "Both outputs are wrong.",
    unknown: "Which of them is wrong, if any, cannot be determined from what was given.",
  },
  asExpected: "This is what was expected.",
  next: (positions: readonly number[]) => `Positions that would tell more: ${positions.map(short).join(", ")}.`,
  axis: ([taken, ...others]: readonly number[]) =>
    others.length === 0
      ? `Axis ${taken} was taken for the sequence.`
      : `Axis ${taken} was taken for the sequence, and axis ${others.join(", ")} is as long: name seqAxis.`,
  departs: ({ tokens, heads, pairs, ofTokens }: Places) =>
    `They depart from what was expected at ${tokens.length} of ${ofTokens} tokens (${runs(tokens)}), in heads ${runs(heads)} and pairs ${runs(pairs)}, counted from 0.`,
  joined: (sentences: readonly string[]) => sentences.join(" "),
};

function frequenciesPart(plan: t.RotaryOptions, scaling: Rule | undefined): string {
  if (scaling?.type === "given") return ", with frequencies of no known law";
  const { base = 10000, exponent, exponentDim } = plan;
  return [
    `, base ${short(base)}`,
    exponent && exponent !== "paper" ? `, exponent "${exponent}"` : "",
    exponentDim === undefined ? "" : `, exponents over ${exponentDim}`,
    scaling && scaling.type !== "default" ? `, rule ${scaling.type}` : "",
    scaling?.factor === undefined ? "" : ` with factor ${short(scaling.factor)}`,
    scaling?.fraction === undefined ? "" : `, of which the first ${short(scaling.fraction)} rotate`,
  ].join("");
}

function slopesPart(found: Found<"bias">): string {
  const of = headsOf(found);
  if (!of) return "";
  const again = of.period > 0 ? `, again after each ${of.period} heads` : "";
  return `, with the slopes of heads ${of.first} to ${of.last} of ${of.heads}${again}`;
}

const arithmeticPart = (name: string) =>
  name === "exact" ? "" : `, angles in ${arithmetic(name)}${name === "product" ? " as a running product" : ""}`;
