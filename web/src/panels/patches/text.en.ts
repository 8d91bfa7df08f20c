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
      <strong>Axial or mixed.</strong> Axial rotation gives each pair one direction: some rotate with the row, the others with the
      column. The picture shows crosses, since patches of the same row or column stay alike whatever their distance. Mixed
      rotation gives each pair a direction of its own, learned in training and here drawn from a seed, as training begins: the
      crosses go. Either way the score depends on Δy and Δx alone, as ${claim("C16", "post C")} says.
    </p>
  `,
  rule: "Rotation",
  rules: { axial: "axial", mixed: "mixed" },
  rows: "Rows of patches",
  columns: "Columns of patches",
  pairs: "Pairs for each axis, d/4",
  base: "Base b",
  seed: "Seed",
  chosenRow: "Chosen: row",
  chosenColumn: "Chosen: column",
  overRow: "Compared: row",
  overColumn: "Compared: column",
  fallOff: (near: TemplateResult, far: TemplateResult) =>
    html`Similarity falls off along rows and along columns: one column away it is ${near}, at the farthest corner ${far}.`,
  drift: (y: string, x: string) => `Largest change of any score when the image moves by (${y}, ${x}), by rounding`,
  label: "Similarity of the chosen patch with all others. Arrow keys move to another patch, Enter or Space chooses it.",
  roledescription: "grid of patches",
  describe: (height: number, width: number, rule: string, chosen: string, low: string, high: string) =>
    `${height} × ${width} patches, ${rule} rotation. Similarity with patch (${chosen}), from ${low} to ${high} among the others. Purple or blue is alike, orange or red is opposed.`,
};
