import { html, nothing, type TemplateResult } from "lit-html";
import { language } from "../../core/i18n";
import { refusal } from "../../core/refusal";
import { scrollTable } from "../../draw/table";
import type { Progress } from "../../training/queue";
import type { Desk } from "./desk";
import { swatch } from "./line-plot";
import type { Text } from "./text.en";
import { compared } from "./training";

function stateOf(words: Text, run: Progress, desk: Desk): TemplateResult | string {
  if (run.status === "failed")
    return html`<span class="problem" role="alert">${words.failed} ${refusal(run.failure, language.value)}</span>`;
  if (run.status === "done") {
    const { same, text } = compared(words, run, run.job.task === "text" && desk.text.value !== undefined);
    return html`<span class=${same ? "lab-same" : ""} data-same=${same}>${text}</span>`;
  }
  if (run.status === "testing") return words.testing;
  if (run.status === "waiting") return words.waiting;
  return run.step === 0 ? words.starting : words.steps(run.step, run.steps);
}

/** The trainings of this tab and their results. */
export function runTable(words: Text, desk: Desk): TemplateResult | typeof nothing {
  const runs = desk.queue.runs.value;
  if (runs.length === 0) return nothing;
  return scrollTable(
    words.runs,
    words.runColumns,
    runs.map(
      (run) => html`<tr data-run="${run.job.task}.${run.job.name}.${run.job.seed}" data-status=${run.status}>
        <th scope="row">${swatch(run.job.name)} ${words.names[run.job.name] ?? run.job.name}</th>
        <td>${words.tasks[run.job.task]}</td>
        <td class="weight">${run.job.seed}</td>
        <td class="weight">${run.losses.length > 0 ? run.losses[run.losses.length - 1].toFixed(3) : "–"}</td>
        <td class="weight" data-hash>${run.result?.hash ?? "–"}</td>
        <td>${stateOf(words, run, desk)}</td>
      </tr>`,
    ),
    "lab-runs",
  );
}
