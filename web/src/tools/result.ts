import { html, nothing, type TemplateResult } from "lit-html";
import type { Diagnosis, Explanation } from "posenc/tools";
import { codeBox } from "../code/box";
import { copyBox } from "../core/below/copy-box";
import { significant } from "../core/format";
import { language } from "../core/i18n";
import { code } from "./code";
import * as desk from "./desk";
import { departing, pictures } from "./pictures";
import type { Answer, Problem } from "./protocol";
import { refusedBy } from "./sentences";
import { state } from "./state";
import type { ToolsText } from "./text.en";

/* Shows the answer in words, pictures and code. */

const extents = (shape: readonly number[]) => `[${shape.join(", ")}]`;

/** 0.5, 12, 3.1e6 */
const short = (value: number) => {
  const three = Number(value.toPrecision(3));
  const isFar = three >= 1e4 || (three > 0 && three < 0.001);
  return isFar ? three.toExponential().replace("+", "").replace("-", "−") : String(three);
};
const amount = (value: number) =>
  Number.isFinite(value) ? html`<data value=${value} title=${significant(value, 6)}>${short(value)}</data>` : "∞";

function looked({ looked: parts, diagnosis }: Answer, words: ToolsText): TemplateResult {
  const all = parts.map(({ part, shape, of }) => {
    const size = of ? words.firstPart(extents(shape), extents(of)) : extents(shape);
    return `${words.parts[part] ?? part} ${size}`;
  });
  return html`<p class="note" data-looked>${words.looked(all, diagnosis.dtype)}</p>`;
}

const mistakes = ({ mistakes: names, sentences }: Explanation, words: ToolsText) =>
  names.length === 0
    ? words.noMistake
    : html`${names.map((name, at) => html`<p class="mistake" data-mistake=${name}>${sentences.mistakes[at]}</p>`)}
        ${sentences.differs}`;

function ranking({ diagnosis }: Answer, chosen: number, words: ToolsText): TemplateResult {
  const { columns } = words;
  return html`<h3 id="explanations-title">${words.explanations}</h3>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="explanations-title">
      <table class="explanations">
        <thead>
          <tr>${Object.values(columns).map((name) => html`<th scope="col">${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${diagnosis.explanations.map(
            (each, at) => html`<tr data-rank=${at + 1} class=${at === chosen ? "chosen" : ""}>
              <th scope="row">
                <label class="rank"><input type="radio" name="rank" .checked=${at === chosen}
                    @change=${() => {
                      state.explanation.value = at + 1;
                    }}
                  /> ${at + 1}<span class="visually-hidden">: ${each.text}</span></label>
              </th>
              <td class="what">${each.sentences.found}</td>
              <td>${mistakes(each, words)}</td>
              <td class="weight">${amount(each.residual.ulps)}</td>
              <td class="weight" data-units>${amount(each.residual.units)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="note">${words.residualNote}</p>`;
}

function codeSection(answer: Answer, chosen: number, words: ToolsText): TemplateResult {
  const wanted = state.codeLanguage.value;
  const right = answer.rights[chosen] ?? null;
  const title = answer.hasExpected ? words.code : words.codeFound;
  const text = code(right, answer.diagnosis.explanations[chosen].remedy, wanted, words.codeWords);
  return html`<h4>${title}</h4>
    ${codeBox(state.codeLanguage, "code", title, text, words.noCode)}`;
}

function remedy(answer: Answer, chosen: number, words: ToolsText): TemplateResult {
  const { remedy: what, mistakes: names } = answer.diagnosis.explanations[chosen];
  const text =
    what?.text ??
    (!answer.hasExpected
      ? words.notExpected
      : names.length === 0 && answer.diagnosis.verdict === "certain"
        ? words.nothingToDo
        : "");
  const permutation = (id: "dims" | "rows") => {
    const order = what?.[id];
    if (!order) return nothing;
    const label = words[id](order.length);
    return html`<details><summary>${label}</summary>${copyBox(id, label, order.join(", "))}</details>`;
  };
  return html`<h3>${words.remedy}</h3>
    ${text ? html`<p data-remedy>${text}</p>` : nothing}
    ${codeSection(answer, chosen, words)} ${permutation("dims")} ${permutation("rows")}`;
}

/** Returns the mistake by itself, if the answer names one, and the rest of its sentences. */
function said({ text, explanations }: Diagnosis): { mistake: string; rest: string } {
  const mistake = explanations[0]?.sentences.mistakes.find((sentence) => text.includes(sentence)) ?? "";
  return { mistake, rest: mistake ? text.replace(mistake, "").replace("  ", " ").trim() : text };
}

function diagnosed(answer: Answer, words: ToolsText, width: number): TemplateResult {
  const { diagnosis } = answer;
  const { verdict, explanations, departs } = diagnosis;
  const chosen = Math.min(state.explanation.value, explanations.length) - 1;
  const { mistake, rest } = said(diagnosis);
  return html`<p class="verdict" data-verdict=${verdict}>${words.verdicts[verdict]}</p>
    <div data-said>
      ${mistake ? html`<p class="answer">${mistake}</p>` : nothing}
      <p class=${mistake ? "note" : "answer"}>${rest}</p>
    </div>
    ${chosen < 0 ? nothing : html`${remedy(answer, chosen, words)}`}
    ${looked(answer, words)}
    ${
      departs && width > 0 && answer.positions.length > 0
        ? departing(departs.tokens, answer.positions.length, words.departing(departs.tokens.length), width)
        : nothing
    }
    ${
      chosen < 0
        ? nothing
        : html`${ranking(answer, chosen, words)} ${width > 0 ? pictures(answer, chosen, words, width) : nothing}`
    }`;
}

/** Explains in a sentence why there is no answer. */
function refused(problem: Problem, words: ToolsText): TemplateResult {
  const { fault, part, message } = problem;
  const where = part === undefined ? nothing : html`<strong>${words.parts[part] ?? part}</strong>: `;
  const sentence = refusedBy(problem, language.value);
  const what = sentence ?? html`${fault && words.fault[fault]} ${message ? html`<code>${message}</code>` : nothing}`;
  return html`<p class="problem" role="alert" data-refused=${fault ?? "library"}>${where}${what}</p>`;
}

/** Shows how long the diagnosis has been running, with a button that stops it. */
function progress(words: ToolsText): TemplateResult {
  const seconds = desk.waiting.value;
  return html`<div class="under-way" role="status">
    ${
      seconds === undefined
        ? nothing
        : html`<progress aria-label=${words.running(0)}></progress> <span>${words.running(seconds)}</span>
          <button type="button" data-stop @click=${desk.stop}>${words.stop}</button>`
    }
  </div>`;
}

export function result(words: ToolsText, width: number): TemplateResult {
  const outcome = desk.outcome.value;
  return html`<h3>${words.found(state.sample.value === "own" ? 3 : 2)}</h3>
    ${progress(words)}
    ${
      outcome === undefined
        ? html`<p class="note">${state.sample.value === "own" ? words.waiting : nothing}</p>`
        : outcome === "stopped"
          ? html`<p class="note">${words.stopped}</p>`
          : "problem" in outcome
            ? refused(outcome.problem, words)
            : diagnosed(outcome.answer, words, width)
    }`;
}
