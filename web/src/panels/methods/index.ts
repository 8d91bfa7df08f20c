import { html, nothing, type TemplateResult } from "lit-html";
import type { PosencFull } from "posenc/full";
import { choices, rowSlider } from "../../controls";
import { claim } from "../../core/claim";
import { type Drawn, fullFigure, kept } from "../../core/figure";
import { plain, significant } from "../../core/format";
import { text } from "../../core/i18n";
import { scrollTable } from "../../draw/table";
import { bytesChart } from "./chart";
import { type Facts, facts, type MethodName, methodNames, moved, sizes } from "./model";
import { state } from "./state";
import { type Answer, computedAnswer, isRelative, type Question, questions, statements } from "./statements";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { growth, growthFrom, lengths, measure, type Timing } from "./timing";
import "./style.css";

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

type All = readonly (readonly [MethodName, Facts])[];
const model = kept((pe: PosencFull): All => methodNames.map((name) => [name, facts(pe, name)]));
let timings: Timing[] = [];
let measuring = 0;

async function run({ pe, frames }: Drawn<PosencFull>): Promise<void> {
  const own = ++measuring;
  timings = [];
  frames.request();
  const report = (timing: Timing) => {
    timings.push(timing);
    frames.request();
  };
  await measure(pe, sizes.value, report, () => own !== measuring);
  if (own === measuring) measuring = 0;
  frames.request();
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

const statedOf = (question: Question, name: MethodName, answer: Answer | undefined) =>
  (statements[question][name] ?? []).map((stated) => ({
    ...stated,
    how: stated.about
      ? stated.about
      : answer === undefined
        ? "unmeasured"
        : stated.answer === answer
          ? "same"
          : "differs",
  }));

/** An answer in a word, marked where a post says something else; a press shows its evidence. */
function cell(words: Text, question: Question, [name, fact]: readonly [MethodName, Facts]): TemplateResult {
  const answer = computedAnswer(question, name, fact, timings);
  const differs = statedOf(question, name, answer).some(({ how }) => how === "differs");
  const isChosen = state.methodAsked.value === question && state.methodNamed.value === name;
  return html`<td class=${differs ? "marked" : ""}>
    <button type="button" data-fact=${question} data-method=${name} aria-pressed=${String(isChosen)}
      @click=${() => {
        state.methodAsked.value = question;
        state.methodNamed.value = name;
      }}
    >${answer === undefined ? words.unmeasured : inWords(words, answer)}${differs ? " ≠" : ""}</button>
  </td>`;
}

/** The evidence for the chosen answer, and what posts say to the same question or to another. */
function behind(words: Text, all: All): TemplateResult {
  const [question, name] = [state.methodAsked.value, state.methodNamed.value];
  const [, fact] = all.find(([each]) => each === name) ?? all[0];
  const answer = computedAnswer(question, name, fact, timings);
  const { asks, means } = words.questions[question];
  return html`<div class="behind" role="status">
    <p>
      <strong>${words.methods[name]}${text.value.colon}${asks}</strong>
      <output data-answer>${answer === undefined ? words.unmeasured : inWords(words, answer)}</output>
      <span class="unit" data-evidence>${evidence(words, question, name, fact)}</span>
    </p>
    <p class="hint">${means}</p>
    ${statedOf(question, name, answer).map(
      ({ claim: id, answer: theirs, how }) =>
        html`<p class="badge ${how === "differs" ? "" : "quiet"}" data-statement=${how}>
          ${words.statements[how as keyof Text["statements"]](claim(id, words.post(id)), inWords(words, theirs))}
        </p>`,
    )}
  </div>`;
}

/** A row for each question; where there is little room the chosen method alone. */
function answers(words: Text, all: All, isNarrow: boolean): TemplateResult {
  const shown = all.filter(([name]) => !isNarrow || name === state.methodNamed.value);
  return html`${isNarrow ? html`<div class="controls">${choices(state.methodNamed, words.method, words.short)}</div>` : nothing}
    ${scrollTable(
      words.answers,
      [words.question, ...shown.map(([name]) => words.short[name])],
      questions.map(
        (question) => html`<tr data-question=${question}>
          <th scope="row">${words.questions[question].asks}</th>
          ${shown.map((one) => cell(words, question, one))}
        </tr>`,
      ),
      "methods",
    )}
    ${behind(words, all)}`;
}

/** Counts the statements that answer what is computed, and names those that differ. */
function verdict(words: Text, all: All): string {
  const pairs = questions.flatMap((question) =>
    all.flatMap(([name, fact]) => {
      const answer = computedAnswer(question, name, fact, timings);
      return (statements[question][name] ?? [])
        .filter(({ about }) => !about && answer !== undefined)
        .map(({ claim: id, answer: theirs }) => ({ isSame: theirs === answer, id }));
    }),
  );
  const differing = pairs.filter(({ isSame }) => !isSame);
  const claims = [...new Set(differing.map(({ id }) => id))];
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

export const panel = fullFigure({
  uses: Object.values(state),
  texts: { en, zh },
  model,
  draw: (words, all, drawn) => html`${answers(words, all, drawn.width < 640)}
    <p class="note" data-compared>${verdict(words, all)}</p>
    <div class="controls">
      ${rowSlider(state.methodLength, words.length, { scale: "log" })}
      ${rowSlider(state.methodDim, words.dim, { scale: "log" })} ${rowSlider(state.methodHeads, words.heads)}
    </div>
    <details class="more-settings">
      <summary>${words.chart}</summary>
      ${bytesChart(
        all.map(([name, { bytes: kept, bytesOfPairs }]) => ({ name: words.methods[name], kept, all: bytesOfPairs })),
        Math.min(640, drawn.width),
        words.chart,
        bytes,
      )}
    </details>
    <div class="measure">
      <button type="button" class="again" data-tool="measure" @click=${() => run(drawn)}>${measuring ? words.measuring : words.measure}</button>
      <p class="hint" role="status">${timings.length === 0 ? words.notYet : words.conditions}</p>
    </div>
    ${timings.length > 0 ? measured(words) : nothing}`,
  *rows(all) {
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
    for (const [name, fact] of all)
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
  drawing: ".bytes-chart",
  describe(words, all) {
    const { length, dim, heads } = sizes.value;
    const relative = all.filter(([, fact]) => isRelative(fact));
    return words.describe(
      plain(length),
      plain(dim),
      plain(heads),
      relative.map(([name]) => words.methods[name]),
    );
  },
});
