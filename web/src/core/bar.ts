import { html, nothing, type TemplateResult } from "lit-html";
import { link } from "./history";
import { type Language, language, text } from "./i18n";
import { page } from "./page-state";
import { otherPages } from "./pages";
import { choose, type Row } from "./state";

/** A row of buttons, one of them pressed. */
function toggle<T extends string>(
  row: Row<T>,
  label: string,
  current: string,
  options: readonly (readonly [T, string, Language?])[],
) {
  return html`<div class="toggle" role="group" aria-label=${label}>
    ${options.map(
      ([value, word, spoken]) => html`<button
        type="button"
        lang=${spoken ?? nothing}
        data-choice=${value}
        aria-pressed=${String(current === value)}
        @click=${() => choose(row, value)}
      >
        ${word}
      </button>`,
    )}
  </div>`;
}

/** The bar at the top of a page: its name, the other pages, what is the page's own, language and theme. It also sets the language of the document. */
export function bar(title: string, own?: TemplateResult) {
  const words = text.value;
  // Links to other pages have the state.
  link.value;
  const tag = language.value === "zh" ? "zh-CN" : "en";
  // Setting it, even to the same value, makes the browser recompute the style of every element.
  if (document.documentElement.lang !== tag) document.documentElement.lang = tag;
  document.title = title;
  return html`<div class="bar">
    <span class="brand">posenc</span>
    <nav class="pages" aria-label=${words.pages}>
      ${otherPages().map(([address, name]) => html`<a href=${address}>${name}</a>`)}
    </nav>
    <div class="switches">
      ${own} ${toggle(page.language, words.language, language.value, [
        ["en", "English", "en"],
        ["zh", "中文", "zh"],
      ])}
      ${toggle(page.theme, words.theme, page.theme.value, [
        ["auto", words.themes.auto],
        ["light", words.themes.light],
        ["dark", words.themes.dark],
      ])}
    </div>
  </div>`;
}
