import { effect, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { load, type Posenc } from "posenc";
import { bar } from "./core/bar";
import { followLink, link } from "./core/history";
import { language, text } from "./core/i18n";
import { type Lazy, lazy } from "./core/lazy";
import { keepForLater } from "./core/offline";
import { isAlone } from "./core/pages";
import type { AnyPanelModule } from "./core/panel";
import { writeLink } from "./core/state";
import { followTheme } from "./core/theme";
import { nextTask, painted } from "./core/wait";
import { at, linkedRows, type PanelId, panelIds, panels } from "./panels";
import { panel as heatmap } from "./panels/heatmap";

/** The code of all panels but the first, which is part of the page. */
const modules = import.meta.glob<{ panel: AnyPanelModule }>(["./panels/*/index.ts", "!./panels/heatmap/index.ts"]);

const fetchPanel = async (id: PanelId) =>
  id === "heatmap" ? heatmap : (await modules[`./panels/${id}/index.ts`]()).panel;

/** Milliseconds of loading before a message says so. */
const moment = 100;
const element = (id: string) => document.getElementById(id) as HTMLElement;

/** The link of the last settled state, to another panel: the header is not drawn again while the state changes. */
function linkTo(panel: PanelId | ""): string {
  link.value;
  return untracked(() => writeLink({ at: panel }));
}

/** The page of checked statements, in the same language and theme. */
const checkedLink = () => `./checked.html${linkTo("")}`;

const opened: { [id in PanelId]?: Lazy } = {};
/** How to lead to a figure and stay there, fetched once the first figure is drawn. */
let place: typeof import("./core/place") | undefined;
function show(id: PanelId): void {
  opened[id]?.open();
  place?.goTo(element(id));
  element(`${id}-title`).focus({ preventScroll: true });
}

function header(): void {
  const words = text.value;
  render(
    html`
      ${bar(words.title)}
      <h1>${words.statement}</h1>
      <p class="lead">${words.lead}</p>
      <nav aria-label=${words.contents}>
        <ol>
          ${panelIds.map(
            (id) => html`<li>
              <a
                href=${linkTo(id)}
                @click=${(event: Event) => {
                  event.preventDefault();
                  // The same panel again: the reader may have scrolled away from it.
                  if (at.value === id) show(id);
                  else at.value = id;
                }}
                >${panels[id].title[language.value]}</a
              >
            </li>`,
          )}
        </ol>
        ${isAlone ? nothing : html`<p class="elsewhere"><a href=${checkedLink()}>${words.checked}</a></p>`}
      </nav>
    `,
    element("header"),
  );
}

/** The footer is fetched later: the page is complete without it. */
const showFooter = () => import("./core/footer").then(({ footer }) => effect(footer), console.error);

/** Shows a sentence in place of the figures; returns how to remove it. */
function tell(status: "loading" | "failed"): () => void {
  const role = status === "failed" ? "alert" : "status";
  return effect(() => {
    render(html`<p class="status" role=${role}>${text.value[status]}</p>`, element("main"));
  });
}

/** Loads the library; a sentence says so if that takes longer than a moment. */
async function loaded(): Promise<Posenc> {
  let stop: (() => void) | undefined;
  const timer = setTimeout(() => {
    stop = tell("loading");
  }, moment);
  try {
    return await load();
  } finally {
    clearTimeout(timer);
    stop?.();
  }
}

async function start(): Promise<void> {
  followLink(linkedRows);
  followTheme();
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
    const openAll = () => Promise.all(panelIds.map((id) => panel(id).open()));
    render(
      panelIds.map((id) => html`<section id=${id} class="waiting" aria-labelledby="${id}-title"></section>`),
      main,
    );
    addEventListener("beforeprint", openAll);
    await panel("heatmap").open();
    await painted();
    showFooter();
    place = await import("./core/place");
    for (const id of panelIds) panel(id);
    place.keepPlace();
    effect(() => {
      const id = at.value;
      if (id) untracked(() => show(id));
    });
  } catch (error) {
    tell("failed");
    showFooter();
    console.error(error);
  }
}

start().then(keepForLater);
