import { effect, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { load } from "posenc";
import { version } from "posenc/package.json";
import { bar } from "./bar";
import { followLink, link } from "./history";
import { text } from "./i18n";
import { type Lazy, lazy } from "./lazy";
import { keepForLater } from "./offline";
import type { AnyPanelModule } from "./panel";
import { heatmap } from "./panels/heatmap";
import { type PanelId, state, writeLink } from "./state";
import { followTheme } from "./theme";

/** In the order of the page. All but the first are fetched when they come near. */
const panels: { [id in PanelId]: () => Promise<AnyPanelModule> } = {
  heatmap: async () => heatmap,
  waves: async () => (await import("./panels/waves")).waves,
  order: async () => (await import("./panels/order")).order,
  sum: async () => (await import("./panels/sum")).sum,
  similarity: async () => (await import("./panels/similarity")).similarity,
  absolute: async () => (await import("./panels/absolute")).absolute,
  relative: async () => (await import("./panels/relative")).relative,
  rope: async () => (await import("./panels/rope")).rope,
  score: async () => (await import("./panels/score")).score,
  pairs: async () => (await import("./panels/pairs")).pairs,
  decay: async () => (await import("./panels/decay")).decay,
  patches: async () => (await import("./panels/patches")).patches,
  methods: async () => (await import("./panels/methods")).methods,
  context: async () => (await import("./panels/context")).longContext,
  precision: async () => (await import("./panels/precision")).precision,
  config: async () => (await import("./panels/config")).config,
};
const ids = Object.keys(panels) as PanelId[];
const element = (id: string) => document.getElementById(id) as HTMLElement;

/** In one file there is no other page beside this one. */
const isAlone = import.meta.env.MODE === "single";

/** The state as it last came to rest, with another panel; while it changes the header need not be drawn. */
function linkTo(at: PanelId | ""): string {
  link.value;
  return untracked(() => writeLink({ at }));
}

/** The page of checked statements, in the same language and theme. */
const checkedLink = () => `./checked.html${linkTo("")}`;

const opened: { [id in PanelId]?: Lazy } = {};
/** The panel the reader asked for, until the reader moves on. */
let wanted: PanelId | "" = "";

function show(id: PanelId): void {
  wanted = id;
  opened[id]?.open();
  element(id).scrollIntoView({ behavior: "instant" });
  element(`${id}-title`).focus({ preventScroll: true });
}

/** Panels above the one asked for grow as they are drawn: what was asked for keeps its place. */
function keepPlace(main: HTMLElement): void {
  new ResizeObserver(() => {
    if (wanted) element(wanted).scrollIntoView({ behavior: "instant" });
  }).observe(main);
  for (const moved of ["wheel", "touchmove", "pointerdown", "keydown"])
    addEventListener(
      moved,
      () => {
        wanted = "";
      },
      { capture: true, passive: true },
    );
}

function frame(): void {
  const words = text.value;
  render(
    html`
      ${bar(words.title)}
      <h1>${words.statement}</h1>
      <p class="lead">${words.lead}</p>
      <nav aria-label=${words.contents}>
        <ol>
          ${ids.map(
            (id) => html`<li>
              <a
                href=${linkTo(id)}
                @click=${(event: Event) => {
                  event.preventDefault();
                  // The panel that is there already may have been left.
                  if (state.at.value === id) show(id);
                  else state.at.value = id;
                }}
                >${words.panels[id]}</a
              >
            </li>`,
          )}
        </ol>
        ${isAlone ? nothing : html`<p class="elsewhere"><a href=${checkedLink()}>${words.checked}</a></p>`}
      </nav>
    `,
    element("header"),
  );
  render(
    html`
      <h2>${words.sources}</h2>
      <ul>
        ${words.sourceList.map((source) => html`<li>${source}</li>`)}
      </ul>
      ${isAlone ? nothing : html`<p><a href="./api/index.html">${words.reference}</a></p>`}
      <p class="version">${words.version(version)}</p>
    `,
    element("footer"),
  );
}

async function start(): Promise<void> {
  followLink();
  followTheme();
  effect(frame);
  const main = element("main");
  const tell = (status: "loading" | "failed") =>
    effect(() => {
      const role = status === "failed" ? "alert" : "status";
      render(html`<p class="status" role=${role}>${text.value[status]}</p>`, main);
    });
  const stopLoading = tell("loading");
  try {
    const pe = await load();
    stopLoading();
    render(
      ids.map((id) => html`<section id=${id} aria-labelledby="${id}-title"></section>`),
      main,
    );
    for (const id of ids) opened[id] = lazy(element(id), id, panels[id], pe);
    opened.heatmap?.open();
    addEventListener("beforeprint", () => {
      for (const id of ids) opened[id]?.open();
    });
    keepPlace(main);
    effect(() => {
      const at = state.at.value;
      if (at) untracked(() => show(at));
    });
  } catch (error) {
    stopLoading();
    tell("failed");
    console.error(error);
  }
}

start();
keepForLater();
