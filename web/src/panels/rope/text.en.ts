import { html } from "lit-html";
import { claim } from "../../core/claim";
import { plain } from "../../core/format";
import { term } from "../../core/glossary/term";
import { math, row, sqrt, sub, sup } from "../../draw/math";
import { relativeRotation } from "./formulas";

export const en = {
  intro: () => html`
    <p>
      <strong>Slide “all together”: queries and keys turn, and the three outputs stay. Then rotate the values too, and slide
      again.</strong> Three ${term("token", "tokens")} attend to one another; triangles are queries, circles ${term("key", "keys", ".")}
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Why not the values?</strong> A query and a key turned by the same angle keep their score: where the pair is in the
      text drops out. A ${term("value", "value")} is compared with nothing. It is summed up, and a rotated value brings its absolute position
      into the output: move the text, and the outputs turn with it.
    </p>
    ${relativeRotation()}
    <p>
      <strong>What is learned?</strong> ${math(sub("W", "q"))} and ${math(sub("W", "k"), ",")} which make the arrows; the rotation has nothing to
      learn. The weights are ${math("softmax", "(", row("Q′", sup("K′", "⊤")), "/", sqrt("d"), ")", ",")} the output is
      the weights times ${math("V", ".")} The numbers are those of ${claim("C11", "one post")}.
    </p>
  `,
  prompt: "The values are rotated too, and the text moves on: all three turn by 90° more. What changes?",
  answers: { weights: "Attention weights", outputs: "Outputs", both: "Both" },
  why: (weights: string, outputs: string) =>
    `Weights change by ${weights}, outputs by up to ${outputs}: a common turn drops out of every score, but a value carries it into the sum.`,
  plane: "Q and K of three tokens before and after rotation",
  planeTitle: "Queries and keys",
  outputs: "Outputs of the three tokens",
  handle: (name: string) => `Angle of ${name}`,
  angle: (token: number, word: string) => (word === "" ? `Token ${token}` : `${token} ${word}`),
  shift: "All together",
  none: "none",
  tokens: "Tokens",
  entry: (name: string) => (line: number, column: number) => `${name}, row ${line}, column ${column}`,
  values: "Values",
  valueChoices: { kept: "as they are", rotated: "rotated too" },
  describe: (o: { angles: readonly string[]; shift: number; keepsWeights: boolean; keepsOutputs: boolean }) =>
    `Dashed before, solid after rotation by ${o.angles.join(", ")}${o.shift === 0 ? "." : ` and all together by ${plain(o.shift)}°: attention weights ${o.keepsWeights ? "stay as they were" : "have changed"}, outputs ${o.keepsOutputs ? "stay" : "turn with the text"}.`}`,
};
