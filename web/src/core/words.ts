/** Words of a sentence, for the panels about sentences. */

/** Words, single Chinese characters, and punctuation marks as tokens of their own. */
export function tokens(sentence: string, most: number): string[] {
  return (sentence.match(/\p{Script=Han}|[^\s\p{P}\p{Script=Han}]+(?:['’-][^\s\p{P}]+)*|\p{P}/gu) ?? []).slice(0, most);
}

/** The same with punctuation left on the word before it: "mat." */
export function wordsWithMarks(sentence: string, most: number): string[] {
  return (sentence.match(/(?:\p{Script=Han}|[^\s\p{Script=Han}\p{P}]+(?:['’-][^\s\p{P}]+)*)\p{P}*/gu) ?? []).slice(
    0,
    most,
  );
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
