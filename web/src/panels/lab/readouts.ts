import { html, nothing, type TemplateResult } from "lit-html";
import { player, rowSlider } from "../../controls";
import { plain } from "../../core/format";
import { formatted, type TaskName, tasks } from "../../training/results";
import { swatch } from "./line-plot";
import { type EncodingResults, guess, tasksOf, testMeans } from "./model";
import { state } from "./state";
import type { Text } from "./text.en";

/** Whether examples of the task have one length. */
export const hasOneLength = (task: TaskName) => tasks[task].stretches.length === 1;

/** The slider's value of a stretch: doublings. */
export const lastShown = () =>
  guess.value === undefined || hasOneLength(tasksOf(state.labTask.value)[0]) ? 0 : state.labDoublings.value;

function readout(words: Text, task: TaskName, all: readonly EncodingResults[]): TemplateResult {
  const { isText, longest, stretches } = tasks[task];
  const at = lastShown();
  const shown = testMeans(task, all, at);
  const best = isText ? Math.min(...shown.map(({ mean }) => mean)) : Math.max(...shown.map(({ mean }) => mean));
  return html`<div class="lab-readout" data-task=${task}>
    <h3>${hasOneLength(task) ? words.rightAnswers(words.tasks[task]) : words.readout(words.tasks[task], isText ? words.perplexity : words.accuracy, plain(stretches[at] * longest), stretches[at])}</h3>
    ${
      shown.length === 0
        ? html`<p class="hint">${words.nothingYet}</p>`
        : html`<ul>
            ${shown.map(
              ({ test, mean, least, most, seeds }) => html`<li class=${mean === best ? "best" : ""} data-test=${test}>
                <span>${swatch(test)} ${words.names[test] ?? test}</span>
                <output>${formatted(mean, isText)}</output>
                <small>${seeds > 1 ? `${formatted(least, isText)} … ${formatted(most, isText)}` : nothing}</small>
              </li>`,
            )}
          </ul>`
    }
  </div>`;
}

/** The slider that walks past the training length, and the results of each encoding there. */
export function stretching(
  words: Text,
  of: (task: TaskName) => readonly EncodingResults[],
): TemplateResult | typeof nothing {
  const view = state.labTask.value;
  const isOpen = guess.value !== undefined;
  const [first] = tasksOf(view);
  const { longest, stretches } = tasks[first];
  const at = lastShown();
  // Before the guess there is nothing to show but the answer.
  if (hasOneLength(first))
    return isOpen ? html`<div class="lab-readouts">${readout(words, first, of(first))}</div>` : nothing;
  return html`<div class="controls lab-length">
      ${
        isOpen
          ? html`${rowSlider(state.labDoublings, words.doublings, { unit: words.unit(plain(longest * stretches[at])) })}
            ${player(state.labDoublings, words.walk, { interval: 900 })}`
          : html`<p class="hint">${words.closed}</p>`
      }
    </div>
    <div class="lab-readouts">${tasksOf(view).map((task) => readout(words, task, of(task)))}</div>`;
}
