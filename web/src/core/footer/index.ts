import { untracked } from "@preact/signals-core";
import { html, render } from "lit-html";
import { version } from "posenc/package.json";
import { link } from "../history";
import { language, text } from "../i18n";
import { isAlone, linkToPage } from "../pages";
import { en } from "./text.en";
import { zh } from "./text.zh";

const texts = { en, zh };

const licences = () => document.querySelector<HTMLTemplateElement>("#licences")?.content.textContent;

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
      ${
        // The single file has its licences inside.
        isAlone
          ? html`<details><summary>${words.licences}</summary><pre tabindex="0" role="region" aria-label=${words.licences}>${licences()}</pre></details>`
          : html`<p><a href=${tools()}>${words.numbers}</a></p>
              <p><a href="./api/index.html">${words.reference}</a></p>
              <p><a href="./licences.txt">${words.licences}</a></p>`
      }
      <p class="version">${text.value.version(version)}</p>
    `,
    document.getElementById("footer") as HTMLElement,
  );
}
