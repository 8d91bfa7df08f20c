import { html, type TemplateResult } from "lit-html";
import { copyBox } from "../below/copy-box";
import { language } from "../i18n";
import { page } from "../page-state";
import { type Row, writeLink } from "../state";
import { en } from "./text.en";
import { zh } from "./text.zh";

/** Pixels of height that are left for the line below the figure. */
const line = 80;

/** The height of a figure with its heading and tools, without what is unfolded below it. */
function heightOf(id: string): number {
  const section = document.getElementById(id) as HTMLElement;
  const tools = section.querySelector("figure > .tools") as HTMLElement;
  const { top } = (section.firstElementChild as HTMLElement).getBoundingClientRect();
  return Math.ceil((tools.getBoundingClientRect().bottom - top + line) / 10) * 10;
}

const quoted = (text: string) => `"${text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")}"`;

/** The code of a frame that shows a figure as it is now. Of the state it has what the figure uses, and nothing else of the reader's. */
export function frameCode(id: string, title: string, uses: readonly Row[]): TemplateResult {
  const { code, note } = { en, zh }[language.value];
  const state = writeLink({ language: language.value }, [...Object.values<Row>(page), ...uses]);
  const address = new URL(`./index.html?embed=${id}${state}`, location.href).href;
  // Frames of other origins may not copy unless they are allowed to.
  const frame = `<iframe src=${quoted(address)} title=${quoted(title)} width="100%" height="${heightOf(id)}" loading="lazy" allow="clipboard-write" style="border: 0"></iframe>`;
  return html`<div class="frame-code">
    <p class="note">${note}</p>
    ${copyBox(`${id}-frame`, code(title), frame)}
  </div>`;
}
