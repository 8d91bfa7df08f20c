import { computed } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { language, text } from "../core/i18n";
import type { Question } from "../core/panel";
import { choice, defineState, type Row } from "../core/state";
import "./question.css";

const words = {
  en: { guess: "Your guess", show: "Just show me", right: "You guessed right.", wrong: "Not quite." },
  zh: { guess: "你的猜测", show: "直接看结果", right: "猜对了。", wrong: "没猜中。" },
};
/** The words of every question. */
export const guessWords = computed(() => words[language.value]);

/** The answer of a reader who does not guess. */
const noGuess = "-";

/**
 * A question to guess: its answers are buttons, the last of them for readers who do not want to guess. The result is shown
 * once one is chosen; a second press takes the choice back and asks again.
 */
export function guessing(
  prompt: string,
  answers: readonly (readonly [answer: string, label: string])[],
  chosen: string,
  choose: (answer: string) => void,
  verdict: () => unknown,
): TemplateResult {
  const { guess, show } = guessWords.value;
  return html`<div class="guess" role="group" aria-label=${guess}>
    <p>${prompt}</p>
    <div class="tools">
      ${[...answers, [noGuess, show] as const].map(
        ([answer, label]) =>
          html`<button
            type="button"
            data-guess=${answer}
            aria-pressed=${String(answer === chosen)}
            @click=${() => choose(answer === chosen ? "" : answer)}
          >${label}</button>`,
      )}
    </div>
    <p class="verdict" role="status">${chosen ? verdict() : nothing}</p>
  </div>`;
}

/** The reader's answer to a figure's question. Links do not hold it. */
export function answerRow(...answers: readonly string[]): Row<string> {
  return defineState({ answer: choice("", ["", ...answers, noGuess]) }).answer;
}

/** Draws a question, if there is one; `show` is called with each answer. */
export function question(
  row: Row<string>,
  asked: Question | undefined,
  show = () => {},
): TemplateResult | typeof nothing {
  if (!asked) return nothing;
  const { prompt, answers, right, why } = asked;
  const judgement = row.value === right ? guessWords.value.right : guessWords.value.wrong;
  return guessing(
    prompt,
    answers,
    row.value,
    (answer) => {
      row.value = answer;
      if (answer) show();
    },
    () => html`${row.value === noGuess ? nothing : html`<strong>${judgement}</strong>${text.value.gap}`}${why}`,
  );
}
