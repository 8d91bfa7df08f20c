import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sqrt, sub, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      <strong>Rows are ${term("query", "queries", ",")} columns the keys that they look at: a diagonal has one number, for its
      distance.</strong> Instead of numbering words, score each pair by its distance.
    </p>
  `,
  outro: () => html`
    <p>A number ${math("R")} is added to the score of each query ${math("i")} and key ${math("j")}:</p>
    ${display(row("softmax", "(", frac(row("Q", sup("K", "⊤")), sqrt(sub("d", "k"))), "+", "R", ")", "V"))}
    ${display(row(sub("R", row("i", "j")), "=", "r", "(", "j", "−", "i", ")"))}
    <p>
      <strong>${term("alibi", "ALiBi")}</strong> takes the same amount off for every position of distance, in each head at a rate of its own.
      <strong>${term("t5", "T5")}</strong> sorts distances into buckets, wider far away, and learns one number per
      bucket and head. Both are defined at distances that training never saw.
    </p>
    <p>
      <strong>Before and after.</strong> ALiBi gives both sides the same bias: no loss in a decoder, whose mask hides what comes
      later. A T5 encoder spends half of its buckets on telling the sides apart.
    </p>
  `,
  method: "Method",
  methods: { alibi: "ALiBi", t5: "T5", offset: "j − i" },
  size: "Positions n",
  buckets: "Buckets",
  maxDistance: "Farthest distance",
  keys: "Keys after the query",
  directions: { past: "hidden (decoder)", both: "seen (encoder)" },
  heads: "Heads",
  head: "Head, from 0",
  queryAxis: "query i",
  keyAxis: "key j",
  offsetAxis: "offset j − i",
  valueAxis: { alibi: "bias", t5: "bucket", offset: "offset" },
  matrix:
    "Matrix of relative positions, queries down, keys across. Arrow keys move to another cell, Home and End along the row; the cell's diagonal is marked.",
  colours: {
    signed: "Orange is negative, purple positive, pale is near zero.",
    amounts: "The darker a cell, the farther its number is below zero.",
    buckets: "A number here is a bucket's name, so each has a colour of its own; colours come back after twelve.",
  },
  curve: "The same numbers by offset",
  alike: {
    prompt: (buckets: number) =>
      `A T5 encoder has ${buckets} buckets, half of them for keys before the query. Which two distances back does it not tell apart?`,
    answer: (near: number, far: number) => `${near} and ${far}`,
    why: (found: readonly (readonly [pair: string, buckets: readonly number[]])[]) =>
      `${found
        .map(([pair, [near, far]]) =>
          near === far ? `${pair} share bucket ${near}` : `${pair} are in buckets ${near} and ${far}`,
        )
        .join("; ")}. Near by, each distance has a bucket of its own; farther away, buckets grow wider.`,
  },
  describe: (o: { method: string; pairs: number; values: number; offset: string; colours: string }) =>
    `${o.method}: ${o.pairs} pairs of words need ${o.values} numbers. ${o.colours} Marked: the diagonal of offset ${o.offset}.`,
};
