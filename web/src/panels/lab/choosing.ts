import { html, type TemplateResult } from "lit-html";
import { choices, guessing, guessWords } from "../../controls";
import { text } from "../../core/i18n";
import { formatted, type TaskName, tasks } from "../../training/results";
import { swatch } from "./line-plot";
import {
  type EncodingResults,
  encodingsOf,
  guess,
  ranked,
  setGuess,
  shown,
  type TestMean,
  tasksOf,
  testMeans,
  testsShown,
  toggle,
} from "./model";
import { state } from "./state";
import type { Text } from "./text.en";

/** The choice of task and encodings, and the reader's guess. */

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

/** For examples of one length: the models that have learned them, and whether the reader guessed one. */
function learned(words: Text, order: readonly TestMean[], guessed: string | undefined): string {
  const those = order.filter(({ mean }) => mean > surely).map(({ test }) => test);
  const names = those.map((name) => words.names[name] ?? name).join(words.separator);
  const answer = words.learners(names, formatted(surely, false));
  if (!order.some(({ test }) => test === guessed)) return answer;
  return `${those.includes(guessed as string) ? guessWords.value.right : words.notRight}${text.value.gap}${answer}`;
}

/** The verdict on the guess; of order against distance, `distances` has what becomes of the latter. */
function verdict(
  words: Text,
  order: readonly TestMean[],
  isText: boolean,
  distances: readonly TestMean[],
): TemplateResult | string {
  const [best] = order;
  if (!best) return words.nothingYet;
  const isPair = state.labTask.value === "pair";
  const nameOf = ({ test }: TestMean) => words.names[test] ?? test;
  const named = (result: TestMean) =>
    isPair ? nameOf(result) : words.withValue(nameOf(result), formatted(result.mean, isText));
  const rank = order.findIndex(({ test }) => test === guess.value);
  if (state.labTask.value === "roles") return learned(words, order, guess.value);
  const share = (result: TestMean | undefined) => formatted(result?.mean ?? 0, false);
  const distance = distances.find(({ test }) => test === best.test);
  const answer = isPair ? words.pairAnswer(nameOf(best), share(best), share(distance)) : words.answer(named(best));
  if (rank < 0) return answer;
  return `${rank === 0 ? guessWords.value.right : words.wrong(named(order[rank]), rank + 1, order.length)}${text.value.gap}${answer}`;
}

/** Asks which encoding extrapolates best, before anything past the training length is shown; then gives the verdict. */
export function asking(words: Text, of: (task: TaskName) => readonly EncodingResults[]): TemplateResult {
  const view = state.labTask.value;
  const [task, other] = tasksOf(view);
  const { isText, longest, stretches } = tasks[task];
  const farthest = stretches[stretches.length - 1];
  return guessing(
    words.questions[view](longest * farthest, farthest),
    testsShown(task).map((name) => [name, words.names[name] ?? name]),
    guess.value ?? "",
    setGuess,
    () => verdict(words, ranked(view, of), isText, other ? testMeans(other, of(other), stretches.length - 1) : []),
  );
}
