import type { TemplateResult } from "lit-html";
import { answerRow, question } from "../../controls";
import { fixed, plain } from "../../core/format";
import type { Model } from "./model";
import type { en } from "./text.en";

export const guess = answerRow("stays", "changes");

/** Scores that differ by less, in parts of the largest there can be, are the same but for rounding. */
const rounding = 1e-6;

/** A question: what becomes of the score when query and key change places? */
export function swap(words: typeof en, { positions, degrees, score, swapped, most }: Model): TemplateResult {
  const [query, key] = positions;
  const isSame = Math.abs(score - swapped) <= rounding * most;
  const { prompt, answers, changes, stays } = words.swap;
  const after = fixed(swapped, 4);
  return question(guess, {
    prompt: prompt(plain(key), plain(query)),
    answers: [
      ["stays", answers.stays],
      ["changes", answers.changes],
    ],
    right: isSame ? "stays" : "changes",
    why: isSame ? stays(after) : changes(fixed(score, 4), after, plain(degrees[0] - degrees[1])),
  });
}
