import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sqrt, sub, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Rows are ${term("query", "queries", ",")} columns are keys: every diagonal has one number, because only the offset
      ${math("j", "−", "i")} counts. Choose a cell, or move with the arrow keys, to mark its diagonal.
    </p>
  `,
  outro: () => html`
    <p>
      Another way to give an attention layer the order: do not number the words, but give each pair of words a number that
      depends on how far apart they are. The number is added to the score of query ${math("i")} and key ${math("j", ",")} or
      picks a vector from a table:
    </p>
    ${display(row("softmax", "(", frac(row("Q", sup("K", "⊤")), sqrt(sub("d", "k"))), "+", "R", ")", "V"))}
    ${display(row(sub("R", row("i", "j")), "=", "r", "(", "j", "−", "i", ")"))}
    <p>
      <strong>A few numbers suffice.</strong> A text of ${math("n")} words has ${math(sup("n", "2"))} pairs but only
      ${math("2", "n", "−", "1")} offsets, so nobody has to store the matrix. Clipping needs still fewer: beyond
      ${math("k")} all offsets share a number. T5 has ${term("t5", "buckets")} that grow wider with distance and learns a bias for each of
      them and each head. ${term("alibi", "ALiBi")} and KERPLE have a formula: a straight line down for the one, a curve with two learned numbers
      for the other. What has a formula or a last bucket is also defined at distances that training never saw.
    </p>
    <p>
      <strong>With a sign or without.</strong> ALiBi and KERPLE give ${math("j", "−", "i")} and ${math("i", "−", "j")} the
      same bias; in a decoder nothing is lost, because a query sees only the keys before it. Encoders want to know which word is
      first, and T5 spends half of its buckets on that.
    </p>
  `,
  method: "Method",
  methods: {
    alibi: "ALiBi",
    offset: "j − i",
    clip: "clipped",
    t5: "T5 buckets",
    kerple: "KERPLE",
    learned: "learned biases",
  },
  size: "Words n",
  clip: "Farthest offset k",
  buckets: "Buckets",
  maxDistance: "Farthest distance",
  direction: "Keys after the query",
  directions: { both: "own buckets (encoder)", past: "bucket 0 (decoder)" },
  t5Hint: "T5 has 32 buckets and a farthest distance of 128.",
  heads: "Heads",
  head: "Head",
  kernel: "Kernel",
  kernels: { logarithmic: "logarithmic", power: "power" },
  r1: "r₁",
  r2: "r₂",
  biases: "One bias per offset",
  biasOf: (offset: string) => `Bias of offset ${offset}`,
  learnedHint:
    "Offsets beyond ±7 share the last bias. With the matrix in focus, + and − change the bias of the chosen diagonal by 0.1.",
  queryAxis: "query i",
  keyAxis: "key j",
  offsetAxis: "offset j − i",
  valueAxis: "value",
  diagonal: "Cells on this diagonal that have this value",
  equal: (count: number, all: number) => `${count} of ${all}`,
  counted: (pairs: number, values: number) => `${pairs} pairs, ${values} values`,
  pairs: "Pairs n², and values that suffice, 2n − 1",
  constant: "Cells that differ from the rest of their diagonal",
  slope: "Slope m of this head",
  matrix:
    "Matrix of relative positions, queries down, keys across. Arrow keys move to another cell, Home and End along the row; the cell's diagonal is marked.",
  colours: {
    signed: "Orange or red is negative, purple or blue is positive, pale is near zero.",
    amounts: "The darker a cell, the farther its number is below zero.",
    buckets: (count: number) =>
      `${count} buckets: a number here is a name, so each has a colour of its own${count > 12 ? ", which comes back twelve buckets later" : ""}.`,
  },
  curve: "The same numbers by offset",
  alike: {
    prompt: (buckets: number) =>
      `T5 sorts all distances into ${buckets} buckets and learns one bias for each. Which two distances back does it not distinguish?`,
    answer: (near: number, far: number) => `${near} and ${far}`,
    why: (found: readonly (readonly [pair: string, buckets: readonly number[]])[]) =>
      `${found
        .map(([pair, [near, far]]) =>
          near === far ? `${pair} share bucket ${near}` : `${pair} are in buckets ${near} and ${far}`,
        )
        .join("; ")}. Near by, each distance has a bucket of its own; farther away, buckets grow wider.`,
  },
  describe: (o: { method: string; size: number; equal: number; offset: string; sentence: string; colours: string }) =>
    `${o.method} for ${o.size} words. ${o.colours} All ${o.equal} cells with offset ${o.offset} have the same value. Chosen: ${o.sentence}.`,
};
