import { html, type TemplateResult } from "lit-html";
import { linkToPage } from "./pages";

/** Makes words of a figure, which name what a post says, a link to that checked statement; the statement links back. */
export function claim(id: string, words: string): TemplateResult {
  const page = linkToPage("checked", { at: "" });
  return html`<a href="${page}${page.endsWith("#") ? "" : "&"}claim=${id}">${words}</a>`;
}
