import { effect } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { exactly, type Line } from "../../core/format";
import type { Context, Panel, PanelModule } from "../../core/panel";
import { put } from "../../core/state";
import { made, type TaskName, tasks } from "../../training/results";
import type * as Below from "./below";
import { asking, choosing } from "./choosing";
import type { codeBox as CodeBox } from "./code";
import { Desk } from "./desk";
import { type EncodingResults, guess, resultsOf, seedsStored, shown, tasksOf, testsOf } from "./model";
import { lengthPlot, lossPlot } from "./plots";
import { hasOneLength, stretching } from "./readouts";
import { settings } from "./settings";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { training } from "./training";
import "./style.css";

const texts = { en, zh };
let below: typeof Below;

function mount(element: HTMLElement, context: Context): Panel {
  const desk = new Desk();
  const { queue } = desk;
  // The code is fetched when it is unfolded.
  let codeBox: typeof CodeBox | undefined;
  const unfoldCode = () =>
    import("./code").then((code) => {
      if (codeBox) return;
      ({ codeBox } = code);
      code.followCopies(() => context.frames.request());
    }, reportError);
  const own = () => (desk.isOwn.value ? queue.runs.value : undefined);
  const of = (task: TaskName): readonly EncodingResults[] => resultsOf(task, own());

  new IntersectionObserver((entries) => put(queue.isSeen, entries[entries.length - 1].isIntersecting)).observe(element);
  effect(() => {
    for (const { value } of [queue.runs, queue.rest, desk.isOwn, desk.text, desk.textProblem]) void value;
    for (const { value } of [desk.problem, desk.query, desk.mapped]) void value;
    context.frames.request();
  });

  function plots(words: typeof en): TemplateResult | typeof nothing {
    const view = state.labTask.value;
    const isOpen = guess.value !== undefined;
    const doublings = state.labDoublings.value;
    const available = context.width();
    const width = available > 760 ? (available - 32) / 2 : available;
    const [task, other] = tasksOf(view);
    const length = (each: TaskName) => html`<div class="plane-box">
      <h3>${words.stretched(words.tasks[each])}</h3>
      ${lengthPlot(words, each, of(each), { isOpen, doublings, width })}
    </div>`;
    // With one length, lines would show what is to be guessed.
    if (hasOneLength(task) && !isOpen) return nothing;
    return html`<div class="planes">
      ${
        other
          ? html`${length(task)} ${length(other)}`
          : html`<div class="plane-box">
                <h3>${words.learning(words.tasks[task])}</h3>
                ${lossPlot(words, of(task), width)}
              </div>
              ${hasOneLength(task) ? nothing : length(task)}`
      }
    </div>`;
  }

  function source(words: typeof en): string {
    if (desk.isOwn.value) return words.ownRuns(queue.runs.value.filter(({ result }) => result).length);
    return words.stored(made.version, seedsStored(state.labTask.value));
  }

  function update(): void {
    const words = texts[context.language()];
    const [task] = tasksOf(state.labTask.value);
    const [name = "none"] = shown.value.filter((each) => each !== "none");
    render(
      html`${choosing(words)} ${asking(words, of)}
        ${training(words, desk)}
        <p class="hint lab-source" data-source=${desk.isOwn.value ? "tab" : "stored"}>${source(words)}</p>
        ${plots(words)} ${stretching(words, of)} ${below.runTable(words, desk)} ${below.attention(words, desk)} ${below.ownText(words, desk)}
        <details class="lab-code" @toggle=${unfoldCode}>
          <summary>${words.code}</summary>
          ${codeBox?.(words, task, name)}
        </details>`,
      element,
    );
    below.paint(element, desk);
  }

  /** Lines for each training: its results and its losses. */
  function* lines(): Iterable<Line> {
    const view = state.labTask.value;
    const every = Math.max(
      1,
      ...tasksOf(view).flatMap((task) => of(task).flatMap(({ losses }) => losses.map(({ values }) => values.length))),
    );
    yield [
      "test",
      "task",
      "seed",
      "source",
      "weights",
      ...tasks[tasksOf(view)[0]].stretches.map((stretch) => `at ${stretch}x`),
      ...Array.from({ length: every }, (_, at) => `loss ${at + 1}/${every}`),
    ];
    for (const task of tasksOf(view))
      for (const { name, results } of of(task))
        for (const { seed, hash, tests, losses } of results)
          for (const test of testsOf(task, name))
            yield [
              test,
              task,
              seed,
              desk.isOwn.value ? "this tab" : `stored with posenc ${made.version}`,
              hash ?? "",
              ...(guess.value === undefined
                ? tests[test].map((value, at) => (at === 0 ? exactly(value) : ""))
                : tests[test].map(exactly)),
              ...Array.from(losses, exactly),
            ];
  }

  return {
    update,
    rows: lines,
    drawing: ".lab-plot",
    describe() {
      const words = texts[context.language()];
      const view = state.labTask.value;
      const title = tasksOf(view)
        .map((task) => words.tasks[task])
        .join(" / ");
      const seeds = seedsStored(view);
      return words.describe({ task: title, isStored: !desk.isOwn.value, seeds });
    },
  };
}

export const panel: PanelModule = {
  uses: [...Object.values(state), ...Object.values(settings)],
  texts,
  parts: async () => {
    below = await import("./below");
  },
  mount,
};
