import { html, type TemplateResult } from "lit-html";
import { choices } from "../controls";
import { copyBox } from "../core/below/copy-box";
import { language } from "../core/i18n";
import type { Row } from "../core/state";
import { type CodeLanguage, codeLanguages } from "./languages";
import { en } from "./text.en";
import { zh } from "./text.zh";

const texts = { en, zh };
export const words = () => texts[language.value];

/** Shows code to copy in the language that the reader chooses, or the sentence `none` where there is no code. */
export function codeBox(
  row: Pick<Row<CodeLanguage>, "name" | "value">,
  id: string,
  title: string,
  text: string,
  none: string,
): TemplateResult {
  const own = words();
  return html`<div class="controls">
      ${choices(
        row,
        own.codeFor,
        codeLanguages.map((each) => [each, own.languages[each]] as const),
      )}
    </div>
    ${text ? copyBox(id, title, text) : html`<p class="note">${none}</p>`}`;
}
