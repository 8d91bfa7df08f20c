import { html } from "lit-html";
import { claim } from "../../core/claim";
import { plain } from "../../core/format";
import { term } from "../../core/glossary/term";
import { frac, math, row, sqrt, sup } from "../../draw/math";
import { relativeRotation, rotation } from "./formulas";

export const en = {
  intro: () => html`
    <p>
      Each word has two arrows, a query and a ${term("key", "key")}, and its position rotates both, from dashed to solid. Drag a solid arrow by its
      tip, or use the arrow keys or the sliders.
    </p>
  `,
  outro: () => html`
    <p>
      Rotary position embedding (${term("rope", "RoPE")}) leaves the words alone and rotates the queries and keys instead: the further
      along a token is, the further its arrows are rotated. Positions then change the score of two tokens only through the
      angle between their arrows, and so through how far apart the tokens are. ${claim("C11", "Post C")} does this for three tokens with two dimensions, rotated by
      10, 20 and 30 degrees; the figure starts from its numbers.
    </p>
    <p>
      <strong>Only differences count.</strong> Rotation keeps the lengths of arrows, so their dot product changes with the angle between them alone. Add the same angle to
      all tokens with the “all together” slider: all arrows rotate, and every attention weight stays what it was, except
      for rounding in the last bits:
    </p>
    ${relativeRotation()}
    <p>
      So positions enter the score of two tokens only by their difference. Set all three angles to the same value and both tables of weights agree.
    </p>
    <p>
      The weights are ${math("softmax", "(", row("Q′", sup("K′", "⊤")), "/", sqrt("d"), ")")} with
      ${math("d", "=", "2")}; the output is the weights times ${math("V")}. Queries, keys and values are
      ${math(row("x", sup("W", "⊤")))}, as in ${claim("C11", "the post's program")}. In a model with ${math("d")} dimensions there are
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
  projections: { Q: "Queries", K: "Keys" },
  token: "Token",
  after: "(rotated)",
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
