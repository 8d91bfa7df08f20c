import { computed } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import type { PosencFull } from "posenc/full";
import { rowSlider } from "../../controls";
import { plain, significant } from "../../core/format";
import type { Context, FullPanelModule, Panel } from "../../core/panel";
import { fileOf } from "../../draw/files";
import { scrollTable } from "../../draw/table";
import { bytesChart } from "./chart";
import { type Facts, facts, type MethodName, methodNames, moved, sizes } from "./model";
import { state } from "./state";
import { type Answer, computedAnswer, isRelative, type Question, questions, statements } from "./statements";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { growth, growthFrom, lengths, measure, type Timing } from "./timing";
import "./style.css";

const texts = { en, zh };
type Text = typeof en;

/** Seconds with a unit that fits. */
function time(seconds: number): string {
  if (seconds < 1e-3) return `${significant(seconds * 1e6, 3)} µs`;
  return `${significant(seconds * 1e3, 3)} ms`;
}

function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 2 ** 20 ? `${significant(count / 1024, 4)} KiB` : `${significant(count / 2 ** 20, 4)} MiB`;
}

function mount(element: HTMLElement, context: Context<PosencFull>): Panel {
  const { pe } = context;
  /** Counting takes some time, so it is done once for the same sizes. */
  const all = computed(() => methodNames.map((name) => [name, facts(pe, name)] as const));
  let timings: Timing[] = [];
  let measuring = 0;

  async function run(): Promise<void> {
    const own = ++measuring;
    timings = [];
    context.frames.request();
    const report = (timing: Timing) => {
      timings.push(timing);
      context.frames.request();
    };
    await measure(pe, sizes.value, report, () => own !== measuring);
    if (own === measuring) measuring = 0;
    context.frames.request();
  }

  /** The evidence for an answer: a count, a size, a change. */
  function evidence(words: Text, question: Question, name: MethodName, fact: Facts): string {
    switch (question) {
      case "trainable":
        return words.parameters(fact.parameters);
      case "stored":
        return bytes(4 * fact.parameters);
      case "relative":
        return words.change(significant(fact.change, 3));
      case "distinct":
        return words.distinct[name === "shaw" || name === "t5" || name === "alibi" ? "distances" : "positions"](
          fact.distinct,
          fact.of,
        );
      case "beyond":
        return fact.beyond || name !== "learned" ? "" : words.tableEnds(plain(sizes.value.length - 1));
      case "time": {
        const times = growth(timings, name);
        return times === undefined ? "" : words.grows(growthFrom, lengths[lengths.length - 1], significant(times, 3));
      }
    }
  }

  const inWords = (words: Text, answer: Answer) =>
    typeof answer === "number" ? words.orders[answer] : answer ? words.yes : words.no;

  /** The row of a method: its answer to a question, and the statements of posts, which agree, differ or answer another question. */
  function line(words: Text, question: Question, name: MethodName, fact: Facts): TemplateResult {
    const answer = computedAnswer(question, name, fact, timings);
    const stated = statements[question][name] ?? [];
    const differs = answer !== undefined && stated.some((each) => !each.isAnother && each.answer !== answer);
    const behind = evidence(words, question, name, fact);
    return html`<tr data-method=${name}>
      <th scope="row">${words.short[name]}</th>
      <td data-fact=${question}>
        ${answer === undefined ? words.unmeasured : inWords(words, answer)}
        ${behind === "" ? nothing : html`<span class="check">${behind}</span>`}
      </td>
      <td data-statements class=${differs ? "marked" : ""}>
        ${stated.length === 0 ? "–" : nothing}
        ${stated.map(({ claim, answer: theirs, isAnother }) => {
          const isSame = theirs === answer;
          const how = isAnother ? "another" : answer === undefined ? "unmeasured" : isSame ? "same" : "differs";
          return html`<span class="badge ${how === "differs" ? "" : "quiet"}" data-statement=${how}>
            ${words.statements[how](claim, inWords(words, theirs))}
          </span>`;
        })}
      </td>
    </tr>`;
  }

  function answers(words: Text, question: Question): TemplateResult {
    const { asks, means } = words.questions[question];
    return html`<div class="question" data-question=${question}>
      <h3 id="methods-${question}">${asks}</h3>
      <p class="hint">${means}</p>
      <table class="methods" aria-labelledby="methods-${question}">
        <thead>
          <tr>
            <th scope="col">${words.method}</th>
            <th scope="col">${words.here}</th>
            <th scope="col">${words.posts}</th>
          </tr>
        </thead>
        <tbody>
          ${all.value.map(([name, fact]) => line(words, question, name, fact))}
        </tbody>
      </table>
    </div>`;
  }

  /** Counts the statements that answer what is computed, and names those that differ. */
  function verdict(words: Text): string {
    const pairs = questions.flatMap((question) =>
      all.value.flatMap(([name, fact]) => {
        const answer = computedAnswer(question, name, fact, timings);
        return (statements[question][name] ?? [])
          .filter(({ isAnother }) => !isAnother && answer !== undefined)
          .map(({ claim, answer: theirs }) => ({ isSame: theirs === answer, claim }));
      }),
    );
    const differing = pairs.filter(({ isSame }) => !isSame);
    const claims = [...new Set(differing.map(({ claim }) => claim))];
    return words.compared(pairs.length, differing.length, claims, timings.length > 0);
  }

  function measured(words: Text): TemplateResult {
    return scrollTable(
      words.measured,
      [words.method, ...lengths.map((length) => `n = ${length}`)],
      methodNames.map(
        (name) => html`<tr data-timing=${name}>
          <th scope="row">${words.methods[name]}<span class="check">${words.work[name]}</span></th>
          ${lengths.map((length) => {
            const one = timings.find((timing) => timing.method === name && timing.length === length);
            return html`<td class="weight" data-seconds=${one?.seconds ?? nothing}>${one ? time(one.seconds) : "–"}</td>`;
          })}
        </tr>`,
      ),
      "methods timings",
    );
  }

  function update(): void {
    const words = texts[context.language()];
    render(
      html`<div class="methods-sizes">
          <div>
            <h3>${words.chart}</h3>
            ${bytesChart(
              all.value.map(([name, { bytes: kept, bytesOfPairs }]) => ({
                name: words.methods[name],
                kept,
                all: bytesOfPairs,
              })),
              Math.min(640, context.width()),
              words.chart,
              bytes,
            )}
          </div>
          <div class="methods-side">
            <div class="controls">
              ${rowSlider(state.methodLength, words.length, { scale: "log" })}
              ${rowSlider(state.methodDim, words.dim, { scale: "log" })} ${rowSlider(state.methodHeads, words.heads)}
            </div>
            <p class="note" data-compared>${verdict(words)}</p>
            <div class="controls measure">
              <button type="button" data-tool="measure" @click=${run}>${measuring ? words.measuring : words.measure}</button>
              <p class="hint" role="status">${timings.length === 0 ? words.notYet : words.conditions}</p>
            </div>
          </div>
        </div>
        <div class="questions">${questions.map((question) => answers(words, question))}</div>
        ${timings.length > 0 ? measured(words) : nothing}`,
      element,
    );
  }

  return {
    update,
    *rows() {
      const { length, dim, heads } = sizes.value;
      yield [
        "method",
        "length",
        "dim",
        "heads",
        "parameters",
        "bytes",
        "bytes of all pairs",
        `score change when moved by ${moved}`,
        "distinct",
        "of",
        "position 2n",
        ...lengths.map((n) => `measured seconds at n = ${n}`),
      ];
      for (const [name, fact] of all.value)
        yield [
          name,
          length,
          dim,
          heads,
          fact.parameters,
          fact.bytes,
          fact.bytesOfPairs ?? "",
          fact.change,
          fact.distinct,
          fact.of,
          fact.beyond ? "yes" : "no",
          ...lengths.map((n) => timings.find((one) => one.method === name && one.length === n)?.seconds ?? ""),
        ];
    },
    svg: fileOf(element, ".bytes-chart"),
    describe() {
      const words = texts[context.language()];
      const { length, dim, heads } = sizes.value;
      const relative = all.value.filter(([, fact]) => isRelative(fact));
      return words.describe(
        plain(length),
        plain(dim),
        plain(heads),
        relative.map(([name]) => words.methods[name]),
      );
    },
    destroy() {
      measuring = -1;
    },
  };
}

export const panel: FullPanelModule = {
  library: "full",
  uses: Object.values(state),
  texts,
  mount,
};
