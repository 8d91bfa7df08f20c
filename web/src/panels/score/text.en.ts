import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { bold, display, math, row, sub } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Rotary position embedding ${term("rope", "RoPE", ")", "(")} adds nothing to the words: it rotates a query and a key by their positions. Slide
      both along, and the arrows rotate while the ${term("logit", "score")} stays the same. Press play, or drag a dashed arrow by its tip; arrow keys move it, with Shift ten times as far.
    </p>
  `,
  outro: () => html`
    <p>
      The query is at position ${math("m", ",")} the key at position ${math("n", ",")} and each is rotated by its position times
      a fixed angle. Their score is then
    </p>
    ${display(row(row(bold("q"), "′", "·", bold("k"), "′"), "=", row("(", bold("q"), "·", bold("k"), ")"), "cos", "Δ"))}
    ${display(row("−", row("(", bold("q"), "×", bold("k"), ")"), "sin", "Δ"))}
    <p>
      Here ${math("Δ")} is the angle between the two rotations, ${math(row("(", "n", "−", "m", ")"))} times the angle per
      position, and ${math(row(bold("q"), "×", bold("k")))} is
      ${math(row(sub("q", "0"), sub("k", "1"), "−", sub("q", "1"), sub("k", "0")), ".")} Neither ${math("m")} nor
      ${math("n")} occurs alone.
    </p>
    <p>
      <strong>So the score knows the words and their distance.</strong> It depends on both vectors, their lengths and the angle
      between them; positions enter it by ${math(row("n", "−", "m"))} alone. The vectors are learned, by ${math(sub("W", "q"))} and ${math(sub("W", "k"), ",")} the
      rotation is not.
    </p>
    <p>
      <strong>The second term belongs there.</strong> ${claim("C9", "Post C")} also prints a shorter rule,
      ${math(row("(", bold("q"), "·", bold("k"), ")"), "cos", "Δ", ".")} That is right only when ${math(bold("q"))} and
      ${math(bold("k"))} point the same or the opposite way, or when ${math("Δ")} is a multiple of 180°. Lay one arrow on
      the other and the two agree.
    </p>
  `,
  plane: "A query and a key in the plane, before and after rotation",
  handle: (name: string) => `Tip of ${name}`,
  slide: "Slide both",
  none: "none",
  slideAxis: "slide",
  scoreAxis: "score",
  trace: "Score at every slide. Left and right arrow keys slide both positions.",
  together: "both slide",
  keyAlone: "the key alone slides",
  spoken: (slide: string, score: string, alone: string) =>
    `slide ${slide}: score ${score}; with the key alone, ${alone}`,
  queryAt: "Query at m",
  keyAt: "Key at n",
  angle: "Angle per position",
  entry: (name: string) => (_line: number, column: number) => `${name}, dimension ${column}`,
  toPost: "Back to the post: 10° and 30°",
  rotation: "Position → angle",
  drift: (count: number) => `Largest change of the score over ${count} slides, by rounding`,
  shortened: "Post C's shorter rule, (q · k) cos Δ",
  swap: {
    prompt: (query: string, key: string) =>
      `Now the two change places: the query goes to position ${query}, the key to ${key}. What does the score do?`,
    answers: { stays: "It stays the same", changes: "It changes" },
    changes: (before: string, after: string, angle: string) =>
      `From ${before} it goes to ${after}: the key is now rotated by ${angle}° against the query, and the term with the sine changes its sign. A rotation distinguishes before from after.`,
    stays: (score: string) =>
      `It stays ${score}: here the term with the sine, which alone distinguishes before from after, is 0.`,
  },
  describe: (positions: readonly string[], degrees: readonly string[], score: string) =>
    `Query at position ${positions[0]}, rotated by ${degrees[0]}°; key at position ${positions[1]}, rotated by ${degrees[1]}°. Dashed: before; solid: after. The score is ${score} wherever you slide them: the wedge between the solid arrows keeps its angle.`,
};
