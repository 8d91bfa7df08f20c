import { untracked } from "@preact/signals-core";
import { html, render } from "lit-html";
import { copyBox } from "../below/copy-box";
import { link } from "../history";
import { language } from "../i18n";
import { linkToPage } from "../pages";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { versionLine } from "./version";

/** For BibTeX; the build makes it of CITATION.cff. */
declare const CITATION: string;

const texts = { en, zh };

/** The papers that the formulas are from: title, authors and year, and its number at arXiv. */
const papers = [
  ["Attention Is All You Need", "Vaswani et al., 2017", "1706.03762"],
  ["Self-Attention with Relative Position Representations", "Shaw et al., 2018", "1803.02155"],
  ["Exploring the Limits of Transfer Learning (T5)", "Raffel et al., 2019", "1910.10683"],
  ["RoFormer: Rotary Position Embedding", "Su et al., 2021", "2104.09864"],
  ["Train Short, Test Long (ALiBi)", "Press et al., 2021", "2108.12409"],
  ["KERPLE", "Chi et al., 2022", "2205.09921"],
  ["YaRN", "Peng et al., 2023", "2309.00071"],
] as const;

/** In the same language and theme, and with the state as it last came to rest. */
function tools(): string {
  link.value;
  return untracked(() => linkToPage("tools", { at: "" }));
}

/** The footer: where the examples come from, the library's reference and version. */
export function footer(): void {
  const words = texts[language.value];
  render(
    html`
      <h2>${words.sources}</h2>
      <ul>
        ${words.sourceList.map((source) => html`<li>${source}</li>`)}
      </ul>
      <h2>${words.papers}</h2>
      <ul>
        ${papers.map(
          ([title, authors, number]) =>
            html`<li><a href="https://arxiv.org/abs/${number}" lang="en">${title}</a> (${authors})</li>`,
        )}
      </ul>
      <details class="cite">
        <summary>${words.cite}</summary>
        ${copyBox("citation", words.citation, CITATION)}
      </details>
      <p><a href=${tools()}>${words.numbers}</a></p>
      <p><a href="./api/index.html">${words.reference}</a></p>
      <p><a href="./licences.txt">${words.licences}</a></p>
      ${versionLine()}
    `,
    document.getElementById("footer") as HTMLElement,
  );
}
