import { effect, signal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import type { Posenc } from "posenc";
import { linkTo } from "../history";
import { language, text } from "../i18n";
import { type AnyPanelModule, fullLibrary, type PanelEntry, type Question } from "../panel";
import { put } from "../state";
import { en } from "./text.en";
import { zh } from "./text.zh";

/* All questions with their answers, as the last slide: to be asked in a class, or printed. */

/** A figure that may have a question. */
interface Asking {
  readonly id: string;
  readonly title: PanelEntry["title"];
  readonly module: AnyPanelModule;
}

/** What a figure asks at its settings, in the language in use. */
const asked = async ({ module }: Asking, pe: Posenc): Promise<Question | undefined> =>
  module.library === "full" ? module.asks?.(await fullLibrary(), language.value) : module.asks?.(pe, language.value);

/** The letters by which a class votes. */
const letter = (at: number) => String.fromCharCode(97 + at);

/** Draws all questions into an element, and draws them again when what they depend on changes. */
export async function questions(element: HTMLElement, pe: Posenc, figures: readonly Asking[]): Promise<void> {
  const all = signal<readonly (Asking & { readonly question: Question | undefined })[]>([]);
  const isOpen = signal(false);
  let first: Promise<unknown> | undefined;
  effect(() => {
    const found = Promise.all(figures.map(async (each) => ({ ...each, question: await asked(each, pe) })));
    for (const { module } of figures) for (const row of module.uses) row.value;
    language.value;
    found.then((next) => put(all, next), console.error);
    first ??= found;
  });
  await first;

  effect(() => {
    const words = { en, zh }[language.value];
    const one = ({ id, title, question }: (typeof all.value)[number]) => {
      if (!question) return nothing;
      const { prompt, answers, right, why } = question;
      const at = answers.findIndex(([answer]) => answer === right);
      return html`<li>
        <p><strong>${prompt}</strong></p>
        <ol type="a">
          ${answers.map(([, label]) => html`<li>${label}</li>`)}
        </ol>
        <details ?open=${isOpen.value}>
          <summary>${words.answer}</summary>
          <p><strong>${letter(at)}${text.value.colon}${answers[at][1]}</strong>${text.value.stop}${why}</p>
        </details>
        <p class="note"><a href=${linkTo(id)}>${words.figure(title[language.value])}</a></p>
      </li>`;
    };
    render(
      html`<h3 class="panel-title" id="questions-title" tabindex="-1">${text.value.questions}</h3>
        <p class="lead">${words.lead}</p>
        <p><button type="button" class="again" data-all-answers
          @click=${() => put(isOpen, !isOpen.value)}>${isOpen.value ? words.none : words.all}</button></p>
        <ol class="all-questions">${all.value.map(one)}</ol>`,
      element,
    );
  });
}
