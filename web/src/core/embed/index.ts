import { effect, untracked } from "@preact/signals-core";
import { html, render, type TemplateResult } from "lit-html";
import { load } from "posenc";
import { followLink, link } from "../history";
import { language, languages, text } from "../i18n";
import { lazy } from "../lazy";
import type { AnyPanelModule, PanelEntry } from "../panel";
import { type Row, writeLink } from "../state";
import { followTheme } from "../theme";
import { followTouch } from "../touch";
import { texts } from "./text";
import "./style.css";

const element = (id: string) => document.getElementById(id) as HTMLElement;

/** A link to the whole page, which does not fit into a frame. */
const toPage = (hash: string, words: string) =>
  html`<a href=${location.pathname + hash} target="_blank" rel="noopener">${words}</a>`;

/** In all languages: who asked for it may have written the address by hand. */
const unknown = (asked: string): TemplateResult[] =>
  languages.map((each) => {
    const words = texts[each];
    return html`<div class="status" lang=${each} role="alert">
      <h1>${words.unknown(asked)}</h1>
      ${toPage("", words.all)}
    </div>`;
  });

/** Shows one of the panels alone, for a frame of another page: with the link's language, theme and state, and a line that leads to the page. */
export async function embed<Id extends string>(
  asked: string,
  rows: readonly Row[],
  panels: Readonly<Record<Id, PanelEntry>>,
  fetch: (id: Id) => Promise<AnyPanelModule>,
): Promise<void> {
  const id = (Object.keys(panels) as Id[]).find((each) => each === asked);
  followLink(rows);
  followTheme();
  followTouch();
  for (const part of ["contents", "header", "sentence"]) element(part).remove();
  document.body.className = "embedded";
  // Links of a figure's texts do not fit into a frame either.
  document.head.append(Object.assign(document.createElement("base"), { target: "_blank" }));
  effect(() => {
    document.documentElement.lang = language.value === "zh" ? "zh-CN" : "en";
    document.title = id ? `${panels[id].title[language.value]} · posenc` : text.value.title;
  });
  const main = element("main");
  if (!id) {
    render(unknown(asked), main);
    return;
  }
  try {
    const pe = await load();
    render(html`<section id=${id} class="waiting" aria-labelledby="${id}-title"></section>`, main);
    await lazy(element(id), panels[id], () => fetch(id), pe).open();
    // No other heading is above it here.
    element(`${id}-title`).setAttribute("aria-level", "1");
    effect(() => {
      link.value;
      const { whole } = texts[language.value];
      render(
        html`<p>${toPage(
          untracked(() => writeLink({ at: id })),
          whole,
        )}</p>`,
        element("footer"),
      );
    });
  } catch (error) {
    render(html`<p class="status" role="alert">${text.value.failed}</p>`, main);
    console.error(error);
  }
}
