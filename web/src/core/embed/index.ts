import { effect, untracked } from "@preact/signals-core";
import { html, render } from "lit-html";
import { load } from "posenc";
import { link } from "../history";
import { language, text } from "../i18n";
import { lazy } from "../lazy";
import { followTheme } from "../page-state";
import { pageOf } from "../pages";
import type { AnyPanelModule, PanelEntry } from "../panel";
import { type Row, writeLink } from "../state";
import { followLink } from "../steps";
import { followTouch } from "../touch";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

const element = (id: string) => document.getElementById(id) as HTMLElement;

/** Shows one of the panels alone, for a frame of another page: with the link's language, theme and state, and a line that leads to the page. */
export async function embed(
  id: string,
  entry: PanelEntry,
  rows: readonly Row[],
  fetch: () => Promise<AnyPanelModule>,
): Promise<void> {
  followLink(rows);
  followTheme();
  followTouch();
  for (const part of ["contents", "header", "sentence"]) element(part).remove();
  document.body.className = "embedded";
  // Links of a figure's texts do not fit into a frame either.
  document.head.append(Object.assign(document.createElement("base"), { target: "_blank" }));
  effect(() => {
    document.documentElement.lang = language.value === "zh" ? "zh-CN" : "en";
    document.title = `${entry.title[language.value]} · posenc`;
  });
  const main = element("main");
  try {
    render(html`<section id=${id} class="waiting" aria-labelledby="${id}-title"></section>`, main);
    await lazy(element(id), entry, fetch, load).open();
    // No other heading is above it here.
    element(`${id}-title`).setAttribute("aria-level", "1");
    effect(() => {
      link.value;
      const whole = `./${pageOf(id)}.html${untracked(() => writeLink({ at: id }))}`;
      render(
        html`<p><a href=${whole} target="_blank" rel="noopener">${{ en, zh }[language.value].whole}</a></p>`,
        element("footer"),
      );
    });
  } catch (error) {
    render(html`<p class="status" role="alert">${text.value.failed}</p>`, main);
    console.error(error);
  }
}
