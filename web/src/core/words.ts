/** Words of a sentence, as the panels about sentences take them. */

/** Words, Chinese characters one by one, and marks of punctuation apart from what they follow. */
export function tokens(sentence: string, most: number): string[] {
  return (sentence.match(/\p{Script=Han}|[^\s\p{P}\p{Script=Han}]+(?:['’-][^\s\p{P}]+)*|\p{P}/gu) ?? []).slice(0, most);
}

/** The same with the marks left on the word before, "mat." say. */
export function wordsWithMarks(sentence: string, most: number): string[] {
  return (sentence.match(/(?:\p{Script=Han}|[^\s\p{Script=Han}\p{P}]+(?:['’-][^\s\p{P}]+)*)\p{P}*/gu) ?? []).slice(
    0,
    most,
  );
}

/** What makes two words the same: their letters, whatever their case and the marks beside them. */
export function sameness(word: string): string {
  return word.toLowerCase().replace(/\p{P}/gu, "") || word;
}

/** A whole number below 2^31 made of a word's letters (FNV-1a), the same for "The" and "the". */
export function letters(word: string): number {
  let hash = 0x811c9dc5;
  for (const letter of word.toLowerCase()) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 1;
}
