import { effect, signal, untracked } from "@preact/signals-core";
import { html, render } from "lit-html";
import type { PosencFull } from "posenc/full";
import { bar } from "../core/bar";
import { versionLine } from "../core/footer/version";
import { language, text } from "../core/i18n";
import { keepForLater } from "../core/offline";
import { followTheme } from "../core/page-state";
import { fullLibrary } from "../core/panel";
import { goTo, keepPlace } from "../core/place";
import { followLink } from "../core/steps";
import { painted } from "../core/wait";
import { linkedRows } from "../panels";
import { type ClaimId, claimIds, postIds, postOf } from "./claim";
import { filters, isShown } from "./filters";
import { outcomes, run, runAll } from "./outcomes";
import { overview, summary } from "./overview";
import { state } from "./state";
import { statement } from "./statement";
import { fetchRowTexts, rowTexts, words } from "./texts";

const element = (id: string) => document.getElementById(id) as HTMLElement;

/** The library; undefined until it has started. */
const library = signal<PosencFull | undefined>(undefined);

/** Leads to a row, which may still be drawn. */
function go(id: ClaimId): void {
  const row = element(id);
  goTo(row);
  row.querySelector("h3")?.focus({ preventScroll: true });
}

/** Returns the statement that the link names. */
const linked = () => claimIds.find((id) => id === state.claim.value);

/** Runs the check of each given row once, when the row comes into view. */
function runWhenSeen(pe: PosencFull): (row: Element) => void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        const id = target.id as ClaimId;
        requestAnimationFrame(() => outcomes[id].peek() || run(pe, id));
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
      if (rowTexts.value) render(statement(pe, id, rowTexts.value), row);
    });
    if (id === asked) {
      isAbove = false;
      goTo(row);
    }
    if (!isAbove) await painted();
    whenSeen(row);
  }
}

function tools() {
  const pe = library.value;
  const isAll = claimIds.every((id) => outcomes[id].value);
  return html`<div class="tools">
    <button type="button" data-all ?disabled=${!pe || isAll} @click=${() => pe && runAll(pe)}>
      ${words.value.computeAll}
    </button>
  </div>`;
}

function frame(): void {
  const { nameOf, lead, sources, title, titles } = words.value;
  render(
    html`
      ${bar(title)}
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      ${summary()} ${overview(go)} ${filters()} ${tools()}
    `,
    element("header"),
  );
  render(
    html`
      <h2>${sources}</h2>
      <ul>
        ${postIds.map((id) => html`<li>${nameOf(id)}${text.value.colon}${titles[id]}</li>`)}
      </ul>
      ${versionLine()}
    `,
    element("footer"),
  );
}

const sections = () =>
  postIds.map(
    (id) => html`<section aria-labelledby="post-${id}">
      <h2 id="post-${id}"></h2>
      ${claimIds
        .filter((claim) => postOf(claim) === id)
        .map((claim) => html`<article id=${claim} class="claim" aria-labelledby="${claim}-title"></article>`)}
    </section>`,
  );

/** Hides the rows, and whole posts, that the reader has not asked for. */
function showFiltered(): void {
  for (const id of claimIds) element(id).hidden = !isShown(id);
  for (const id of postIds) {
    const heading = element(`post-${id}`);
    heading.textContent = words.value.nameOf(id);
    const section = heading.closest("section") as HTMLElement;
    section.hidden = section.querySelector("article:not([hidden])") === null;
  }
}

async function start(): Promise<void> {
  followLink(linkedRows, Object.values(state));
  followTheme();
  effect(frame);
  const main = element("main");
  render(html`<p class="status" role="status">${text.value.loading}</p>`, main);
  try {
    const [pe] = await Promise.all([fullLibrary(), fetchRowTexts(language.value)]);
    library.value = pe;
    render(html`${sections()}`, main);
    effect(showFiltered);
    effect(() => {
      fetchRowTexts(language.value).catch(console.error);
    });
    keepPlace(state.claim);
    // Which rows have a verdict is known when all have been computed.
    effect(() => {
      if (state.verdictShown.value !== "all") untracked(() => runAll(pe));
    });
    const asked = linked();
    let last = asked;
    effect(() => {
      const id = linked();
      if (id && id !== last) untracked(() => go(id));
      last = id;
    });
    await drawRows(pe, asked);
  } catch (error) {
    render(html`<p class="status" role="alert">${text.value.failed}</p>`, main);
    console.error(error);
  }
}

start().then(() => keepForLater());
