import { html, type TemplateResult } from "lit-html";
import { linkTo } from "./history";
import { text } from "./i18n";

/** A heading with a link to its figure; the link's sign is in the style sheet, so that it is no part of the text. */
export const anchored = (title: string, id: string): TemplateResult =>
  html`${title}<a class="anchor" href=${linkTo(id)} aria-label="${text.value.linkTo} ${title}"></a>`;

/** The heading of a figure; its name is without the link's. */
export const heading = (id: string, title: string): TemplateResult =>
  html`<h3 class="panel-title" id="${id}-title" tabindex="-1" aria-label=${title}>${anchored(title, id)}</h3>`;
