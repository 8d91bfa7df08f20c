import { effect, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { load, type Posenc } from "posenc";
import { bar } from "./core/bar";
import { block } from "./core/block";
import { anchored } from "./core/heading";
import { followLink, linkTo } from "./core/history";
import { language, text } from "./core/i18n";
import { type Lazy, lazy } from "./core/lazy";
import { keepForLater } from "./core/offline";
import { followTheme } from "./core/page-state";
import type { AnyPanelModule } from "./core/panel";
import { followTouch } from "./core/touch";
import { nextTask, painted } from "./core/wait";
import { at, type Chapter, chapters, linkedRows, type PanelId, panelIds, panels } from "./panels";
import { panel as first } from "./panels/problem";

/** The code of all panels but the first, which is part of the page. */
const modules = import.meta.glob<{ panel: AnyPanelModule }>(["./panels/*/index.ts", "!./panels/problem/index.ts"]);

const fetchPanel = async (id: PanelId) =>
  id === "problem" ? first : (await modules[`./panels/${id}/index.ts`]()).panel;

/** Milliseconds of loading before a message appears. */
const moment = 100;
const element = (id: string) => document.getElementById(id) as HTMLElement;

/** The other pages, in the same language and theme, by their names. */
const otherPages = (): [address: string, words: string][] => [
  [`./checked.html${linkTo("")}`, text.value.checked],
  [`./tools.html${linkTo("")}`, text.value.ports],
];

const opened: { [id in PanelId]?: Lazy } = {};
/** The module that leads to a figure and stays there, fetched once the first figure is drawn. */
let place: typeof import("./core/place") | undefined;
function show(id: PanelId): void {
  const section = element(id);
  section.closest("details")?.setAttribute("open", "");
  opened[id]?.open();
  place?.goTo(section);
  element(`${id}-title`).focus({ preventScroll: true });
}

/** Goes to a figure, also to the current one: the reader may have scrolled away from it. */
function go(figure: string): void {
  const id = figure as PanelId;
  if (at.value === id) show(id);
  else at.value = id;
}

function header(): void {
  const words = text.value;
  render(
    html`
      <a class="skip" href=${linkTo(panelIds[0])}>${words.skip}</a>
      ${bar(words.title)}
      <h1>${words.statement}</h1>
    `,
    element("header"),
  );
}

const titleOf = (id: PanelId) => panels[id].title[language.value];
const section = (id: PanelId) => html`<section id=${id} class="waiting" aria-labelledby="${id}-title"></section>`;

/** Links to the chapter before or after. */
function onward(chapter: Chapter | undefined, words: string, kind: "previous" | "next") {
  if (!chapter) return nothing;
  const [id] = chapter.story;
  return html`<a class=${kind} href=${linkTo(id)}>${words} ${chapter.title[language.value]}</a>`;
}

/** The placeholders of all figures. */
function story(): void {
  const words = text.value;
  render(
    chapters.map(
      ({ id, title, story, more, acts }, place) => html`<div class="chapter" id="chapter-${id}">
        <h2 class="chapter-title">${anchored(`${place + 1}. ${title[language.value]}`, story[0])}</h2>
        ${acts ? block(acts[0], acts[1][language.value]) : nothing}
        ${story.map(section)}
        ${
          more.length === 0
            ? nothing
            : html`<details class="more">
                <summary>${words.more} ${more.map(titleOf).join(" · ")}</summary>
                ${more.map(section)}
              </details>`
        }
        <nav class="onward" aria-label="${words.contents}: ${title[language.value]}">
          ${onward(chapters[place - 1], words.previous, "previous")} ${onward(chapters[place + 1], words.next, "next")}
        </nav>
      </div>`,
    ),
    element("main"),
  );
}

/** The contents are fetched later; their space is reserved. */
async function showContents(): Promise<void> {
  const { contents } = await import("./core/contents");
  const parts = chapters.map(({ title, story, more }) => ({
    title,
    figures: [...story, ...more].map((id) => [id, panels[id].title] as const),
  }));
  contents(element("contents"), parts, { linkTo, go, others: otherPages });
}

/** The footer is fetched later: the page is complete without it. */
const showFooter = () => import("./core/footer").then(({ footer }) => effect(footer), console.error);

/** The bar with the reader's sentence is fetched later; its height is reserved. */
const showSentence = () =>
  import("./controls/sentence").then(({ sentenceBar }) => sentenceBar(element("sentence")), console.error);

/** Shows a sentence in place of the figures; returns a function that removes it. */
function showMessage(status: "loading" | "failed"): () => void {
  const role = status === "failed" ? "alert" : "status";
  return effect(() => {
    render(html`<p class="status" role=${role}>${text.value[status]}</p>`, element("main"));
  });
}

/** Loads the library; a message appears if that takes longer than a moment. */
async function loaded(): Promise<Posenc> {
  let stop: (() => void) | undefined;
  const timer = setTimeout(() => {
    stop = showMessage("loading");
  }, moment);
  try {
    return await load();
  } finally {
    clearTimeout(timer);
    stop?.();
  }
}

/** Draws the page; returns all figures. */
async function start(): Promise<Lazy[] | undefined> {
  followLink(linkedRows);
  followTheme();
  followTouch();
  const main = element("main");
  try {
    // The library is compiled in another thread; meanwhile this one draws the header, in a task of its own.
    const headed = nextTask().then(() => effect(header));
    const pe = await loaded();
    await headed;
    const panel = (id: PanelId) => {
      opened[id] ??= lazy(element(id), panels[id], () => fetchPanel(id), pe);
      return opened[id];
    };
    const openAll = () => {
      for (const folded of main.querySelectorAll("details.more")) folded.setAttribute("open", "");
      return Promise.all(panelIds.map((id) => panel(id).open()));
    };
    effect(story);
    addEventListener("beforeprint", openAll);
    await panel("problem").open();
    await painted();
    showSentence();
    showFooter();
    showContents();
    place = await import("./core/place");
    for (const id of panelIds) panel(id);
    place.keepPlace(at);
    place.followLinks(go);
    effect(() => {
      const id = at.value;
      if (id) untracked(() => show(id));
    });
    return panelIds.map(panel);
  } catch (error) {
    showMessage("failed");
    showFooter();
    console.error(error);
    return undefined;
  }
}

/** The figure to show alone, in a frame of another page. */
const asked = new URLSearchParams(location.search).get("embed");
const alone = panelIds.find((id) => id === asked);
if (alone) import("./core/embed").then(({ embed }) => embed(alone, panels[alone], linkedRows, () => fetchPanel(alone)));
else start().then(keepForLater);
