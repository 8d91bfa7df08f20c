import { html, type TemplateResult } from "lit-html";
import { isAlone, linkToPage } from "./pages";

/** Words of a figure that name what a document says, leading to that statement among the checked ones, which leads back. */
export function claim(id: string, words: string): TemplateResult | string {
  if (isAlone) return words;
  const page = linkToPage("checked", { at: "" });
  return html`<a href="${page}${page.endsWith("#") ? "" : "&"}claim=${id}">${words}</a>`;
}
