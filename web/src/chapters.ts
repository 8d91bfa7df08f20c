import { signal } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { anchored } from "./core/heading";
import { language } from "./core/i18n";
import type { PanelEntry } from "./core/panel";

/** A chapter as it stands on the page. */
interface Chapter {
  readonly id: string;
  readonly title: PanelEntry["title"];
  readonly figures: readonly string[];
  /** What stands between its title and its figures. */
  readonly above?: (() => TemplateResult) | undefined;
}

/** The chapters on the page: the first figure's alone, until all others are known. */
export const onPage = signal<readonly Chapter[]>([]);

/** The placeholders of all figures. */
export function drawChapters(): void {
  const section = (id: string) => html`<section id=${id} class="waiting" aria-labelledby="${id}-title"></section>`;
  render(
    onPage.value.map(
      ({ id, title, figures, above }, place) => html`<div class="chapter" id="chapter-${id}">
        <h2 class="chapter-title">${anchored(`${place + 1}. ${title[language.value]}`, figures[0])}</h2>
        ${above?.() ?? nothing} ${figures.map(section)}
      </div>`,
    ),
    document.getElementById("main") as HTMLElement,
  );
}
