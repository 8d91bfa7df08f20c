import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, math, row, sqrt, sub } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      A hollow dot is a word's ${term("embedding", "vector", ",")} and the arrow is what its position adds to it: once with the numbers that a post gives,
      once with the formula's.
    </p>
  `,
  outro: () => html`
    <p>
      How does the pattern get into the word? By addition. Two posts work this out for “The cat sat on the mat” with small round
      numbers; each is drawn here beside what the formula gives.
    </p>
    <p>Each word has a vector ${math("W", ",")} each position has a vector ${math("P", ",")} and the model reads their sum:</p>
    ${display(row(sub("X", "p"), "=", sub("W", "p"), "+", sub("P", "p")))}
    <p>
      <strong>The printed position vectors are illustrations.</strong> Neither set has the formula's values; ${claim("E2", "post E")} says
      “假设” (suppose). Of its vectors only ${math(sub("P", "0"))} agrees with it: in two dimensions the true ${math(sub("P", "1"))} is the sine and the
      cosine of 1. The additions, on the other hand, are right to the digit.
    </p>
    <p>
      <strong>Different positions, and yet two equal sums.</strong> The six position vectors of ${claim("E3", "post E")} are all
      different, as it says; but added to its words, “the” and “mat” both come to “[1.8, 1.4]”, and a model could not distinguish them. With the formula's positions they are far from each
      other, as the second drawing shows. Collisions of sums are possible in principle with any encoding; with
      hundreds of dimensions they practically do not happen.
    </p>
    <p>
      <strong>Turn up the scale.</strong> The paper multiplies word vectors by ${math(sqrt("d"))} before the sum, so that
      positions, whose values lie between −1 and 1, do not drown the words.
    </p>
    <p>
      One more detail: ${claim("C2", "post C")} gives “The” and “the” the same word vector, so that only their positions distinguish them.
      ${claim("E1", "Post E")} gives them different ones, “[0.1, 0.2]” and “[0.9, 1.0]”, as a tokenizer that is case-sensitive would.
    </p>
  `,
  source: "Example",
  sources: { E: "Post E", C: "Post C", own: "My sentence" },
  sentence: "Sentence",
  dim: "Dimensions",
  scale: "Scale of W",
  chosen: "Word",
  kinds: { printed: "printed positions", formula: "the formula's" },
  note: (source: "C" | "E" | "own", titles: Readonly<Record<"C" | "E", string>>) =>
    source === "E"
      ? html`${claim("E1", "Post E")} is “${titles[source]}”, an article of 27 December 2024. All of its vectors have two dimensions, so the
          formula is taken at ${math("d", "=", "2", ".")}`
      : source === "C"
        ? html`${claim("C3", "Post C")} is “${titles[source]}”. It prints three dimensions of each vector and then “…”,
            without saying how many there are. The formula is taken at ${math("d", "=", "3")} here. Its first two dimensions,
            the sine and cosine of the position itself, are the same for every ${math("d", ";")} the third depends on it.`
        : html`Real word vectors come from training. The ones here are <strong>made by a rule</strong>: the letters of the word are
            hashed to an integer, and the formula's encoding at that number serves as the word's vector. Equal words get
            equal vectors, capitals or not.`,
  empty: "Type a word to begin.",
  table: "Word vectors, position vectors and their sums",
  position: "Pos.",
  word: "Word",
  embedding: { E: "W, as printed", C: "W, as printed", own: "W, by the rule" },
  printed: (source: string) => `With the positions post ${source} prints`,
  formula: (dim: number) => `With the formula's positions, d = ${dim}`,
  asPrinted: "✓ as printed",
  notAsPrinted: "✗ printed otherwise",
  plotPrinted: (source: string) => `Positions as post ${source} prints them`,
  plotFormula: "The formula's positions",
  plotLabel: (title: string) =>
    `${title}: first two dimensions in the plane. A hollow dot marks each word vector, an arrow leads from it to the sum. Arrow keys choose a word.`,
  describe: (count: number, equal: readonly { kind: string; groups: readonly string[] }[]) =>
    `${count === 1 ? "1 word" : `${count} words`}. ${equal
      .map(({ kind, groups }) => {
        const which = kind === "printed" ? "With the printed positions" : "With the formula's positions";
        return groups.length > 0
          ? `${which}, these sums coincide: ${groups.join("; ")}.`
          : `${which}, all sums differ.`;
      })
      .join(" ")} In the drawing, a hollow dot is the word vector and the arrow's tip the sum; first two dimensions.`,
};
