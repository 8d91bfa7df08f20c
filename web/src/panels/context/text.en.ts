import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { math, sub } from "../../draw/math";
import type { facts } from "./model";

export const en = {
  intro: () => html`
    <p>
      <strong>One dot is one pair: how many times slower a method makes it. Orange is trouble, fast but slowed, or slow and past known
      angles.</strong> To read f times as far as in training, what may be slowed?
    </p>
  `,
  outro: () => html`
    <p>
      A pair that went around many times in training has shown all its angles, and tells neighbours apart. One that never went
      around meets new angles further on.
    </p>
    <p>
      <strong>PI</strong> (position ${term("interpolation", "interpolation")}, “linear”; Chen et al. 2023) divides all
      ${math(sub("ω", "i"))} by ${math("f", ".")} No angle is new, but “the next word” turns only 1/f as far as before.
      <strong>${term("ntk", "NTK")}</strong> (bloc97 2023) raises the base: the fastest pairs hardly slow, so neighbours
      stay apart; slow ones still meet new angles.
      <strong>${term("yarn", "YaRN")}</strong> (Peng et al. 2023) leaves fast pairs alone, brings slow ones back to known angles, with a ramp
      between, and sharpens attention; Llama 3's rule does the same without sharpening.
    </p>
    <p>
      <strong>Measured without further training,</strong> PI is worst though it has no new angle: here what a model has
      learned of neighbours counts more. (The lab's models are small, with six pairs a head.) Large models are
      trained a little more, and then PI works, too.
    </p>
  `,
  prompt: (stretch: number) =>
    `A model trained on short texts reads ${stretch} times as far, with nothing learned anew. With which method does it do worst?`,
  why: (perplexities: string) =>
    `Perplexities: ${perplexities}. PI brings every angle back and is worst: the turn from each word to the next has shrunk.`,
  rule: "Method",
  names: { default: "none", linear: "PI", ntk: "NTK", yarn: "YaRN", llama3: "Llama 3" },
  factor: "Longer by f",
  trained: "Training length",
  base: "Base b",
  pairs: "Pairs, d/2",
  pair: "Pair i",
  slower: "slower by",
  fast: "fast: neighbours",
  slow: "never once around",
  first: "← fastest pair",
  last: "slowest pair →",
  picture: "How many times slower a method makes each pair. Left and right arrow keys choose a pair.",
  spoken: (pair: number, slower: string) => `pair ${pair}: ${slower} times slower`,
  pairOf: (pair: number) => `Pair ${pair}:`,
  rotations: "rotations in training",
  measured: (length: number, stretch: number) => `measured: perplexity, ${length} → ${length * stretch} characters`,
  within: (perplexity: string) => `Line: ${perplexity}, at the training length`,
  describe: (o: { readonly rule: string } & ReturnType<typeof facts>) =>
    `${o.rule}: ${o.squeezed} of ${o.pairs} pairs are fast and yet slower, ${o.unseen} meet new angles between positions ${o.trained} and ${o.reach}.${o.attentionFactor === "" ? "" : ` Attention factor ${o.attentionFactor}.`} Bars: lower is better; the line is ${o.within}, at the training length.`,
};
