import { html, type TemplateResult } from "lit-html";
import { claim } from "../../core/claim";
import { meanCosine } from "./formulas";

export const en = {
  intro: () => html`
    <p>
      <strong>Press a patch: colours say how alike the others are to it, by place alone.</strong> An image is cut into patches, and
      RoPE rotates each by its row and its column. Point at another to read its number; arrow keys move and Enter chooses.
    </p>
  `,
  outro: () => html`
    <p>
      An image has two directions. RoPE follows: a patch in row y and column x is rotated by both. With equal vectors in
      all patches, the score of two of them is the mean of cosines, one for each pair of dimensions:
    </p>
    ${meanCosine()}
    <p>
      <strong>Why a cross?</strong> Each pair has one direction: half of them rotate with the row, half with the column. So patches
      of one row or column are more alike than others as far away. The score depends on Δy and Δx alone, as ${claim("C16", "post C")}
      says: move the whole image, and no colour changes.
    </p>
  `,
  rows: "Rows of patches",
  columns: "Columns of patches",
  pairs: "Pairs for each axis, d/4",
  base: "Base b",
  chosenRow: "Chosen: row",
  chosenColumn: "Chosen: column",
  overRow: "Compared: row",
  overColumn: "Compared: column",
  fallOff: (near: TemplateResult, far: TemplateResult) =>
    html`Similarity falls off along rows and along columns: one column away it is ${near}, at the farthest corner ${far}.`,
  label: "Similarity of the chosen patch with all others. Arrow keys move to another patch, Enter or Space chooses it.",
  roledescription: "grid of patches",
  describe: (height: number, width: number, chosen: string, low: string, high: string) =>
    `${height} × ${width} patches. Similarity with patch (${chosen}), from ${low} to ${high} among the others. Purple is alike, orange is opposed.`,
};
