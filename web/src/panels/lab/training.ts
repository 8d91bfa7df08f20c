import { html, nothing, type TemplateResult } from "lit-html";
import { choices } from "../../controls";
import { significant } from "../../core/format";
import { text } from "../../core/i18n";
import { put } from "../../core/state";
import type { Progress } from "../../training/queue";
import { less, storedResults, tasks } from "../../training/results";
import type { Desk } from "./desk";
import { shown, tasksOf } from "./model";
import { settings } from "./settings";
import { state } from "./state";
import type { Text } from "./text.en";

/** Trainings in the reader's tab: how to start and end them, and whether they gave the same bits. */

/** Seconds after which short runs are proposed. */
const patience = 120;

/** The largest difference of two results of the same training. */
function difference({ job, result }: Progress): number {
  const stored = storedResults(job.task, job.name).find(({ seed }) => seed === job.seed);
  if (!stored || !result) return Number.NaN;
  const own = Object.values(result.tests).flat();
  const off = Object.values(stored.tests).flat();
  return Math.max(...own.map((value, at) => Math.abs(value - off[at])));
}

/** Compares a finished run with the stored one. */
export function compared(
  words: Text,
  run: Progress,
  isOwnText: boolean,
): { readonly same: boolean; readonly text: string } {
  const { job, result } = run;
  const { short } = tasks[job.task].encodings[job.name];
  const stored = storedResults(job.task, job.name).find(({ seed }) => seed === job.seed);
  const expected = job.isShort ? (job.seed === 1 ? short : undefined) : stored?.hash;
  if (isOwnText || !expected) return { same: false, text: words.noStored };
  if (result?.hash === undefined) return { same: false, text: words.noHash };
  if (result.hash === expected) return { same: true, text: job.isShort ? words.sameShort : words.same };
  const off = job.isShort ? Number.NaN : difference(run);
  return { same: false, text: words.differs(expected, Number.isNaN(off) ? "" : significant(off, 3)) };
}

/** One sentence about the trainings under way, and why they rest if they do. */
function status(words: Text, { queue, isShort, problem, text }: Desk): string {
  const runs = queue.runs.value;
  if (problem.value) return words.notStarted(problem.value);
  if (runs.length === 0) return "";
  const done = runs.filter(({ status }) => status === "done").length;
  if (queue.isOver.value) {
    const failed = runs.length - done;
    if (failed > 0) return words.overFailed(done, failed);
    const isOwnText = text.value !== undefined;
    const same = runs.filter((run) => compared(words, run, isOwnText && run.job.task === "text").same).length;
    return words.over(done, same);
  }
  const rest = queue.rest.value;
  if (rest) return words.rests[rest];
  return isShort ? words.runningShort(runs.length, less) : words.running(runs.length);
}

/** Buttons and progress. */
export function training(words: Text, desk: Desk): TemplateResult {
  const { queue } = desk;
  const runs = queue.runs.value;
  const isUnderWay = runs.length > 0 && !queue.isOver.value;
  const rest = queue.rest.value;
  const button = (name: string, label: string, act: () => void, isDisabled = false) =>
    html`<button type="button" data-lab=${name} ?disabled=${isDisabled} @click=${act}>${label}</button>`;
  const { remaining } = queue;
  const steps = desk.isShort ? "short" : "full";
  const gflop = tasksOf(state.labTask.value)
    .flatMap((task) => shown.value.map((name) => tasks[task].encodings[name].gflop))
    .reduce((sum, value) => sum + value, 0);
  return html`<div class="lab-training">
    <div class="controls">
      <div class="choice-row">
        ${choices(settings.labSteps, words.length, words.stepChoices(less), steps)}
        ${
          desk.isShort
            ? nothing
            : choices(settings.labSeeds, words.seeds, [
                ["1", "1"],
                ["3", "1–3"],
              ])
        }
      </div>
      <p class="hint">
        ${words.cost(shown.value.length * tasksOf(state.labTask.value).length * desk.seeds, Math.round((gflop * desk.seeds) / (desk.isShort ? less : 1)))}${text.value.gap}${desk.isShort && settings.labSteps.value === "auto" ? words.small(less) : nothing}
      </p>
    </div>
    <div class="tools">
      ${
        isUnderWay
          ? html`${rest === "reader" ? button("resume", words.resume, () => queue.resume()) : button("pause", words.pause, () => queue.pause(), rest !== undefined)}
            ${button("stop", words.stop, () => queue.stop())}`
          : button("play", runs.length > 0 ? words.again : words.play, () => desk.play(), shown.value.length === 0)
      }
      ${
        runs.length > 0
          ? html`<button type="button" data-lab="source" aria-pressed=${String(desk.isOwn.value)}
              @click=${() => put(desk.isOwn, !desk.isOwn.value)}>${desk.isOwn.value ? words.showStored : words.showOwn}</button>`
          : nothing
      }
    </div>
    <p class="hint" role="status" data-lab-status>${status(words, desk)}</p>
    ${
      isUnderWay && !rest && remaining.value !== undefined
        ? html`<p class="hint" data-remaining>${words.remaining(Math.ceil(remaining.value))}
            ${!desk.isShort && remaining.value > patience ? words.slow(less, Math.ceil(remaining.value / less)) : nothing}</p>`
        : nothing
    }
  </div>`;
}
