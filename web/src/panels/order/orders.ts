import { readerWords, sameness, wordsOf } from "../../core/words";
import { state } from "./state";

/** With more columns their numbers would not fit. */
export const mostWords = 12;

export function firstOrder(): string[] {
  return readerWords.value.slice(0, mostWords);
}

/** Returns the index of each word in the other order, or undefined where the words are not the same. */
export function placesOf(words: readonly string[], other: readonly string[]): number[] | undefined {
  const free = other.map(sameness) as (string | undefined)[];
  const places = words.map((word) => {
    const at = free.indexOf(sameness(word));
    if (at >= 0) free[at] = undefined;
    return at;
  });
  return other.length === words.length && places.every((at) => at >= 0) ? places : undefined;
}

/** Whether two lists have equal words at every index. */
export const isSameOrder = (words: readonly string[], other: readonly string[]) =>
  words.every((word, at) => sameness(word) === sameness(other[at]));

/** Whether these words have one order only: all are equal. */
export const hasOneOrder = (words: readonly string[]) => words.every((word) => sameness(word) === sameness(words[0]));

/**
 * The first and the last word exchanged, or where these are equal the two farthest from one another that are not: three
 * words are reversed, and of more the distances change, which is all that ALiBi sees.
 */
function exchanged(words: readonly string[]): string[] {
  for (let apart = words.length - 1; apart > 0; apart--)
    for (let at = 0; at + apart < words.length; at++)
      if (sameness(words[at]) !== sameness(words[at + apart])) {
        const other = [...words];
        [other[at], other[at + apart]] = [words[at + apart], words[at]];
        return other;
      }
  return [...words];
}

/** The order in the state; where its words are not the reader's, an order of those. */
export function secondOrder(): string[] {
  const words = firstOrder();
  const text = state.orderOther.value;
  // At the spaces first: a reordered word of Chinese is not to be segmented again.
  const candidates = [text.split(/\s+/u).filter(Boolean), wordsOf(text)];
  return candidates.find((other) => placesOf(words, other)) ?? exchanged(words);
}

function write(words: readonly string[]): void {
  state.orderOther.value = words.join(" ");
}

/** Moves the word at `from` to `to`; false where there is no such place. */
export function move(from: number, to: number): boolean {
  const words = secondOrder();
  if (to < 0 || to >= words.length) return false;
  words.splice(to, 0, ...words.splice(from, 1));
  write(words);
  return true;
}

/** Draws a random order that is neither the present one nor the first, if there is one. */
export function shuffle(): void {
  const first = firstOrder();
  const before = secondOrder();
  const words = [...before];
  for (let attempt = 0; attempt < 50 && (isSameOrder(words, before) || isSameOrder(words, first)); attempt++)
    for (let last = words.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [words[last], words[other]] = [words[other], words[last]];
    }
  write(isSameOrder(words, first) ? exchanged(first) : words);
}
