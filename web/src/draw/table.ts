import { html, type TemplateResult } from "lit-html";

/** A table in a region that scrolls where it is wider than its place; `name` is its class. */
export const scrollTable = (
  caption: string,
  columns: readonly unknown[],
  lines: readonly TemplateResult[],
  name = "",
): TemplateResult => html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
  <table class=${name}>
    <caption>${caption}</caption>
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${lines}</tbody>
  </table>
</div>`;
