import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, row, sub } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      <strong>The curves show the score of a word m words back: thin lines at single distances, thick their
      trend.</strong> Between like vectors it fades, on average, with distance, so that near words count more.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Why it fades.</strong> At distance 0 all pairs agree. A few words away the fast pairs point elsewhere and
      cancel; further away slower ones follow. For vectors of ones the score is a mean of cosines:
    </p>
    ${display(row(frac("2", "d"), "∑", "cos", row("m", sub("θ", "i"))))}
    <p>
      <strong>A larger ${term("base", "base")}, a later fall.</strong> Slower pairs cancel later: one reason why models for long texts raise it.
    </p>
    <p>
      <strong>A tendency, not a rule.</strong> No curve only falls. Between two random vectors there is nothing to fade. And the point
      where all pairs agree need not be distance 0: a head whose query and key differ by a turn has it elsewhere. The RoFormer paper
      proves a bound alone, and draws that it falls.
    </p>
  `,
  pairs: "Pairs d/2",
  base: "First base",
  otherBase: "Second base",
  vectors: "Query and key",
  kinds: { ones: "all ones", same: "one random vector", random: "two random vectors" },
  seed: "Seed",
  reach: "Farthest distance",
  distance: "Distance m",
  distanceAxis: "distance m, words back",
  curve: (base: string) => `base ${base}`,
  score: "score, as a share of |q||k|",
  canvas:
    "Score by distance. Left and right arrows go to the next computed distance, Page Up and Page Down fifty of them, Home and End to the first and the last.",
  describe: (distance: string, scores: readonly (readonly [base: string, score: string])[]) =>
    `At distance ${distance} the score is ${scores.map(([base, score]) => `${score} (base ${base})`).join(" and ")}.`,
};
