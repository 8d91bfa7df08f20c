import { html, type TemplateResult } from "lit-html";
import { language } from "../core/i18n";
import { isInitial, type Row } from "../core/state";
import "./more-settings.css";

const words = {
  en: { title: "More settings", changed: " (changed)" },
  zh: { title: "更多设置", changed: "（已改动）" },
};

/** The settings that were unfolded because one of their rows was changed, by their first row. */
const opened = new WeakSet<Row>();

/**
 * The settings of a figure that come after its picture, folded. They unfold when one of their rows is not at its default,
 * for example because of a link. A reader may fold them again; the title then shows that something was changed.
 */
export function moreSettings(rows: readonly Row[], content: unknown): TemplateResult {
  const { title, changed } = words[language.value];
  const isChanged = !isInitial(rows);
  if (isChanged) opened.add(rows[0]);
  return html`<details class="more-settings" ?open=${opened.has(rows[0])}>
    <summary>${title}${isChanged ? changed : ""}</summary>
    <div class="controls">${content}</div>
  </details>`;
}
