import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { bold, display, frac, math, row, sub } from "../../draw/math";
import { bar, bound } from "./formulas";

export const en = {
  intro: () => html`
    <p>
      Between equal vectors, the score falls on average as the key moves away from the query, then swings about; the bound that
      the RoFormer paper gives falls, too. Choose a distance by pointer, arrow keys or slider.
    </p>
  `,
  outro: () => html`
    <p>
      Posts and papers claim that with RoPE attention fades with distance. Between equal vectors it does, on average. The
      RoFormer paper shows something weaker, a bound that the score cannot exceed. Above are both, for two ${term("base", "bases", ".")}
      Of vectors of ones the score is a mean of cosines, where pair ${math("i")} rotates by ${math(sub("θ", "i"))} radians a position:
    </p>
    ${display(row(frac("2", "d"), "∑", "cos", row("m", sub("θ", "i"))))}
    <p>
      <strong>A tendency, not a rule.</strong> Neither curve only falls: wherever there is a tick in the strips, it is higher
      than at the computed distance before. With the larger base the fall comes later and is slower, which is one reason why
      models for long texts raise it. With two random vectors there is nothing left to fall: the score wanders about zero
      at every distance, and only the bound decays.
    </p>
    <p>
      Up to distance 200 every distance is computed, farther out 160 for each factor of ten; a wave between two of them is
      not drawn, but the numbers drawn are exact.
    </p>
    <details>
      <summary>The bound as a formula</summary>
      <p>
        With ${math(sub("h", "j"))} the product of pair ${math("j")} of query and key as complex numbers and ${math("c")} the
        largest ${math(bar(sub("h", row("j", "+", "1")), "−", sub("h", "j")), ",")} the score at distance ${math("m")} obeys
      </p>
      ${bound()}
      <p>
        The first factor depends on the words, the second on the distance alone. The plot of the bound shows that sum as a share
        of its value at distance 0, the plot of the score the score itself as a share of
        ${math(bar(bold("q")), bar(bold("k")), ".")}
      </p>
    </details>
  `,
  lines:
    "Thick: the mean around each distance, up to 1.25 times as far or as near. Band: from trough to trough and from peak to peak. Thin: every computed value.",
  pairs: "Pairs d/2",
  base: "First base",
  otherBase: "Second base",
  vectors: "Query and key",
  kinds: { ones: "all ones", same: "one random vector", random: "two random vectors" },
  seed: "Seed",
  reach: "Farthest distance",
  distance: "Distance m",
  distanceAxis: "distance m",
  boundTitle: "Bound: Σ|S(m)| as a share of Σ|S(0)|",
  scoreTitle: "Score: q·R(m)k as a share of |q||k|",
  riseStrip: "rises, for each base",
  curve: (base: string) => `base ${base}`,
  atDistance: (distance: string) => `At distance ${distance}`,
  bound: "bound",
  score: "score",
  line: "curve",
  value: "value",
  firstRise: "first rise",
  rises: "rises",
  risesOf: (count: number, all: number) => `${count} of ${all} steps`,
  never: "none",
  canvas:
    "Curves of bound and score by distance. Left and right arrows go to the next computed distance, Page Up and Page Down fifty of them, Home and End to the first and the last.",
  describe: (o: {
    dims: number;
    reach: string;
    bases: readonly string[];
    vectors: string;
    distance: string;
    scores: readonly (readonly string[])[];
  }) =>
    `Long-term decay of RoPE with ${o.dims} dimensions, bases ${o.bases.join(", ")}, ${o.vectors}, distances 1 to ${o.reach} on a logarithmic axis. At distance ${o.distance} the score is ${o.scores.map(([base, score]) => `${score} (base ${base})`).join(" and ")}.`,
};
