import { html, type TemplateResult } from "lit-html";
import { choices, guessing, guessWords } from "../../controls";
import { type TaskName, tasks } from "../../training/results";
import { swatch } from "./line-plot";
import {
  encodingsOf,
  type Found,
  guess,
  type Reading,
  ranked,
  setGuess,
  shown,
  tasksOf,
  testsShown,
  toggle,
  told,
} from "./model";
import { state } from "./state";
import type { Text } from "./text.en";

/** What is compared, and the reader's guess at it. */

export function choosing(words: Text): TemplateResult {
  const view = state.labTask.value;
  return html`<div class="controls">
    <div class="choice-row">${choices(state.labTask, words.task, words.views)}</div>
    <fieldset class="choices lab-encodings choice-row">
      <legend>${words.encodings}</legend>
      ${encodingsOf(view).map(
        (name) => html`<label
          ><input
            type="checkbox"
            name="lab-encoding"
            value=${name}
            .checked=${shown.value.includes(name)}
            @change=${() => toggle(name)}
          />${swatch(name)} ${words.names[name] ?? name}</label
        >`,
      )}
    </fieldset>
  </div>`;
}

/** A model that guesses between the two is right in half of its answers. */
const surely = 0.9;

/** Of models of one length: which have learned it, and whether the reader's guess has. */
function learned(words: Text, order: readonly Reading[], guessed: string | undefined): string {
  const those = order.filter(({ mean }) => mean > surely).map(({ test }) => test);
  const names = those.map((name) => words.names[name] ?? name).join(words.separator);
  const answer = words.learners(names, told(surely, false));
  if (!order.some(({ test }) => test === guessed)) return answer;
  return `${those.includes(guessed as string) ? guessWords.value.right : words.notRight} ${answer}`;
}

/** What the guess was worth. */
function verdict(words: Text, order: readonly Reading[], isText: boolean): TemplateResult | string {
  const [best] = order;
  if (!best) return words.nothingYet;
  const isPair = state.labTask.value === "pair";
  const nameOf = ({ test }: Reading) => words.names[test] ?? test;
  const say = (reading: Reading) =>
    isPair ? nameOf(reading) : words.withValue(nameOf(reading), told(reading.mean, isText));
  const rank = order.findIndex(({ test }) => test === guess.value);
  if (state.labTask.value === "roles") return learned(words, order, guess.value);
  const answer = isPair ? words.pairAnswer(nameOf(best)) : words.answer(say(best));
  if (rank < 0) return answer;
  return `${rank === 0 ? guessWords.value.right : words.wrong(say(order[rank]), rank + 1, order.length)} ${answer}`;
}

/** Asks which reads on best, before anything past the training length is shown; then says how it is. */
export function asking(words: Text, of: (task: TaskName) => readonly Found[]): TemplateResult {
  const view = state.labTask.value;
  const [task] = tasksOf(view);
  const { isText, longest, stretches } = tasks[task];
  const farthest = stretches[stretches.length - 1];
  return guessing(
    words.questions[view](longest * farthest, farthest),
    testsShown(task).map((name) => [name, words.names[name] ?? name]),
    guess.value ?? "",
    setGuess,
    () => verdict(words, ranked(view, of), isText),
  );
}
