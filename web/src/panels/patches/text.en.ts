import { html } from "lit-html";
import { display, frac, row, sub } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Each patch is coloured by its similarity with the chosen one, as RoPE sees it that rotates by row and by column. Click a
      patch to compare all others with it, point at another to read its number; with the keyboard, arrow keys move and Enter
      chooses.
    </p>
  `,
  outro: () => html`
    <p>
      An image has two directions. RoPE follows: a patch in row y and column x is rotated by both. With equal vectors in
      all patches, the score of two of them is the mean of cosines, one for each pair of dimensions:
    </p>
    ${display(
      row(
        frac(row("2"), "d"),
        "∑",
        "cos",
        row("(", "Δ", "y", "·", sub("ω", row("y", ",", "i")), "+", "Δ", "x", "·", sub("ω", row("x", ",", "i")), ")"),
      ),
    )}
    <p>
      <strong>Axial or mixed.</strong> Axial rotation gives each pair one direction: some rotate with the row, the others with the
      column. The picture shows crosses, since patches of the same row or column stay alike whatever their distance. Mixed
      rotation gives each pair a direction of its own, learned in training and here drawn from a seed, as training begins: the
      crosses go. Either way the score depends on Δy and Δx alone, as document 002 says.
    </p>
  `,
  rule: "Rotation",
  axial: "axial",
  mixed: "mixed",
  rows: "Rows of patches",
  columns: "Columns of patches",
  pairs: "Pairs for each axis, d/4",
  base: "Base b",
  seed: "Seed",
  chosenRow: "Chosen: row",
  chosenColumn: "Chosen: column",
  overRow: "Compared: row",
  overColumn: "Compared: column",
  drift: (y: string, x: string) => `Largest change of any score when the image moves by (${y}, ${x})`,
  label: "Similarity of the chosen patch with all others. Arrow keys move to another patch, Enter or Space chooses it.",
  roledescription: "grid of patches",
  mrope: "An image between text: M-RoPE",
  mropeNote:
    "Qwen2-VL gives every token three positions: time, height and width. In text the three are equal. The tokens of an image share one time index and count its rows and columns; the text behind it goes on after the largest position so far. Four patches make one token.",
  before: "Text before",
  after: "Text after",
  none: "none",
  imageRows: "Image: rows of tokens",
  imageColumns: "Image: columns of tokens",
  imageIds: "Tokens of text with their position; those of the image with time, height and width",
  ids: "Positions of every token (▦: image)",
  token: "Token",
  axes: ["time t", "height h", "width w"],
  next: "The next token's position is its index plus rope_delta:",
  describe: (height: number, width: number, rule: string, chosen: string, low: string, high: string) =>
    `${height} × ${width} patches, ${rule} rotation. Similarity with patch (${chosen}), from ${low} to ${high} among the others. Purple or blue is alike, orange or red is opposed; the image shows through.`,
};
