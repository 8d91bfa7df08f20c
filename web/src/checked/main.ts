import { computed, effect, signal, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import type { PosencFull } from "posenc/full";
import { version } from "posenc/package.json";
import { bar } from "../core/bar";
import { plain, significant } from "../core/format";
import { followLink } from "../core/history";
import { language, text } from "../core/i18n";
import { fullLibrary } from "../core/library";
import { keepForLater } from "../core/offline";
import { linkToPage } from "../core/pages";
import { goTo, keepPlace } from "../core/place";
import { followTheme } from "../core/theme";
import { painted } from "../core/wait";
import { linkedRows, panels } from "../panels";
import { claims } from "./checks";
import { type ClaimId, claimIds, documentOf, documents, type Finding, verdictOf } from "./claim";
import { figures } from "./figures";
import { formulas } from "./formulas";
import { inThisTab, trainedClaim, trainingsChanged, trainingsFor } from "./in-this-tab";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { setTrial, trialOf } from "./trials";

/** State of this page that links to the figures leave out. */
const nothingOfThisPage = { trials: "", claim: "" };

const checked = computed(() => ({ en, zh })[language.value]);
const element = (id: string) => document.getElementById(id) as HTMLElement;

/** What each check found when it ran last; undefined until its row is seen. */
type Outcome = { readonly finding: Finding } | { readonly problem: string };
const outcomes = Object.fromEntries(claimIds.map((id) => [id, signal<Outcome | undefined>(undefined)])) as Record<
  ClaimId,
  ReturnType<typeof signal<Outcome | undefined>>
>;

function run(pe: PosencFull, id: ClaimId): void {
  try {
    outcomes[id].value = { finding: claims[id].check(pe, trialOf(id, claims[id]), trainingsFor(id).trainings) };
  } catch (error) {
    outcomes[id].value = { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Numbers as they are shown: integers as they are, others with six digits. */
const shown = (numbers: Finding["numbers"]) =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [
      name,
      Number.isSafeInteger(value) ? plain(value) : significant(value, 6),
    ]),
  );

function result(id: ClaimId) {
  const { words, claims: texts } = checked.value;
  const outcome = outcomes[id].value;
  if (!outcome) return html`<p class="found">${words.waiting}</p>`;
  if ("problem" in outcome)
    return html`<p class="problem" role="alert">${words.failed} <code>${outcome.problem}</code></p>`;
  const verdict = verdictOf(outcome.finding);
  return html`
    <p class="verdict" data-verdict=${verdict}>${words.verdicts[verdict]}</p>
    <p class="found">${texts[id].found(shown(outcome.finding.numbers))}</p>
  `;
}

/** What a reader may change: the size, and the seed by running again. */
function controls(pe: PosencFull, id: ClaimId) {
  const { words } = checked.value;
  const claim = claims[id];
  const trial = trialOf(id, claim);
  const change = (next: Partial<typeof trial>) => {
    setTrial(id, { ...trial, ...next });
    run(pe, id);
  };
  const figure = figures[id];
  return html`<div class="tools">
    ${
      claim.sizes
        ? html`<label
            >${words.sizes[claim.sizes.of]}
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
      ${words.again}${claim.seeded ? html` <span class="seed">(${words.seed} ${trial.seed})</span>` : nothing}
    </button>
    <a href=${linkToPage("index", { ...figure, ...nothingOfThisPage })}
      >${words.figure(panels[figure.at].title[language.value])}</a
    >
  </div>`;
}

function rowOf(pe: PosencFull, id: ClaimId) {
  const { claims: texts, words } = checked.value;
  const { trained } = claims[id];
  return html`
    <h3 id="${id}-title"><span class="claim-id">${id}</span> ${texts[id].says}</h3>
    <div class="claim-formula">${formulas[id]()}</div>
    <div aria-live="polite">${result(id)}</div>
    ${controls(pe, id)} ${trained ? inThisTab(id, trained, words) : nothing}
  `;
}

/** Runs the check of each given row once, when the row comes into view. */
function runWhenSeen(pe: PosencFull): (row: Element) => void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        requestAnimationFrame(() => run(pe, target.id as ClaimId));
      }
    },
    { rootMargin: "100px 0px" },
  );
  return (row) => observer.observe(row);
}

/**
 * Draws the rows from the top down, one a frame: all at once would block a phone for a second. The rows down to the one
 * `asked` for are drawn together first, so that it does not move afterwards.
 */
async function drawRows(pe: PosencFull, asked: ClaimId | undefined): Promise<void> {
  const whenSeen = runWhenSeen(pe);
  let isAbove = asked !== undefined;
  for (const id of claimIds) {
    const row = element(id);
    effect(() => {
      render(rowOf(pe, id), row);
    });
    if (id === asked) {
      isAbove = false;
      goTo(row);
    }
    if (!isAbove) await painted();
    whenSeen(row);
  }
}

function frame(): void {
  const { words } = checked.value;
  render(
    html`
      ${bar(words.title)}
      <h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      <p><a href=${linkToPage("index", { at: "", ...nothingOfThisPage })}>${words.back}</a></p>
      <p><a href=${linkToPage("tools", { at: "", ...nothingOfThisPage })}>${words.numbers}</a></p>
      <p class="summary" role="status">${summary()}</p>
    `,
    element("header"),
  );
  render(
    html`
      <h2>${words.sources}</h2>
      <ul>
        ${Object.values(documents).map((id) => html`<li>${words.document(id)}: ${words.titles[id]}</li>`)}
      </ul>
      <p class="version">${text.value.version(version)}</p>
    `,
    element("footer"),
  );
}

/** How many of each verdict there are so far. */
function summary(): string {
  const { words } = checked.value;
  const verdicts = claimIds.flatMap((id) => {
    const outcome = outcomes[id].value;
    return outcome && "finding" in outcome ? [verdictOf(outcome.finding)] : [];
  });
  const names = ["holds", "conditional", "illustrative", "refuted"] as const;
  const counts = names.map(
    (name) => `${words.verdicts[name]} ${verdicts.filter((verdict) => verdict === name).length}`,
  );
  return words.summary(counts.join(" · "));
}

const sections = () =>
  Object.entries(documents).map(
    ([letter, id]) => html`<section aria-labelledby="document-${id}">
      <h2 id="document-${id}"></h2>
      ${claimIds
        .filter((claim) => claim.startsWith(letter) && documentOf(claim) === id)
        .map((claim) => html`<article id=${claim} class="claim" aria-labelledby="${claim}-title"></article>`)}
    </section>`,
  );

async function start(): Promise<void> {
  followLink([...linkedRows, ...Object.values(state)]);
  followTheme();
  effect(frame);
  const main = element("main");
  render(html`<p class="status" role="status">${text.value.loading}</p>`, main);
  try {
    const pe = await fullLibrary();
    render(html`${sections()}`, main);
    effect(() => {
      for (const id of Object.values(documents))
        element(`document-${id}`).textContent = checked.value.words.document(id);
    });
    keepPlace();
    // When trainings in this tab are done, the verdict follows from them.
    effect(() => {
      const id = trainedClaim.value;
      if (trainingsChanged.value && id && outcomes[id].peek()) untracked(() => run(pe, id));
    });
    await drawRows(
      pe,
      claimIds.find((id) => id === state.claim.value),
    );
  } catch (error) {
    render(html`<p class="status" role="alert">${text.value.failed}</p>`, main);
    console.error(error);
  }
}

start().then(keepForLater);
