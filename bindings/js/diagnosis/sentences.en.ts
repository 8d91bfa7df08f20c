// The sentences of diagnose in English.

import { mistakeSentences } from "./mistake-sentences.js";
import { type KindWords, type Numbers, type Pattern, type Places, runs, short } from "./sentence-parts.js";

export const en = {
  mistakes: mistakeSentences.en,
  remedies: {
    dims: "Reorder the dimensions of the output: dimension i has to be what is dimension dimensions[i] now.",
    rows: "Reorder each head's rows of W_q and W_k: row i has to be what is row rows[i] now.",
    again:
      "Compute the frequencies from the expected plan. Keys that are cached already are rotated back by what was found, and again by what was expected.",
    rotate: "Rotate queries and keys by their positions.",
    still: "Do not rotate in this layer.",
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
    stored: "Keep frequencies, cosines and sines in float32, whatever the rest of the model is cast to.",
    arithmetic: "Compute the angles in the arithmetic that was named.",
    sines: "Take sine and cosine from the same row.",
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
      mistakes: {
        sign: "The sines have the wrong sign.",
        "not-rotated": "All rows are alike.",
        "exponent-head-dim": "The exponent is divided by another number: the dimensions of the table.",
        "exponent-rotary-dim": "The exponent is divided by another number than the dimensions of the table.",
      },
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
    "positions-clamped": ({ at, by }) => `Positions are clamped at ${by}, which shows at ${at}.`,
    "offset-from": ({ at, by }) => `Positions have ${by} added on one side of ${at}.`,
    "tokens-not-rotated": ({ at }) => `Not rotated, as at position 0: ${at}.`,
  } as Readonly<Record<string, (pattern: Pattern) => string>>,
  /** Those that show everywhere. */
  amounts: {
    "positions-modulo": (by) => `Positions are taken modulo ${by}.`,
    "positions-constant": (by) => `All tokens have the position ${by}.`,
  } as Readonly<Record<string, (by: string) => string>>,
  tokensAt: (tokens: string) => (/\D/.test(tokens) ? `tokens ${tokens}` : `token ${tokens}`),
  verdicts: {
    certain: () => "Of all that is listed, alone and in pairs, nothing else explains these numbers.",
    likely: () => "Its numbers were estimated: no list has them.",
    ambiguous: (count: number) =>
      count > 1
        ? `These numbers do not tell ${count} explanations apart.`
        : "These numbers fit other explanations, too.",
    "too-little": () => "These numbers tell nothing: any encoding would make them, as of zeros, or of one position.",
    none: () => "None of the encodings known here explains these numbers.",
  },
  partial: "These numbers are a part of more: nothing is certain of the rest.",
  outputs: {
    neither: "Both outputs are as expected.",
    a: "The first output is wrong.",
    b: "The second output is wrong.",
    both: "Both outputs are wrong.",
    unknown: "Which of them is wrong, if any, cannot be determined from what was given.",
  },
  asExpected: "This is what was expected.",
  /** What would tell explanations apart. */
  next: (what: readonly string[]) => `What would tell: ${what.join("; ")}.`,
  places: {
    positions: (list: string) => `positions ${list}`,
    distances: (list: string) => `distances ${list}`,
    grid: (list: string) => `a grid of ${list}`,
  },
  readTo: (most: string) => `Positions were read back from the values: those up to ${most}, of either sign.`,
  layer: (layer: number) => `Layer ${layer} was taken.`,
  axis: ([taken, ...others]: readonly number[]) =>
    others.length === 0
      ? `Axis ${taken} was taken for the sequence.`
      : `Axis ${taken} was taken for the sequence, and axis ${others.join(", ")} is as long: name seqAxis.`,
  departs: ({ tokens, heads, pairs, ofTokens }: Places) => {
    const parts = [heads.length > 0 && `heads ${runs(heads)}`, pairs.length > 0 && `pairs ${runs(pairs)}`];
    const where = parts.filter(Boolean).join(" and ");
    return `They depart from what was expected at ${tokens.length} of ${ofTokens} tokens (${runs(tokens)})${where && `, in ${where}`}, counted from 0.`;
  },
  joined: (sentences: readonly string[]) => sentences.join(" "),
};
