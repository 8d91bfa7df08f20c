import { computed } from "@preact/signals-core";
import { reader } from "./page-state";

/** Words of a sentence: the reader's, and those of figures that have sentences of their own. */

/** The most words that are drawn; narrow figures draw fewer. A note beside the text box counts those left out. */
export const mostWords = 24;

/** A word with the punctuation that touches it. */
interface Piece {
  readonly before: string;
  readonly word: string;
  readonly after: string;
}

/** Punctuation, a run of Chinese or Japanese or a word, punctuation; single marks count as a word. */
const run =
  /(?<before>\p{P}*)(?<word>(?:(?!\p{P})[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー々])+|[^\s\p{P}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+(?:['’.-][^\s\p{P}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+)*)(?<after>\p{P}*)|\p{P}+/gu;

/** Written without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter("zh", { granularity: "word" }) : undefined;

/**
 * The dictionaries of browsers hold set phrases as one word: 我爱你, 你爱, 爱她. Pronouns are
 * words of their own, but not in 我们, 你好 or 自我.
 */
const phrases = [/^([我你您他她它])(?![们的好国人家方])(.+?)([我你您他她它]?)$/u, /^([爱想为])([我你您他她它])$/u];

function withoutPhrases(segment: string): string[] {
  const [, ...parts] = phrases.map((phrase) => phrase.exec(segment)).find(Boolean) ?? ["", segment];
  return parts.filter(Boolean);
}

/** The words of a run: single characters where the browser has no dictionary. */
function segments(text: string): string[] {
  if (!unspaced.test(text)) return [text];
  return segmenter ? [...segmenter.segment(text)].flatMap(({ segment }) => withoutPhrases(segment)) : [...text];
}

function pieces(sentence: string): Piece[] {
  return [...sentence.matchAll(run)].flatMap(({ 0: all, groups: { before = "", word = all, after = "" } = {} }) => {
    const parts = segments(word);
    return parts.map((part, at) => ({
      before: at === 0 ? before : "",
      word: part,
      after: at === parts.length - 1 ? after : "",
    }));
  });
}

/** The words of a sentence with their punctuation: "mat." */
export function wordsOf(sentence: string): string[] {
  return pieces(sentence).map(({ before, word, after }) => before + word + after);
}

/** A sentence of these words: without spaces where Chinese or Japanese meet. */
export const sentenceOf = (words: readonly string[]) =>
  words.reduce((all, word) => all + (unspaced.test(all.slice(-1)) && unspaced.test(word[0]) ? "" : " ") + word);

/** All words of the reader's sentence, and as many of them as are drawn. */
export const readerWords = computed(() => wordsOf(reader.sentence.value));
export const shownWords = computed(() => readerWords.value.slice(0, mostWords));

/**
 * The word of the reader's sentence at a position, if it has one. A panel that writes it somewhere names `reader.sentence`
 * among the rows that it uses.
 */
export function labelOf(position: number): string | undefined {
  return shownWords.value[position];
}

/** A word with at most so many characters, the last one an ellipsis if it has more: the whole word goes into a title. */
export function shortened(word: string, most = 12): string {
  const characters = [...word];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : word;
}

/** The key by which words are equal: their letters, without case and punctuation. */
export function sameness(word: string): string {
  return word.toLowerCase().replace(/\p{P}/gu, "") || word;
}

/** A whole number below 2^31 made of a word's letters (FNV-1a), the same for "The" and "the". */
export function letters(word: string): number {
  let hash = 0x811c9dc5;
  for (const letter of word.toLowerCase()) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 1;
}
