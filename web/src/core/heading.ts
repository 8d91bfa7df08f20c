import { html, type TemplateResult } from "lit-html";
import { linkTo } from "./history";
import { text } from "./i18n";

/** The words of a heading, with a link to the figure that it stands above: its mark is the style's, to be no part of the words. */
export const anchored = (title: string, id: string): TemplateResult =>
  html`${title}<a class="anchor" href=${linkTo(id)} aria-label="${text.value.linkTo} ${title}"></a>`;

/** The heading of a figure; its name is without the link's. */
export const heading = (id: string, title: string): TemplateResult =>
  html`<h3 class="panel-title" id="${id}-title" tabindex="-1" aria-label=${title}>${anchored(title, id)}</h3>`;
