import { html, nothing, type TemplateResult } from "lit-html";
import type { PosencFull } from "posenc/full";
import { plain, significant } from "../core/format";
import { language } from "../core/i18n";
import { linkToPage, pageOf } from "../core/pages";
import { refusal } from "../core/refusal";
import { panels } from "../panels";
import { claims } from "./checks";
import { type ClaimId, type Finding, postOf, verdictOf } from "./claim";
import { figures } from "./figures";
import { formulas } from "./formulas";
import { outcomes, run } from "./outcomes";
import { type RowTexts, words } from "./texts";
import { setTrial, trialOf } from "./trials";

/** Six digits, or two and a power of ten where the number is tiny. */
function readable(value: number): string {
  if (value === 0 || Math.abs(value) >= 1e-4) return significant(value, 6);
  const [digits, exponent] = value.toExponential(1).split("e");
  return `${digits} × 10${[...exponent].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)])).join("")}`.replace(
    "-",
    "−",
  );
}

/** Formats numbers: integers as they are, others with few digits. */
const shown = (numbers: Finding["numbers"]) =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [
      name,
      Number.isSafeInteger(value) ? plain(value) : readable(value),
    ]),
  );

/** Quotes the post in its language, with its title and author. */
function quotation(id: ClaimId, { quotations, sources }: RowTexts) {
  const quoted = quotations[id];
  const post = postOf(id);
  return html`<blockquote class="quotation">
    ${"words" in quoted ? html`<q lang="zh-CN">${quoted.words}</q>` : html`<code>${quoted.code}</code>`}
    <cite lang="zh-CN">${words.value.source(post, sources[post])}</cite>
  </blockquote>`;
}

function result(id: ClaimId, { statements }: RowTexts) {
  const { failed, verdicts, waiting } = words.value;
  const outcome = outcomes[id].value;
  if (!outcome) return html`<p class="found">${waiting}</p>`;
  if ("problem" in outcome)
    return html`<p class="problem" role="alert">${failed} ${refusal(outcome.problem, language.value)}</p>`;
  const verdict = verdictOf(outcome.finding);
  return html`
    <p class="verdict" data-mark=${verdict} data-verdict=${verdict}>${verdicts[verdict]}</p>
    <p class="found">${statements[id](shown(outcome.finding.numbers))[1]}</p>
  `;
}

/** The controls of a check: its size, and a button that runs it again, with the next seed if it has one. */
function controls(pe: PosencFull, id: ClaimId) {
  const { again, figure: seeIn, seed, sizes } = words.value;
  const claim = claims[id];
  const trial = trialOf(id, claim);
  const change = (next: Partial<typeof trial>) => {
    setTrial(id, { ...trial, ...next });
    run(pe, id);
  };
  return html`<div class="tools">
    ${
      claim.sizes
        ? html`<label
            >${sizes[claim.sizes.of]}
            <select
              .value=${String(trial.size)}
              @change=${(event: Event) => change({ size: Number((event.target as HTMLSelectElement).value) })}
            >
              ${claim.sizes.choices.map((size) => html`<option value=${size} ?selected=${size === trial.size}>${size}</option>`)}
            </select></label
          >`
        : nothing
    }
    <button type="button" data-again @click=${() => change(claim.seeded ? { seed: trial.seed + 1 } : {})}>
      ${again}${claim.seeded ? html` <span class="seed">· ${seed} ${trial.seed}</span>` : nothing}
    </button>
    <a href=${linkToPage(pageOf(figures[id].at), figures[id])}
      >${seeIn(panels[figures[id].at].title[language.value])}</a
    >
  </div>`;
}

/** A row: the statement, the formula, the verdict and the numbers it follows from. */
export function statement(pe: PosencFull, id: ClaimId, texts: RowTexts): TemplateResult {
  return html`
    <h3 id="${id}-title" tabindex="-1"><span class="claim-id">${id}</span> ${texts.statements[id]({})[0]}</h3>
    ${quotation(id, texts)}
    <div class="claim-formula">${formulas[id]()}</div>
    <div aria-live="polite">${result(id, texts)}</div>
    ${controls(pe, id)} ${claims[id].trained ? html`<p class="trained">${words.value.fromStored}</p>` : nothing}
  `;
}
