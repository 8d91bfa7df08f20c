import type { TaskName } from "./results";

const sentence = "The cat sat on the mat. ";

/** Symbols in an order that looks like none. */
const mixed = (count: number, n: number) =>
  Array.from({ length: n }, (_, at) => (at * at + 3 * at + (at >> 2)) % count);

/** Tokens of an example of length n, among `words`: what attention is drawn for. */
export function exampleOf(task: TaskName, words: readonly string[], n: number): number[] {
  const token = (word: string) => words.indexOf(word);
  if (task === "text") {
    const known = Array.from(sentence, token).filter((at) => at >= 0);
    // A text of the reader's own need not have these letters.
    const letters = known.length > 0 ? known : words.map((_, at) => at);
    return Array.from({ length: n }, (_, at) => letters[at % letters.length]);
  }
  if (task === "back") return mixed(words.length, n);
  if (task === "roles") return ["A", "loves", "B", "who?"].map(token);
  // For order: A in the first quarter, B in the last, the others between, and the question.
  const others = words.flatMap((word, at) => (/^[a-z]$/.test(word) ? [at] : []));
  const tokens = mixed(others.length, n).map((at) => others[at]);
  tokens[n >> 2] = token("A");
  tokens[n - 1 - (n >> 2)] = token("B");
  return [...tokens, token("?")];
}
