import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Each pair of dimensions is a plane of its own that rotates at its own speed, with an arrow for each position. Point at an
      arrow, or use the arrow keys: left and right for the pair, up and down for the position.
    </p>
  `,
  outro: () => html`
    <p>
      A real ${term("head", "head")} has many dimensions. RoPE takes them in pairs, and pair ${math("i")} rotates at each position by this many
      radians:
    </p>
    ${display(row(sub("θ", "i"), "=", frac("1", sup("b", row("2", "i", "/", "d")))))}
    <p>
      ${claim("C12", "Post C")} draws this for twelve dimensions, all of them 5, at positions 0, 1, 2, 5 and 10: six planes. Here they are,
      computed.
    </p>
    <p>
      <strong>From a second hand to a calendar.</strong> The first pair rotates by one radian per position and completes a
      rotation in about 6.3 positions. The last ones barely move within ten positions: their arrows lie on top of each other, and their labels share one
      place. Raise the positions into the thousands to see them move.
    </p>
    <p>
      <strong>Which dimensions are a pair?</strong> Neighbours, 2i and 2i + 1, in RoFormer and in ${claim("C10", "this post's program")};
      i and i + d/2 in GPT-NeoX and in Llama as Hugging Face has it. With all dimensions equal both draw the same planes, only the
      dimensions' numbers change. With real vectors the mix-up gives wrong scores and no error, which is why the library has no
      default for it.
    </p>
  `,
  count: "Pairs, d/2",
  value: "Value of every dimension",
  base: "Base b",
  layout: "Layout: a pair is",
  layouts: { interleaved: "neighbours", half: "from both halves" },
  positions: "Positions",
  position: (_line: number, column: number) => `Position ${column + 1} of 5`,
  toPost: "Back to the post: ones(12) · 5",
  planes:
    "Planes of the pairs with an arrow for each position. Left and right arrow keys choose the pair, up and down the position.",
  roledescription: "planes",
  title: (dims: readonly [number, number]) => `dimensions ${dims[0]} and ${dims[1]}`,
  pair: "Pair i",
  which: "Position to read out",
  cosSin: "The factors are cos θ and sin θ, of the exact angle.",
  describe: (dim: number, positions: readonly string[], value: string, first: string, last: string) =>
    `${dim} dimensions, each of them ${value}, at positions ${positions.join(", ")}. The first pair rotates by ${first}° per position, the last by ${last}°. The number above each plane is its angle per position.`,
};
