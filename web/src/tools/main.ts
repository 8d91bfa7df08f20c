import { computed, effect, signal, untracked } from "@preact/signals-core";
import { html, render } from "lit-html";
import { load } from "posenc";
import { bar } from "../core/bar";
import { versionLine } from "../core/footer/version";
import { language } from "../core/i18n";
import { lazy } from "../core/lazy";
import { keepForLater } from "../core/offline";
import { followTheme } from "../core/page-state";
import type { AnyPanelModule } from "../core/panel";
import { followLinks, goTo, keepPlace } from "../core/place";
import { put } from "../core/state";
import { followLink } from "../core/steps";
import { followTouch } from "../core/touch";
import { at, linkedRows, type PanelId, panels } from "../panels";
import { commands } from "./commands";
import * as desk from "./desk";
import { input } from "./input";
import { result } from "./result";
import { linked, state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

const words = computed(() => ({ en, zh })[language.value]);
const element = (id: string) => document.getElementById(id) as HTMLElement;

function header(): void {
  render(
    html`
      ${bar(words.value.title)}
      <h1>${words.value.heading}</h1>
      <p class="lead">${words.value.lead}</p>
    `,
    element("header"),
  );
}

function footer(): void {
  render(html`<p><a href="./licences.txt">${words.value.licences}</a></p>${versionLine()}`, element("footer"));
}

/** The figures below the tools. */
const figures = ["config", "precision"] as const satisfies readonly PanelId[];
const modules = import.meta.glob<{ panel: AnyPanelModule }>("../panels/{config,precision}/index.ts");
const fetchPanel = async (id: PanelId) => (await modules[`../panels/${id}/index.ts`]()).panel;

/** Files may be dropped anywhere: beside the place for them the browser would open them, and the page were gone. */
function takeDrops(): void {
  const { classList } = document.documentElement;
  const onFiles = (type: "dragover" | "drop", does: (files: readonly File[]) => void) =>
    addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      does([...event.dataTransfer.files]);
    });
  onFiles("dragover", () => classList.add("dropping"));
  addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) classList.remove("dropping");
  });
  onFiles("drop", (files) => {
    classList.remove("dropping");
    desk.addFiles(files);
  });
}

/** Whether an answer of an example is still to come. */
const isEmpty = () => desk.outcome.value === undefined && state.sample.value !== "own";

followLink(linkedRows, linked);
followTheme();
followTouch();
effect(header);
effect(footer);
render(
  html`<section id="detective" aria-labelledby="detective-title">
      <h2 id="detective-title"></h2>
      <div id="input"></div>
      <div id="result" aria-live="polite"></div>
    </section>
    <section id="commands"></section>
    ${figures.map((id) => html`<section id=${id} class="waiting" aria-labelledby="${id}-title"></section>`)}`,
  element("main"),
);
const opened = figures.map((id) => lazy(element(id), panels[id], () => fetchPanel(id), load));
addEventListener("beforeprint", () => Promise.all(opened.map((figure) => figure.open())));
keepPlace(at);
followLinks((id) => put(at, id as PanelId));
effect(() => {
  const figure = figures.find((id) => id === at.value);
  if (!figure) return;
  goTo(element(figure));
  element(`${figure}-title`).focus({ preventScroll: true });
});
/** Width of the result in CSS pixels. */
const width = signal(0);
new ResizeObserver(([{ contentRect }]) => put(width, Math.floor(contentRect.width))).observe(element("result"));
takeDrops();
effect(() => {
  element("detective-title").textContent = words.value.detective;
  render(input(words.value), element("input"));
});
effect(() => {
  const place = element("result");
  place.classList.toggle("empty", isEmpty());
  render(result(words.value, width.value), place);
});
effect(() => {
  render(commands(words.value), element("commands"));
});
// Another example, or the same in another language.
effect(() => {
  const sample = state.sample.value;
  language.value;
  untracked(() => {
    if (sample === "own") desk.again();
    else desk.run({ example: sample });
  });
});

// Files kept for later are fetched after what is seen first.
const stopWaiting = effect(() => {
  if (isEmpty()) return;
  queueMicrotask(() => stopWaiting());
  keepForLater();
});
