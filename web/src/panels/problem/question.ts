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
    prompt: (word: string) =>
      `Without positional encoding, leave out the last word of the sentence, “${word}”: how many other outputs change?`,
    answers: { none: "None", some: "Some", all: "All" },
    why: {
      none: () =>
        "None does: all words are equal here, and a mean of equal vectors is the same however many there are.",
      some: (changed: number, of: number) => `${changed} of ${of} change.`,
      all: (changed: number) =>
        `All ${changed} do: an output is a weighted mean over all words of the sentence. Which words there are counts, their order does not.`,
    },
  },
  zh: {
    prompt: (word: string) => `不加位置编码，去掉句末的“${word}”，其余几个词的输出会变吗？`,
    answers: { none: "都不变", some: "一部分变", all: "全都变" },
    why: {
      none: () => "都不变：这里所有的词都一样，而相同的向量无论有几个，平均值都一样。",
      some: (changed: number, of: number) => `${of} 个里有 ${changed} 个变了。`,
      all: (changed: number) => `${changed} 个全都变。每个输出都是句中所有词的加权平均：少一个词就会变，换顺序不会。`,
    },
  },
};

/** A question: how many outputs change when a word is left out? With fewer than three words there is nothing to ask. */
export function question(pe: Posenc, row: Row<string>): TemplateResult | typeof nothing {
  const words = sentenceWords();
  const kept = words.slice(0, -1);
  if (kept.length < 2) return nothing;
  const before = attend(pe, words, false).output;
  const after = attend(pe, kept, false).output;
  const changed = after.filter((output, word) => largestDifference(output, before[word]) > rounding).length;
  const { prompt, answers, why } = texts[language.value];
  const right = changed === 0 ? "none" : changed < kept.length ? "some" : "all";
  return ask(row, {
    prompt: prompt(shortened(words[kept.length])),
    answers: Object.entries(answers),
    right,
    why: why[right](changed, kept.length),
  });
}
