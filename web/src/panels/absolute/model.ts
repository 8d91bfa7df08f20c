import type { Posenc } from "posenc";
import { reader } from "../../core/page-state";
import { sameness, tokensOf } from "../../core/words";
import { state } from "./state";

export const mostTokens = 16;
export const dim = 64;
export const base = 10000;

/** A word of the first sentence and the same word in the second; positions count from 1, as in the post. */
export interface Tie {
  readonly word: string;
  readonly first: number;
  /** Undefined when the second sentence does not have it. */
  readonly second: number | undefined;
}

/** Two words that follow one another in the first sentence: their offset in both, and the dot product of their codes. */
export interface Step {
  readonly from: Tie;
  readonly to: Tie;
  readonly second: number | undefined;
  /** PE · PE at the two positions, in each sentence. */
  readonly products: readonly [number, number | undefined];
}

export interface Model {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** How many tokens the sentences have, of which at most `mostTokens` are drawn. */
  readonly all: readonly [number, number];
  readonly ties: readonly Tie[];
  readonly steps: readonly Step[];
}

const isWord = (token: string) => /[^\p{P}]/u.test(token);

/** Matches equal words, longest common runs first, so that "the" goes with the words around it. */
function tie(first: readonly string[], second: readonly string[]): (number | undefined)[] {
  const [one, other] = [first.map(sameness), second.map(sameness)];
  const partner = new Array<number | undefined>(first.length).fill(undefined);
  const taken = new Set<number>();
  const free = (a: number, b: number) =>
    a < one.length &&
    b < other.length &&
    one[a] === other[b] &&
    isWord(one[a]) &&
    partner[a] === undefined &&
    !taken.has(b);
  for (;;) {
    let best = { a: 0, b: 0, length: 0 };
    for (let a = 0; a < one.length; a++)
      for (let b = 0; b < other.length; b++) {
        let length = 0;
        while (free(a + length, b + length)) length++;
        if (length > best.length) best = { a, b, length };
      }
    if (best.length === 0) return partner;
    for (let step = 0; step < best.length; step++) {
      partner[best.a + step] = best.b + step;
      taken.add(best.b + step);
    }
  }
}

/** Writes the second half of the words, a comma, and the first half. */
function halvesExchanged(words: readonly string[]): string {
  const half = Math.ceil(words.length / 2);
  const chinese = words.some((word) => /\p{Script=Han}/u.test(word));
  const halves = [words.slice(half), words.slice(0, half)].map((part) => part.join(chinese ? "" : " "));
  return halves.filter(Boolean).join(chinese ? "，" : ", ");
}

/** Returns what the reader wrote as the second sentence; before that, post C's, or one made of another first sentence. */
export function secondSentence(): string {
  const { value, initial } = state.absoluteSecond;
  const wordsOf = (sentence: string) =>
    tokensOf(sentence)
      .slice(0, mostTokens - 1)
      .filter(isWord);
  const words = wordsOf(reader.sentence.value);
  const theirs = wordsOf(reader.sentence.initial);
  const isTheirs = words.map(sameness).join(" ") === theirs.map(sameness).join(" ");
  return value === initial && !isTheirs ? halvesExchanged(words) : value;
}

export function model(pe: Posenc): Model {
  const whole = [tokensOf(reader.sentence.value), tokensOf(secondSentence())];
  const [first, second] = whole.map((tokens) => tokens.slice(0, mostTokens));
  const partner = tie(first, second);
  const ties = first.flatMap((word, at) => {
    const other = partner[at];
    return isWord(word) ? [{ word, first: at + 1, second: other === undefined ? undefined : other + 1 }] : [];
  });
  const table = pe.sinusoidal({ length: mostTokens + 1, dim, base });
  const products = pe.linear(table, table).data;
  const product = (p: number, q: number) => products[p * (mostTokens + 1) + q];
  const steps = ties.slice(1).map((to, at): Step => {
    const from = ties[at];
    const both = from.second !== undefined && to.second !== undefined;
    return {
      from,
      to,
      second: both ? (to.second as number) - (from.second as number) : undefined,
      products: [product(from.first, to.first), both ? product(from.second as number, to.second as number) : undefined],
    };
  });
  return { first, second, all: [whole[0].length, whole[1].length], ties, steps };
}

/** The offset of a step in the first sentence. */
export const offset = (step: Step) => step.to.first - step.from.first;
