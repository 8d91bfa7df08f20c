// Encodings whose numbers follow from options alone: grids, windows, T5's bias with its table. Numbers from elsewhere are
// compared with what the library makes of each way to be wrong. There are few, so that all are made, one mistake at a
// time and two.

import type { CoreDiagnosis, CoreExplanation } from "./calls.js";

export type Options = { readonly [name: string]: unknown };
export type Numbers = ArrayLike<number>;

/** The functions whose numbers this knows, by `expected.type`; T5's where its table is given. */
export const madeTypes = ["sinusoidalGrid", "rotaryGrid", "swinIndex", "swinBias", "t5"] as const;
export type MadeType = (typeof madeTypes)[number];

/** One way in which a grid may be encoded: options of the library's function, and what happens around it. */
export interface Way {
  readonly options: Options;
  /** Changes of the cells' points, one after the other. */
  readonly points: readonly PointChange[];
  /** Changes of the numbers that come out. */
  readonly outputs: readonly ("transposed" | "negated" | "exchanged" | "window" | "scaled")[];
}

export type PointChange = (points: Float64Array, axes: number, grid: readonly number[]) => Float64Array;

/** A mistake: what it makes of a right way; undefined where it means nothing. */
export interface Change {
  readonly mistake: string;
  readonly of: (way: Way) => Way | undefined;
}

/** The sample as rows of cells: its numbers, and how far roundings may have moved each. */
export interface Given {
  readonly arrays: readonly Numbers[];
  readonly units: readonly Numbers[];
  readonly dtype: string | undefined;
  /** Numbers that are as they were computed, or copied, have no more units than this. */
  readonly most?: number;
  /** Makes as many numbers with the library by a way; undefined where the way is none. */
  readonly make: (way: Way) => readonly Numbers[] | undefined;
}

/** A residual of so many units is what roundings cause: as in the core. */
export const explainedUnits = 8;
/** A value of 16 bits that is stored as it was computed has so many, likewise. */
export const storedUnits = 3;
const mistakeBits = 6;
const certainBits = 20;
const mostExplanations = 8;
/** Ways of two mistakes are made by the hundred: one that is this far off in the first cells is none. */
const comparedCells = 8;
const hopelessUnits = 64 * explainedUnits;
/** Where no other way was tried there is no end to the bits. */
const mostBits = 1e6;
/** Masks of scores are of many values from this on, and one: -10000 is this in bfloat16. */
const largestMask = -9984;
/** Factors nearer to 1 are those of roundings, of 8 bits at the least. */
const leastScale = 2 ** -8;

/** Half of the last place of each type, relative. */
const rounding: { readonly [dtype: string]: number } = { float16: 2 ** -11, bfloat16: 2 ** -8 };
export const unitOf = (dtype: string | undefined) => rounding[dtype ?? "float32"] ?? 2 ** -24;

/** The ways that one mistake and two make of the right one, which is first. */
function waysOf(right: Way, changes: readonly Change[]): { way: Way; mistakes: string[] }[] {
  const made = [{ way: right, mistakes: [] as string[] }];
  for (const [i, first] of changes.entries()) {
    const one = first.of(right);
    if (!one) continue;
    made.push({ way: one, mistakes: [first.mistake] });
    for (const second of changes.slice(i + 1)) {
      const two = second.mistake === first.mistake ? undefined : second.of(one);
      if (two) made.push({ way: two, mistakes: [first.mistake, second.mistake] });
    }
  }
  return made.sort((a, b) => a.mistakes.length - b.mistakes.length);
}

interface Fit {
  readonly units: number;
  readonly residual: number;
  /** The cost of the residuals, in bits. */
  readonly bits: number;
  readonly departs: ReadonlySet<number>;
}

const isMasked = (value: number) => value <= largestMask;

/** How far apart two numbers are; what is no number is apart from all. */
function distance(a: number, b: number): number {
  if (isMasked(a) && isMasked(b)) return 0;
  const far = Math.abs(a - b);
  return Number.isNaN(far) ? Number.POSITIVE_INFINITY : far;
}

/**
 * Numbers times what makes the largest of them the one that was given; undefined where that is 1, and where it is 0: nothing
 * would be left to compare. What is masked stays so.
 */
export function scaledTo(given: Numbers, numbers: Numbers): Numbers | undefined {
  let largest = 0;
  for (let at = 1; at < numbers.length; ++at) {
    const [size, most] = [numbers[at] as number, numbers[largest] as number];
    if (!isMasked(size) && (isMasked(most) || Math.abs(size) > Math.abs(most))) largest = at;
  }
  const factor = (given[largest] as number) / (numbers[largest] as number);
  if (!Number.isFinite(factor) || factor === 0 || Math.abs(factor - 1) < leastScale) return undefined;
  return Float64Array.from(numbers, (value) => (isMasked(value) ? value : value * factor));
}

/** Compares numbers, of which `width` are of a cell. */
function fitOf(given: Given, made: readonly Numbers[], width: number): Fit {
  let [units, residual, bits] = [0, 0, 0];
  const departs = new Set<number>();
  for (const [k, numbers] of made.entries()) {
    const [right, unit] = [given.arrays[k] as Numbers, given.units[k] as Numbers];
    for (let at = 0; at < right.length; ++at) {
      const far = distance(right[at] as number, numbers[at] as number);
      const own = far / (unit[at] as number);
      if (own > explainedUnits) departs.add(Math.floor(at / width));
      [units, residual] = [Math.max(units, own), Math.max(residual, far)];
      bits += Math.log2(1 + own * own);
    }
  }
  return { units, residual, bits, departs };
}

/** Whether a way is wrong in the cells that are compared first. */
function isHopeless(given: Given, made: readonly Numbers[], width: number): boolean {
  for (const [k, numbers] of made.entries()) {
    const [right, unit] = [given.arrays[k] as Numbers, given.units[k] as Numbers];
    const end = Math.min(right.length, comparedCells * width);
    for (let at = 0; at < end; ++at)
      if (Math.abs((right[at] as number) - (numbers[at] as number)) > hopelessUnits * (unit[at] as number)) return true;
  }
  return false;
}

const nowhere = { tokens: [], heads: [], pairs: [], ofTokens: 0 };

/** Ranks the ways that explain the numbers: the fewest mistakes first. */
export function judged(
  type: MadeType,
  given: Given,
  right: Way,
  changes: readonly Change[],
  width: number,
): CoreDiagnosis {
  const dtype = (given.dtype ?? "float32") as CoreDiagnosis["dtype"];
  const empty = { explanations: [], next: [], dtype, departure: nowhere };
  if (given.arrays.every((numbers) => Array.prototype.every.call(numbers, (value) => value === 0)))
    return { ...empty, verdict: "too-little" };
  const explained: { way: Way; mistakes: string[]; fit: Fit; made: readonly Numbers[] }[] = [];
  let nearest = mostBits;
  let expectedFit: Fit | undefined;
  for (const { way, mistakes } of waysOf(right, changes)) {
    const found = explained[0];
    // One mistake more than the best is a rival; two are none.
    if (found && mistakes.length > found.mistakes.length + 1) break;
    const made = given.make(way);
    if (!made || (mistakes.length === 2 && isHopeless(given, made, width))) continue;
    const fit = fitOf(given, made, width);
    if (mistakes.length === 0) expectedFit = fit;
    const isLonger = (other: { mistakes: string[]; made: readonly Numbers[] }) =>
      other.mistakes.every((name) => mistakes.includes(name)) && areSame(other.made, made);
    if (fit.units > explainedUnits) nearest = Math.min(nearest, fit.bits + mistakeBits * mistakes.length);
    else if (!explained.some(isLonger)) explained.push({ way, mistakes, fit, made });
  }
  const [best] = explained;
  if (!best) {
    const all = [...(expectedFit?.departs ?? [])].sort((a, b) => a - b);
    const ofTokens = Math.floor((given.arrays[0] as Numbers).length / width);
    const departure = all.length < ofTokens ? { ...nowhere, tokens: all, ofTokens } : nowhere;
    return { ...empty, verdict: "none", departure };
  }
  const bits = Math.max(nearest - best.fit.bits - mistakeBits * best.mistakes.length, 0);
  // Numbers that one mistake more explains as well do not tell whether it was made.
  const most = best.way.outputs.includes("scaled") ? explainedUnits : (given.most ?? explainedUnits);
  const isLikely = bits < certainBits || best.fit.units > most;
  const verdict = explained.length > 1 ? "ambiguous" : isLikely ? "likely" : "certain";
  const explanations = (verdict === "ambiguous" ? explained : [best]).slice(0, mostExplanations);
  return {
    ...empty,
    verdict,
    explanations: explanations.map(({ way, mistakes, fit }) => explanationOf(type, way, mistakes, fit, bits, given)),
  };
}

const areSame = (a: readonly Numbers[], b: readonly Numbers[]) =>
  a.every((array, k) => Array.prototype.every.call(array, (value, at) => value === b[k]?.[at]));

function explanationOf(
  type: MadeType,
  way: Way,
  mistakes: string[],
  fit: Fit,
  bits: number,
  { dtype }: Given,
): CoreExplanation {
  const { table: _t, mask: _m, ...kept } = way.options;
  return {
    found: { type: "made", function: type, options: kept },
    mistakes,
    ulps: fit.residual / (2 * unitOf(dtype)),
    units: fit.units,
    bits,
    dims: [],
    dimsBefore: false,
    factor: 1,
    shift: 0,
    scale: 1,
  };
}
