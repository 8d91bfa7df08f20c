import type { Facts, MethodName } from "./model";
import { growth, growthFrom, lengths, type Timing } from "./timing";

/** The questions about each method, and the answers of posts, whose words are on `checked.html`. */

export const questions = ["trainable", "stored", "relative", "distinct", "beyond", "time"] as const;
export type Question = (typeof questions)[number];

/** An answer: yes or no, or the power of n by which something grows. */
export type Answer = boolean | number;

/** A post's answer, by the statement that is checked; its letter names the post. */
interface Statement {
  readonly claim: string;
  readonly answer: Answer;
  /** It answers another question than the one that is computed here: one about trained models, or about codes alone. */
  readonly about?: "trained" | "codes";
}

const table = (answer: Answer): Statement => ({ claim: "C18", answer });
/** The table's column on extrapolation is about trained models, not about whether there is a code. */
const extrapolates = (answer: boolean): Statement => ({ ...table(answer), about: "trained" });
/** Before codes are added to words, which is what is asked here. */
const ofCodes: Statement = { ...table(false), about: "codes" };
/** B3: relative encodings store every difference. */
const everyPair: Statement = { claim: "B3", answer: 2 };
/** D2: absolute encodings end where training did. */
const ends: Statement = { claim: "D2", answer: false };

export const statements: Readonly<Record<Question, Partial<Record<MethodName, readonly Statement[]>>>> = {
  trainable: { sinusoid: [table(false)], learned: [table(true)], shaw: [table(true)], rope: [table(false)] },
  stored: {
    sinusoid: [table(0)],
    learned: [table(1)],
    shaw: [table(2), everyPair],
    t5: [everyPair],
    alibi: [everyPair],
    rope: [table(0)],
  },
  relative: { sinusoid: [ofCodes], learned: [ofCodes], shaw: [table(true)], rope: [table(true)] },
  distinct: { sinusoid: [{ claim: "A3", answer: true }] },
  beyond: {
    sinusoid: [ends, extrapolates(true)],
    learned: [ends, extrapolates(false)],
    shaw: [extrapolates(true)],
    rope: [extrapolates(true)],
  },
  time: { sinusoid: [table(1)], learned: [table(1)], shaw: [table(2)], rope: [table(1)] },
};

/** Scores are sums in float32: smaller changes than this are rounding. */
const rounding = 1e-4;
export const isRelative = ({ change }: Facts) => change < rounding;

/** The power of n by which a number grows that is multiplied so often while n is doubled `doublings` times. */
const power = (times: number, doublings = 1) => Math.round(Math.log2(times) / doublings);

/** Returns what is counted, computed or measured here; undefined where it is not measured yet. */
export function computedAnswer(
  question: Question,
  name: MethodName,
  fact: Facts,
  timings: readonly Timing[],
): Answer | undefined {
  switch (question) {
    case "trainable":
      return fact.parameters > 0;
    case "stored":
      return fact.parameters > 0 ? power(fact.parametersTwice / fact.parameters) : 0;
    case "relative":
      return isRelative(fact);
    case "distinct":
      return fact.distinct === fact.of;
    case "beyond":
      return fact.beyond;
    case "time": {
      const times = growth(timings, name);
      return times === undefined ? undefined : power(times, Math.log2(lengths[lengths.length - 1] / growthFrom));
    }
  }
}
