import { html, nothing, type TemplateResult } from "lit-html";
import type { Explanation } from "posenc/tools";
import { codeBox } from "../code/box";
import { commentOf } from "../code/languages";
import { copyBox } from "../core/below/copy-box";
import { put } from "../core/state";
import { shortened } from "../draw/rounded";
import * as desk from "./desk";
import { departing, drawn } from "./pictures";
import type { Answer, Looked, Problem } from "./protocol";
import { sentenceOf } from "./sentences";
import { state } from "./state";
import type { ToolsText } from "./text.en";

/* Shows the answer in the library's sentences, in pictures and in code. */

const signs = { certain: "✓", likely: "≈", ambiguous: "?", "too-little": "?", none: "✗" };

const extents = (shape: readonly number[]) => `[${shape.join(", ")}]`;

function looked(parts: readonly Looked[], dtype: string, words: ToolsText): TemplateResult {
  const all = parts.map(({ part, shape, of }) => {
    const size = of ? words.firstPart(extents(shape), extents(of)) : extents(shape);
    return `${words.parts[part]} ${size}`;
  });
  return html`<p class="note" data-looked>${words.looked(all, dtype)}</p>`;
}

/** An explanation to choose, with what it leaves unexplained. */
function explanation(
  { sentences, mistakes, residual, text }: Explanation,
  at: number,
  chosen: number,
  words: ToolsText,
) {
  const choose = () => put(state.explanation, at + 1);
  return html`<tr data-rank=${at + 1} class=${at === chosen ? "chosen" : ""}>
    <th scope="row">
      <label class="rank"><input type="radio" name="rank" .checked=${at === chosen} @change=${choose} />
        ${at + 1}<span class="visually-hidden">: ${text}</span></label>
    </th>
    <td class="what">${sentences.found}</td>
    <td class="what">
      ${mistakes.map((name, i) => html`<p class="mistake" data-mistake=${name}>${sentences.mistakes[i]}</p>`)}
      ${sentences.differs || (mistakes.length === 0 ? words.noMistake : nothing)}
    </td>
    <td class="weight">${shortened(residual.ulps)}</td>
    <td class="weight">${shortened(residual.units)}</td>
  </tr>`;
}

const ranking = (all: readonly Explanation[], chosen: number, words: ToolsText) =>
  html`<h3 id="explanations-title">${words.explanations}</h3>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="explanations-title">
      <table class="explanations">
        <thead>
          <tr>${words.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr>
        </thead>
        <tbody>${all.map((each, at) => explanation(each, at, chosen, words))}</tbody>
      </table>
    </div>
    <p class="note">${words.residualNote}</p>`;

/** What mends the numbers that are there, and code that makes them right. */
function remedy({ diagnosis, codes, hasExpected }: Answer, chosen: number, words: ToolsText): TemplateResult {
  const what = diagnosis.explanations[chosen].remedy;
  const text = what?.text ?? (hasExpected ? "" : words.notExpected);
  const title = hasExpected ? words.code : words.codeFound;
  const language = state.codeLanguage.value;
  const { mended, whole } = codes[chosen];
  const head = (name: keyof ToolsText["codeWords"]) => `${commentOf(language)} ${words.codeWords[name]}\n`;
  const parts = mended.map(([name, programs]) => head(name) + programs[language]);
  if (whole) parts.push(`${parts.length > 0 ? head("right") : ""}${whole[language]}`);
  const program = parts.join("\n\n");
  return html`<h3>${words.remedy}</h3>
    ${text ? html`<p data-remedy>${text}</p>` : nothing}
    <h4>${title}</h4>
    ${codeBox(state.codeLanguage, "code", title, program, words.noCode)}
    ${(["dims", "rows"] as const).map((id) => {
      const order = what?.[id];
      const label = words[id](order?.length ?? 0);
      return order && html`<details><summary>${label}</summary>${copyBox(id, label, order.join(", "))}</details>`;
    })}`;
}

function diagnosed(answer: Answer, words: ToolsText, width: number): TemplateResult {
  const { verdict, explanations, departs, dtype, text } = answer.diagnosis;
  const chosen = Math.min(state.explanation.value, explanations.length) - 1;
  // The mistake comes by itself, if the answer names one, before the rest of its sentences.
  const mistake = explanations[0]?.sentences.mistakes.find((sentence) => text.includes(sentence)) ?? "";
  const rest = text.replace(mistake, "").replace("  ", " ").trim();
  const [isThere, hasWidth] = [chosen >= 0, width > 0];
  return html`<p class="verdict" data-verdict=${verdict}>${signs[verdict]} ${words.verdicts[verdict]}</p>
    <div data-said>
      ${mistake ? html`<p class="answer">${mistake}</p>` : nothing}
      <p class=${mistake ? "note" : "answer"}>${rest}</p>
    </div>
    ${isThere ? remedy(answer, chosen, words) : nothing} ${looked(answer.looked, dtype, words)}
    ${
      departs && hasWidth && answer.tokens > 0
        ? departing(departs.tokens, answer.tokens, words.departing(departs.tokens.length), width)
        : nothing
    }
    ${isThere ? ranking(explanations, chosen, words) : nothing}
    ${isThere && hasWidth ? drawn(answer.pictures[chosen], words, chosen + 1, width) : nothing}`;
}

/** Explains in a sentence why there is no answer. */
function refused(problem: Problem, words: ToolsText): TemplateResult {
  const { fault = "library", part } = problem;
  const where = part === undefined ? nothing : html`<strong>${words.parts[part]}</strong>: `;
  return html`<p class="problem" role="alert" data-refused=${fault}>${where}${sentenceOf(problem, words)}</p>`;
}

/** The answer, below how long the diagnosis has been running and a button that stops it. */
export function result(words: ToolsText, width: number): TemplateResult {
  const outcome = desk.outcome.value;
  const seconds = desk.waiting.value;
  const isOwn = state.sample.value === "own";
  const note = outcome === "stopped" ? words.stopped : outcome === undefined && isOwn ? words.waiting : "";
  return html`<h3>${words.found(isOwn ? 3 : 2)}</h3>
    <div class="under-way" role="status">
      ${
        seconds === undefined
          ? nothing
          : html`<progress aria-label=${words.running(0)}></progress> <span>${words.running(seconds)}</span>
            <button type="button" data-stop @click=${desk.stop}>${words.stop}</button>`
      }
    </div>
    ${note ? html`<p class="note">${note}</p>` : nothing}
    ${
      typeof outcome !== "object"
        ? nothing
        : "problem" in outcome
          ? refused(outcome.problem, words)
          : diagnosed(outcome, words, width)
    }`;
}
