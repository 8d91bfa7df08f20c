import type { Posenc, Tensor } from "posenc";
import { scaled, tensor } from "../../core/arithmetic";
import { fixed, rows } from "../../core/format";
import { selection } from "../../core/page-state";
import { printed } from "../../core/printed";
import { letters, readerWords, sameness, shownWords } from "../../core/words";
import { state } from "./state";

/** Word vectors plus one kind of position vectors. */
export interface Sum {
  readonly kind: "printed" | "formula";
  readonly position: Tensor;
  readonly result: Tensor;
  /** The vectors as shown, one text per dimension. */
  readonly positionShown: string[][];
  readonly resultShown: string[][];
  /** For each word, the other words whose result looks the same at the digits shown. */
  readonly twins: number[][];
  /** For each word, whether the library's sum is the printed one; empty where nothing is printed. */
  readonly asPrinted: boolean[];
}

export interface Model {
  readonly source: "C" | "E" | "own";
  readonly words: readonly string[];
  readonly dim: number;
  readonly cut: boolean;
  readonly embedding: Tensor;
  readonly embeddingShown: string[][];
  readonly embeddingTwins: number[][];
  readonly sums: Sum[];
  /** The word vectors are multiplied by this before the sum, as the paper does with √d. */
  readonly scale: number;
  readonly scaledEmbedding: Tensor;
  /** The word that is read out. */
  readonly chosen: number;
}

/**
 * Chooses whose numbers are shown: the posts' numbers belong to their own sentence, which is the one that the page opens with; any
 * other is the reader's.
 */
export function source(): "C" | "E" | "own" {
  const chosen = state.source.value;
  if (chosen === "own") return chosen;
  const words = readerWords.value;
  const theirs = printed[chosen].words;
  const isTheirs = words.length === theirs.length && words.every((word, at) => sameness(word) === sameness(theirs[at]));
  return isTheirs ? chosen : "own";
}

function twins(shown: string[][]): number[][] {
  const all = shown.map((dims) => dims.join(" "));
  return all.map((one, word) => all.flatMap((other, index) => (index !== word && other === one ? [index] : [])));
}

const show = (x: Tensor, digits: number) =>
  rows(x.data, x.shape[1]).map((dims) => dims.map((value) => fixed(value, digits)));
const read = (lines: readonly string[], dim: number) =>
  tensor(
    lines.flatMap((line) => line.split(" ").map(Number)),
    dim,
  );
const spell = (lines: readonly string[]) => lines.map((line) => line.split(" "));

function sumOf(
  pe: Posenc,
  kind: Sum["kind"],
  embedding: Tensor,
  position: Tensor,
  positionShown: string[][],
  digits: number,
  print: readonly string[] = [],
): Sum {
  const result = pe.add(embedding, position);
  const resultShown = show(result, digits);
  const asPrinted = print.map((line, word) => resultShown[word].join(" ") === line);
  return { kind, position, result, positionShown, resultShown, twins: twins(resultShown), asPrinted };
}

/** Everything the panel shows, from the state. */
export function model(pe: Posenc): Model {
  const from = source();
  const post = from === "own" ? undefined : printed[from];
  const words = post?.words ?? shownWords.value;
  const dim = post?.dim ?? state.sentenceDim.value;
  const scale = state.sumScale.value;
  const embedding = post
    ? read(post.embedding, dim)
    : pe.sinusoidal({ positions: words.map((word) => letters(sameness(word))), dim });
  const embeddingShown = post ? spell(post.embedding) : show(embedding, 3);
  const scaledEmbedding = scaled(embedding, scale);
  const position = pe.sinusoidal({ length: words.length, dim });
  const sums = [sumOf(pe, "formula", scaledEmbedding, position, show(position, 3), 3)];
  if (post) {
    // The posts print no sums of scaled words.
    const sum = scale === 1 ? post.sum : [];
    const theirs = read(post.position, dim);
    sums.unshift(sumOf(pe, "printed", scaledEmbedding, theirs, spell(post.position), post.digits, sum));
  }
  return {
    source: from,
    words,
    dim,
    cut: post?.cut ?? false,
    embedding,
    embeddingShown,
    embeddingTwins: twins(embeddingShown),
    sums,
    scale,
    scaledEmbedding,
    chosen: Math.max(0, Math.min(words.length - 1, selection.position.value)),
  };
}
