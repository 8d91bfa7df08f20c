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
import { here, linkToPage, linkToQuestions, otherPages, pageOf } from "./core/pages";
import type { AnyPanelModule } from "./core/panel";
import { followTouch } from "./core/touch";
import { nextTask, painted } from "./core/wait";
import { at, type Chapter, chapters, linkedRows, type PanelId, panels, questions, slide } from "./panels";
import { panel as first } from "./panels/problem";

/* The pages of figures: the story, and what stands beside it. */

/** The code of all panels but the first, which is part of the page. */
const modules = import.meta.glob<{ panel: AnyPanelModule }>(["./panels/*/index.ts", "!./panels/problem/index.ts"]);

const fetchPanel = async (id: PanelId) =>
  id === "problem" ? first : (await modules[`./panels/${id}/index.ts`]()).panel;

/** Milliseconds of loading before a message appears. */
const moment = 100;
const element = (id: string) => document.getElementById(id) as HTMLElement;

const own = chapters[here() === "more" ? "more" : "index"];
const shown = own.flatMap(({ figures }) => figures);

const opened: { [id in PanelId]?: Lazy } = {};
/** The module that leads to a figure and stays there, fetched once the first figure is drawn. */
let place: typeof import("./core/place") | undefined;
function show(id: PanelId): void {
  opened[id]?.open();
  place?.goTo(element(id));
  element(`${id}-title`).focus({ preventScroll: true });
}

/** Goes to a figure, also to the current one: the reader may have scrolled away from it. */
function go(figure: string): void {
  const id = figure as PanelId;
  slide.value = "";
  if (pageOf(id) !== here()) location.href = linkTo(id);
  else if (at.value === id) show(id);
  else at.value = id;
}

/** Begins the slides with the figure in sight. */
function begin(): void {
  slide.value = shown.find((id) => element(id).getBoundingClientRect().bottom > innerHeight / 2) ?? shown[0];
}

/** Shows slides, which are fetched when a reader first asks for one. */
async function showSlides(pe: Posenc, open: (id: PanelId) => Promise<void>): Promise<void> {
  const deck = await import("./core/slides");
  element("main").append(Object.assign(document.createElement("section"), { id: questions }));
  const asking = async () => {
    const { questions: draw } = await import("./core/slides/questions");
    const figures = shown.map(async (id) => ({ id, title: panels[id].title, module: await fetchPanel(id) }));
    await draw(element(questions), pe, await Promise.all(figures));
  };
  let asked: Promise<void> | undefined;
  const openAny = (id: string) => {
    if (id !== questions) return open(id as PanelId);
    asked ??= asking();
    return asked;
  };
  const leave = (id: string) => id !== questions && show(id as PanelId);
  deck.slides({ row: slide, ids: here() === "index" ? [...shown, questions] : shown, open: openAny, leave });
}

function header(): void {
  const words = text.value;
  const { title, statement } = words.ofPage[here() === "more" ? "more" : "index"];
  render(
    html`
      <a class="skip" href=${linkTo(shown[0])}>${words.skip}</a>
      ${bar(title, html`<button type="button" class="again" data-tool="slides" @click=${begin}>${words.slides}</button>`)}
      <h1>${statement}</h1>
    `,
    element("header"),
  );
}

const section = (id: PanelId) => html`<section id=${id} class="waiting" aria-labelledby="${id}-title"></section>`;

/** The placeholders of all figures. */
function story(): void {
  render(
    own.map(
      ({ id, title, figures, acts }, place) => html`<div class="chapter" id="chapter-${id}">
        <h2 class="chapter-title">${anchored(`${place + 1}. ${title[language.value]}`, figures[0])}</h2>
        ${acts ? block(acts[0], acts[1][language.value]) : nothing} ${figures.map(section)}
      </div>`,
    ),
    element("main"),
  );
}

/** Links to the slide with all questions, and to the other pages. */
const others = () => [[linkToQuestions(), text.value.questions] as const, ...otherPages()];

/** The contents are fetched later; their space is reserved. */
async function showContents(): Promise<void> {
  const { contents } = await import("./core/contents");
  const part = ({ title, figures }: Chapter) => ({
    title,
    figures: figures.map((id) => [id, panels[id].title] as const),
  });
  const everywhere = Object.values(chapters).flat().map(part);
  contents(element("contents"), own.map(part), { linkTo, go, others, everywhere });
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
  // Links of earlier editions lead to where a figure is now.
  if (at.value && pageOf(at.value) !== here()) {
    location.replace(linkToPage(pageOf(at.value)));
    return undefined;
  }
  followTheme();
  followTouch();
  try {
    // The library is compiled in another thread; meanwhile this one draws the header, in a task of its own.
    const headed = nextTask().then(() => effect(header));
    const pe = await loaded();
    await headed;
    const panel = (id: PanelId) => {
      opened[id] ??= lazy(
        element(id),
        panels[id],
        () => fetchPanel(id),
        async () => pe,
      );
      return opened[id];
    };
    effect(story);
    addEventListener("beforeprint", () => Promise.all(shown.map((id) => panel(id).open())));
    await panel(shown[0]).open();
    await painted();
    showSentence();
    showFooter();
    showContents();
    place = await import("./core/place");
    for (const id of shown) panel(id);
    place.keepPlace(at);
    place.followLinks(go);
    effect(() => {
      const id = at.value;
      if (id && !slide.peek()) untracked(() => go(id));
    });
    const stopWaiting = effect(() => {
      if (!slide.value) return;
      queueMicrotask(() => stopWaiting());
      untracked(() => showSlides(pe, (id) => panel(id).open())).catch(console.error);
    });
    return shown.map(panel);
  } catch (error) {
    showMessage("failed");
    showFooter();
    console.error(error);
    return undefined;
  }
}

/** The figure to show alone, in a frame of another page. */
const alone = at.parse(new URLSearchParams(location.search).get("embed") ?? "");
if (alone) import("./core/embed").then(({ embed }) => embed(alone, panels[alone], linkedRows, () => fetchPanel(alone)));
else start().then(keepForLater);
