import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      <strong>One dial is one pair of dimensions, one arrow a position.</strong> Each pair turns at a speed of its own: arrows
      that lie together have not moved yet.
    </p>
  `,
  outro: () => html`
    <p>
      A real ${term("head", "head")} mostly has 64 to 256 dimensions. RoPE takes them in pairs, and pair ${math("i")}
      turns at each position by
    </p>
    ${display(row(sub("θ", "i"), "=", frac("1", sup("b", row("2", "i", "/", "d")))))}
    <p>
      radians, as the waves above. ${claim("C12", "One post")} draws this for twelve dimensions of 5.
    </p>
    <p>
      <strong>From a second hand to a calendar.</strong> The first pair is once around in 6.3 positions; the last ones barely move
      within ten. Together they tell near and far apart.
    </p>
    <p>
      <strong>Which dimensions are a pair?</strong> Neighbours, 2i and 2i + 1, in RoFormer; i and i + d/2 in GPT-NeoX and in Llama as Hugging Face has
      it. The mix-up gives wrong scores and no error, which is why the library has no default for it.
    </p>
  `,
  count: "Pairs, d/2",
  value: "Value of every dimension",
  base: "Base b",
  layout: "Layout: a pair is",
  layouts: { interleaved: "neighbours", half: "from both halves" },
  positions: "Positions",
  position: (_line: number, column: number) => `Position ${column} of 0 to 4`,
  planes:
    "Planes of the pairs with an arrow for each position. Left and right arrow keys choose the pair, up and down the position.",
  roledescription: "planes",
  title: (dims: readonly [number, number]) => `${dims[0]} and ${dims[1]}`,
  pair: "Pair i",
  which: "Position",
  describe: (dim: number, positions: readonly string[], value: string, first: string, last: string) =>
    `${dim} dimensions, each of them ${value}, at positions ${positions.join(", ")}. Above each dial are its dimensions and its angle per position, from ${first}° to ${last}°.`,
};
