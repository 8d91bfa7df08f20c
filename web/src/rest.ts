import { effect, untracked } from "@preact/signals-core";
import type { Posenc } from "posenc";
import { onPage } from "./chapters";
import { block } from "./core/block";
import { linkTo } from "./core/history";
import { language, text } from "./core/i18n";
import { type Lazy, lazy } from "./core/lazy";
import { keepForLater } from "./core/offline";
import { here, linkToPage, linkToQuestions, otherPages, pageOf } from "./core/pages";
import type { AnyPanelModule } from "./core/panel";
import { followLinks, goTo, keepPlace } from "./core/place";
import { followLink } from "./core/steps";
import { followTouch } from "./core/touch";
import { at, type Chapter, chapters, linkedRows, type PanelId, panels, questions, slide } from "./panels";
import { panel as first } from "./panels/problem";
import "./later.css";

/* What the pages of figures have beside their first screen: all other figures, which are fetched as they come near. */

/** The code of all panels but the first, which is part of the page. */
const modules = import.meta.glob<{ panel: AnyPanelModule }>(["./panels/*/index.ts", "!./panels/problem/index.ts"]);

const fetchPanel = async (id: PanelId) =>
  id === "problem" ? first : (await modules[`./panels/${id}/index.ts`]()).panel;

const element = (id: string) => document.getElementById(id) as HTMLElement;

const own = chapters[here() === "more" ? "more" : "index"];
const shown = own.flatMap(({ figures }) => figures);

const opened: { [id in PanelId]?: Lazy } = {};
function show(id: PanelId): void {
  opened[id]?.open();
  goTo(element(id));
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
export function begin(): void {
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
export const drawFooter = () => import("./core/footer").then(({ footer }) => effect(footer), console.error);

/** The bar with the reader's sentence is fetched later; its height is reserved. */
const showSentence = () =>
  import("./controls/sentence").then(({ sentenceBar }) => sentenceBar(element("sentence")), console.error);

/** Draws the rest of the page around its first screen. */
export async function draw(pe: Posenc): Promise<void> {
  followLink(linkedRows);
  // Links of earlier editions lead to where a figure is now.
  if (at.value && pageOf(at.value) !== here()) return location.replace(linkToPage(pageOf(at.value)));
  followTouch();
  onPage.value = own.map(({ acts, ...chapter }) => ({
    ...chapter,
    above: acts && (() => block(acts[0], acts[1][language.value])),
  }));
  const panel = (id: PanelId) => {
    opened[id] ??= lazy(
      element(id),
      panels[id],
      () => fetchPanel(id),
      async () => pe,
    );
    return opened[id];
  };
  // The first figure is there.
  if (here() === "index") opened.problem = { open: async () => {}, ahead: async () => {} };
  addEventListener("beforeprint", () => Promise.all(shown.map((id) => panel(id).open())));
  await panel(shown[0]).open();
  showSentence();
  drawFooter();
  showContents();
  for (const id of shown) panel(id);
  keepPlace(at);
  followLinks(go);
  effect(() => {
    const id = at.value;
    if (id && !slide.peek()) untracked(() => go(id));
  });
  const stopWaiting = effect(() => {
    if (!slide.value) return;
    queueMicrotask(() => stopWaiting());
    untracked(() => showSlides(pe, (id) => panel(id).open())).catch(console.error);
  });
  keepForLater(shown.map(panel));
}

/** Shows a figure alone, in a frame of another page; returns whether there is such a figure. */
export function drawAlone(figure: string): boolean {
  const id = at.parse(figure);
  if (id) import("./core/embed").then(({ embed }) => embed(id, panels[id], linkedRows, () => fetchPanel(id)));
  return Boolean(id);
}
