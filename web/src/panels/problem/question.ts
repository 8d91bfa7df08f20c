import { nothing, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import { question as ask } from "../../controls/question";
import { largestDifference } from "../../core/arithmetic";
import { language } from "../../core/i18n";
import type { Row } from "../../core/state";
import { shortened } from "../../core/words";
import { attend, rounding, sentenceWords } from "./model";

const texts = {
  en: {
    prompt: (first: string, last: string) =>
      `Without positional encoding, “${first}” and “${last}” change places. How many outputs change?`,
    answers: { none: "None", two: "Theirs", all: "All" },
    why: (changed: number, of: number) =>
      `${changed} of ${of} change: an output is a weighted mean over all words of the sentence, whatever their order.`,
  },
  zh: {
    prompt: (first: string, last: string) => `不加位置编码，把“${first}”和“${last}”对调，有几个词的输出会变？`,
    answers: { none: "都不变", two: "只有这两个变", all: "全都变" },
    why: (changed: number, of: number) =>
      `${of} 个里有 ${changed} 个变了：每个输出都是句中所有词的加权平均，换顺序不影响它。`,
  },
};

/** A question: how many outputs change when two words change places? With fewer than three words there is nothing to ask. */
export function question(pe: Posenc, row: Row<string>): TemplateResult | typeof nothing {
  const words = sentenceWords();
  if (words.length < 3) return nothing;
  const last = words.length - 1;
  const swap = <T>(all: readonly T[]) => [all[last], ...all.slice(1, last), all[0]];
  const before = attend(pe, words, false).output;
  const after = swap(attend(pe, swap(words), false).output);
  const changed = after.filter((output, word) => largestDifference(output, before[word]) > rounding).length;
  const { prompt, answers, why } = texts[language.value];
  return ask(row, {
    prompt: prompt(shortened(words[0]), shortened(words[last])),
    answers: Object.entries(answers),
    right: changed === 0 ? "none" : changed <= 2 ? "two" : "all",
    why: why(changed, words.length),
  });
}
