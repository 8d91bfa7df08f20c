import { html } from "lit-html";
import { claim } from "../../core/claim";
import { plain } from "../../core/format";
import { term } from "../../core/glossary/term";
import { frac, math, row, sqrt, sub, sup } from "../../draw/math";
import { relativeRotation, rotation } from "./formulas";

export const en = {
  intro: () => html`
    <p>
      Three tokens attend to one another: queries and ${term("key", "keys")} are rotated, from dashed to solid, values are not. Rotate all together, then
      rotate the values too, and see what becomes of the outputs.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Why not the values?</strong> Rotated by the same angle, a query and a key keep their score: where the pair is in
      the text drops out. A ${term("value", "value")} is not compared with anything. It is summed up, and a rotated value brings its absolute
      position into the output: move the text, and the outputs turn with it.
    </p>
    <p>
      ${claim("C11", "Post C")} does this for three tokens with two dimensions, rotated by
      10, 20 and 30 degrees; the figure starts from its numbers.
    </p>
    <p>
      <strong>Only differences count.</strong> Rotation keeps the lengths of arrows, so their dot product changes with the angle between them alone. Add the same angle to
      all tokens with the “all together” slider: all arrows rotate, and every attention weight stays what it was, except
      for rounding in the last bits:
    </p>
    ${relativeRotation()}
    <p>
      So positions enter the score of two tokens only by their difference, beside the words themselves. Set all three angles to the same value and both tables of weights agree.
    </p>
    <p>
      <strong>What is learned?</strong> ${math(sub("W", "q"))} and ${math(sub("W", "k"), ",")} which make the arrows; the rotation has nothing to
      learn. Change them under “More settings”: the weights change, and still stay as they are when all tokens rotate together.
    </p>
    <p>
      The weights are ${math("softmax", "(", row("Q′", sup("K′", "⊤")), "/", sqrt("d"), ")")} with
      ${math("d", "=", "2", ";")} the output is the weights times ${math("V", ".")} Queries, keys and values are
      ${math(row("x", sup("W", "⊤")), ",")} as in ${claim("C11", "the post's program")}. In a model with ${math("d")} dimensions there are
      ${math(frac("d", "2"))} such planes, each rotating at a speed of its own, the speeds of the waves above.
    </p>
    <details>
      <summary>The rotation as a formula</summary>
      ${rotation()}
    </details>
  `,
  plane: "Q and K of three tokens before and after rotation",
  handle: (name: string) => `Angle of ${name}`,
  angle: (token: number, word: string) => (word === "" ? `Token ${token}` : `${token} ${word}`),
  shift: "All together",
  none: "none",
  noShift: "Move “All together” to rotate all tokens by the same angle.",
  drift: "Largest change of any weight by this common rotation:",
  tokens: "Tokens",
  entry: (name: string) => (line: number, column: number) => `${name}, row ${line}, column ${column}`,
  toPost: "Back to the post's numbers",
  values: "Values",
  valueChoices: { kept: "as they are", rotated: "rotated too" },
  outputDrift: "of any output:",
  output: "Output",
  withRotation: "Attention weights with rotation",
  withoutRotation: "Attention weights without rotation",
  legend: {
    q: { before: "Q before", after: "Q′ after" },
    k: { before: "K before", after: "K′ after" },
  },
  describe: (angles: readonly string[], shift: number) =>
    `Twelve arrows: queries end in a triangle, keys in a circle; dashed before, solid after rotation by ${angles.join(", ")}${
      shift === 0 ? "" : ` and all together by ${plain(shift)}°`
    }.`,
};
