import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { language } from "../core/i18n";
import { refusal } from "../core/refusal";
import { Queue } from "../training/queue";
import { storedResults, tasks } from "../training/results";
import type { ClaimId } from "./claim";
import type { CheckedText } from "./text.en";
import { stored, type Trainings } from "./trained";

/* Trainings that are repeated in the reader's tab, of one statement at a time. */

const queue = new Queue();
const current = signal<ClaimId | undefined>(undefined);
const isTextMissing = signal(false);

/** Trainings rest while their statement is out of sight. */
const sight = new IntersectionObserver((entries) => {
  queue.isSeen.value = entries[entries.length - 1].isIntersecting;
});

/** The number of seeds, as many as are stored. */
const seedsOf = (name: string) => storedResults("text", name).length;

/** The trainings of this tab once all of a statement are done, else the stored ones. */
export function trainingsFor(id: ClaimId): { readonly trainings: Trainings; readonly isOwn: boolean } {
  const runs = queue.runs.value;
  const isOwn = current.value === id && runs.length > 0 && runs.every(({ status }) => status === "done");
  if (!isOwn) return { trainings: stored, isOwn };
  const trainings: Trainings = (task, name) =>
    runs.flatMap(({ job, result }) => (job.task === task && job.name === name && result ? [result] : []));
  return { trainings, isOwn };
}

/** Whether the weights are those stored, bit for bit. */
const areSame = () =>
  queue.runs.value.every(
    ({ job, result }) => result?.hash === storedResults(job.task, job.name).find(({ seed }) => seed === job.seed)?.hash,
  );

async function start(id: ClaimId, names: readonly string[]): Promise<void> {
  isTextMissing.value = false;
  try {
    const answer = await fetch("./opticks.txt");
    if (!answer.ok) throw new Error(`opticks.txt: ${answer.status} ${answer.statusText}`);
    const text = await answer.text();
    const jobs = names.flatMap((name) =>
      Array.from({ length: seedsOf(name) }, (_, at) => ({
        task: "text" as const,
        name,
        seed: at + 1,
        isShort: false,
        text,
      })),
    );
    current.value = id;
    sight.disconnect();
    sight.observe(document.getElementById(id) as HTMLElement);
    queue.start(jobs);
  } catch (error) {
    isTextMissing.value = true;
    console.error(error);
  }
}

function status(id: ClaimId, words: CheckedText): string {
  if (isTextMissing.value) return `${words.fromStored} ${words.noText}`;
  if (current.value !== id) return words.fromStored;
  const runs = queue.runs.value;
  const done = runs.filter(({ status }) => status === "done").length;
  const failed = runs.find(({ status }) => status === "failed");
  if (failed) return `${words.fromStored} ${words.trainingFailed} ${refusal(failed.failure, language.value)}`;
  if (runs.length > 0 && queue.isOver.value) return areSame() ? words.fromTabSame : words.fromTab;
  if (runs.length === 0) return words.fromStored;
  const rest = queue.rest.value;
  return `${words.fromStored} ${rest ? words.rests[rest] : words.trainingDone(done, runs.length)}`;
}

/** Names the source of the trainings' numbers, with a button that computes them here. */
export function inThisTab(id: ClaimId, names: readonly string[], words: CheckedText): TemplateResult {
  const isUnderWay = current.value === id && !queue.isOver.value;
  const count = names.reduce((sum, name) => sum + seedsOf(name), 0);
  const gflop = names.reduce((sum, name) => sum + seedsOf(name) * tasks.text.encodings[name].gflop, 0);
  const seconds = queue.remaining.value;
  return html`<p class="trained" role="status" data-trained=${trainingsFor(id).isOwn ? "tab" : "stored"}>${status(id, words)}</p>
    <div class="tools">
      ${
        isUnderWay
          ? html`<button type="button" data-train="stop" @click=${() => queue.stop()}>${words.stop}</button>
              ${seconds === undefined ? nothing : html`<span class="seed">${words.remaining(Math.ceil(seconds))}</span>`}`
          : html`<button type="button" data-train="start" @click=${() => start(id, names)}>
              ${words.train(count, gflop)}
            </button>`
      }
    </div>`;
}

/** Called whenever trainings have given something new. */
export const trainingsChanged = queue.isOver;
export const trainedClaim = current;
