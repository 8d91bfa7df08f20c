import { html, type TemplateResult } from "lit-html";
import { linkTo } from "./history";
import { text } from "./i18n";

/**
 * A heading with a link to its figure; the link's sign is in the style sheet, so that it is no part of the text. A Chinese
 * heading that needs two lines breaks after its colon, where its phrases end.
 */
export function anchored(title: string, id: string): TemplateResult {
  const [, before, last] = /^(.*：)?(.*)$/.exec(title) as RegExpExecArray;
  const link = html`<a class="anchor" href=${linkTo(id)} aria-label="${text.value.linkTo}${text.value.gap}${title}"></a>`;
  return before
    ? html`<span class="phrase">${before}</span><span class="phrase">${last}${link}</span>`
    : html`${last}${link}`;
}

/** The heading of a figure; its name is without the link's. */
export const heading = (id: string, title: string): TemplateResult =>
  html`<h3 class="panel-title" id="${id}-title" tabindex="-1" aria-label=${title}>${anchored(title, id)}</h3>`;
