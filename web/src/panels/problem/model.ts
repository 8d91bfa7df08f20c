import type { Posenc } from "posenc";
import { largestDifference } from "../../core/arithmetic";
import { rows } from "../../core/format";
import { letters, readerWords, sameness, sentenceOf } from "../../core/words";
import { state } from "./state";

/** More would not fit in a row. */
export const mostWords = 10;
export const dim = 16;
/** Outputs that differ by less are the same but for rounding: their values are about 1. */
export const rounding = 1e-5;

export type Model = ReturnType<typeof model>;

export const sentenceWords = () => readerWords.value.slice(0, mostWords);

/** The order in the state, or that of the sentence where it is none of its words. */
export function orderOf(count: number): number[] {
  const order = state.problemOrder.value.split(".").map(Number);
  const first = Array.from({ length: count }, (_, place) => place);
  const isWhole = order.length === count && first.every((place) => order.includes(place));
  return isWhole ? order : first;
}

/** What the state says: the order of the words, and whether positions are added. */
export const scene = () => ({
  order: orderOf(sentenceWords().length),
  hasPositions: state.problemPositions.value === "on",
});

/** Sets the order of the words. */
export function setOrder(order: readonly number[]): void {
  state.problemOrder.value = order.every((first, place) => first === place) ? "" : order.join(".");
}

/** The order of the words after the one at `from` has gone to `to`; undefined where there is no such index. */
export function moved(order: readonly number[], from: number, to: number): number[] | undefined {
  if (to < 0 || to >= order.length || from === to) return undefined;
  const next = [...order];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** A list, or what its words have, after two words have changed places: subject and object of a short sentence. */
export function exchange<T>(all: readonly T[]): T[] {
  const last = all.length - 1;
  const first = last > 2 ? 1 : 0;
  return all.map((each, place) => (place === first ? all[last] : place === last ? all[first] : each));
}

/** The sentence and itself with two words exchanged, with marks before, between and after; nothing where that is the same. */
export function bag(before: string, between: string, after: string): string {
  const both = [sentenceWords(), exchange(sentenceWords())].map((words) => words.length > 1 && sentenceOf(words));
  return both[0] === both[1] ? "" : before + both.join(between) + after;
}

/** Self-attention whose queries, keys and values are the word vectors, with the sinusoid added or without. */
export function attend(pe: Posenc, words: readonly string[], hasPositions: boolean) {
  const bare = pe.sinusoidal({ positions: words.map((word) => letters(sameness(word))), dim });
  const x = hasPositions ? pe.add(bare, pe.sinusoidal({ length: words.length, dim })) : bare;
  const { output, weights } = pe.attention({ query: x, key: x, value: x, weights: true });
  return { output: rows(output.data, dim), weights: rows(weights.data, words.length) };
}

export function model(pe: Posenc) {
  const { order, hasPositions } = scene();
  const words = sentenceWords();
  if (words.length === 0) return { places: [], isReordered: false, hasPositions, twins: [] };
  const before = attend(pe, words, hasPositions).output;
  const { output, weights } = attend(
    pe,
    order.map((first) => words[first]),
    hasPositions,
  );
  const places = order.map((first, place) => {
    const change = Math.fround(largestDifference(output[place], before[first]));
    return {
      word: words[first],
      /** Its place in the sentence as it was. */
      first,
      /** How much it attends to the word at each place. */
      weights: weights[place],
      output: output[place],
      /** The largest change of its output from that in the first order. */
      change,
      isChanged: change > rounding,
    };
  });
  /** Places of different words whose outputs are the same, which equal words have without positions. */
  const twins = places.flatMap((_, a) =>
    places
      .slice(a + 1)
      .map((_, after) => [a, a + 1 + after] as const)
      .filter(([one, other]) => largestDifference(output[one], output[other]) <= rounding),
  );
  return { places, isReordered: order.some((first, place) => first !== place), hasPositions, twins };
}
