import type { Posenc } from "posenc";
import { largestDifference } from "../../core/arithmetic";
import type { Language } from "../../core/i18n";
import type { Question } from "../../core/panel";
import { sentenceOf, shortened } from "../../core/words";
import { attend, exchange, rounding, sentenceWords } from "./model";

const texts = {
  en: {
    prompt: (one: string, other: string, sentence: string) =>
      `Without positional encoding, “${one}” and “${other}” change places: “${sentence}”. How many outputs change?`,
    answers: { none: "None", two: "Theirs", all: "All" },
    why: (changed: number, of: number) =>
      `${changed} of ${of} change: an output is a weighted mean over all words of the sentence, whatever their order.`,
  },
  zh: {
    prompt: (one: string, other: string, sentence: string) =>
      `不加位置编码，把“${one}”和“${other}”对调，成了“${sentence}”，有几个词的输出会变？`,
    answers: { none: "都不变", two: "只有这两个变", all: "全都变" },
    why: (changed: number, of: number) =>
      `${of} 个里有 ${changed} 个变了：每个输出都是句中所有词的加权平均，换顺序不影响它。`,
  },
};

/** A question: how many outputs change when two words change places? With fewer than three words there is nothing to ask. */
export function asked(pe: Posenc, language: Language): Question | undefined {
  const words = sentenceWords();
  if (words.length < 3) return undefined;
  const before = attend(pe, words, false).output;
  const after = exchange(attend(pe, exchange(words), false).output);
  const changed = after.filter((output, word) => largestDifference(output, before[word]) > rounding).length;
  const { prompt, answers, why } = texts[language];
  const [one, other] = words.filter((_, place) => exchange([...words.keys()])[place] !== place);
  return {
    prompt: prompt(shortened(one), shortened(other), sentenceOf(exchange(words))),
    answers: Object.entries(answers),
    right: changed === 0 ? "none" : changed <= 2 ? "two" : "all",
    why: why(changed, words.length),
  };
}
