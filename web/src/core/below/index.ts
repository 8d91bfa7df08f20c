import { effect, untracked } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { frameCode } from "../embed/code";
import { language, text } from "../i18n";
import type { Panel, PanelCode } from "../panel";
import { type Row, writeLink } from "../state";
import { copied, copy } from "./copy-box";
import { dataTable } from "./data-table";
import { download, fileKinds } from "./files";
import { en } from "./text.en";
import { zh } from "./text.zh";

/* What is unfolded below a figure; fetched when a reader first asks for a part of it. */

/** The parts that can be unfolded: the table and the menu by buttons of the figure, the others by buttons of the menu. */
export type Fold = "table" | "menu" | "code" | "embed";

/** A figure with parts unfolded below it. */
interface Unfolded {
  readonly id: string;
  readonly title: string;
  readonly panel: Panel;
  readonly body: Element;
  readonly uses: readonly Row[];
  readonly folds: ReadonlySet<Fold>;
  /** A button that unfolds a part or folds it again. */
  readonly folding: (fold: Fold, label: string) => TemplateResult;
  readonly redraw: () => void;
}

/** Redraws the figures with unfolded parts: a copy changes the labels of all copy buttons. */
const redrawn = new Set<() => void>();
effect(() => {
  copied.value;
  untracked(() => {
    for (const redraw of redrawn) redraw();
  });
});

/** The function that draws code, once it is fetched. */
let writer: Awaited<ReturnType<PanelCode["fetch"]>> | undefined;

/** Draws a figure's code; it follows once the module that writes it is fetched. */
function codeOf({ id, title, redraw }: Unfolded, { fetch, computation }: PanelCode) {
  if (writer) return writer.codeOf(id, title, computation(), redraw);
  fetch().then((fetched) => {
    writer = fetched;
    redraw();
  }, console.error);
  return nothing;
}

/** Copies the link to a figure; without access to the clipboard it goes into the address bar, and the button says so. */
function copyLink(id: string): Promise<void> {
  const link = writeLink({ at: id, language: language.value });
  return copy(`${id}-link`, new URL(link, location.href).href, () => {
    history.replaceState(null, "", link);
    copied.value = `${id}-address`;
  });
}

/** A file that could not be made is named in place of the figure's link: nothing fails without a word. */
const report = (error: unknown) => {
  console.error(error);
  copied.value = "no-file";
};

/** The one menu of a figure: its files, code, frame and link. */
function menu(figure: Unfolded): TemplateResult {
  const { id, title, panel, body, uses, folds, folding } = figure;
  const words = { en, zh }[language.value];
  const outcome = { "no-file": words.noFile, [`${id}-link`]: words.linked, [`${id}-address`]: words.inAddress }[
    copied.value
  ];
  return html`<div class="menu">
    <div class="tools" role="group" aria-label=${text.value.menu}>
      ${fileKinds.map(
        (kind) => html`<button
            type="button" data-tool=${kind} @click=${() => download(panel, body, `posenc-${id}`, kind).catch(report)}
          >${words.files[kind]}</button>`,
      )}
      ${panel.code ? folding("code", words.code) : nothing} ${folding("embed", words.embed)}
      <button type="button" data-tool="link" @click=${() => copyLink(id)}>${outcome ?? words.link}</button>
      <span class="visually-hidden" role="status">${outcome ?? nothing}</span>
    </div>
    ${panel.code && folds.has("code") ? codeOf(figure, panel.code) : nothing}
    ${folds.has("embed") ? frameCode(id, title, uses) : nothing}
  </div>`;
}

/** Draws the parts unfolded below a figure. */
export function below(figure: Unfolded): TemplateResult {
  const { title, panel, folds, redraw } = figure;
  redrawn.add(redraw);
  return html`${folds.has("menu") ? menu(figure) : nothing}
    ${folds.has("table") ? dataTable(panel.rows(), title) : nothing}`;
}
