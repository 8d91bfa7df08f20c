import { html, render } from "lit-html";
import { version } from "posenc/package.json";
import { language, text } from "../i18n";
import { en } from "./text.en";
import { zh } from "./text.zh";

const texts = { en, zh };
/** The single-file page has no reference beside it, and its licences inside. */
const isAlone = import.meta.env.MODE === "single";

const licences = () => document.querySelector<HTMLTemplateElement>("#licences")?.content.textContent;

/** The footer: where the examples come from, the library's reference and version. */
export function footer(): void {
  const words = texts[language.value];
  render(
    html`
      <h2>${words.sources}</h2>
      <ul>
        ${words.sourceList.map((source) => html`<li>${source}</li>`)}
      </ul>
      ${
        isAlone
          ? html`<details><summary>${words.licences}</summary><pre tabindex="0" role="region" aria-label=${words.licences}>${licences()}</pre></details>`
          : html`<p><a href="./api/index.html">${words.reference}</a></p>
              <p><a href="./licences.txt">${words.licences}</a></p>`
      }
      <p class="version">${text.value.version(version)}</p>
    `,
    document.getElementById("footer") as HTMLElement,
  );
}
