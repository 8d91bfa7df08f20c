import { html, type TemplateResult } from "lit-html";
import { version } from "posenc/package.json";
import { language } from "../i18n";

const words = {
  en: `posenc ${version}. Nothing you type here leaves your browser.`,
  zh: `posenc ${version}。你在这里输入的内容不会离开浏览器。`,
};

/** The last line of every page. */
export const versionLine = (): TemplateResult => html`<p class="version">${words[language.value]}</p>`;
