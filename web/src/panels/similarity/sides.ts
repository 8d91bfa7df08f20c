import type { Posenc } from "posenc";
import { answerRow } from "../../controls";
import { significant } from "../../core/format";
import type { Question } from "../../core/panel";
import { state } from "./state";
import type { en } from "./text.en";

export const guess = answerRow("before", "after", "same");

/** How far the two positions are from the one between them. */
const step = 3;
/** Dot products that differ by less, for each dimension, are the same but for rounding. */
const rounding = 1e-6;

/** A question: is the position before more alike, or the one after? */
export function sides(words: typeof en, pe: Posenc): Question {
  const dim = 2 * state.similarPairs.value;
  const middle = step + Math.floor(state.similarLength.value / 2);
  const codes = (positions: readonly number[]) => pe.sinusoidal({ positions, dim, base: state.similarBase.value });
  const [before, after] = pe.linear(codes([middle]), codes([middle - step, middle + step])).data;
  const isSame = Math.abs(before - after) <= rounding * dim;
  const { prompt, answers, same, differ } = words.sides;
  const digits = [before, after].map((product) => significant(product, 4));
  return {
    prompt: prompt(middle),
    answers: [
      ["before", answers.before(middle - step)],
      ["after", answers.after(middle + step)],
      ["same", answers.same],
    ],
    right: isSame ? "same" : before > after ? "before" : "after",
    why: isSame ? same(digits[0], step) : differ(digits[0], digits[1]),
  };
}
