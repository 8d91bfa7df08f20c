import { computed, effect, signal, untracked } from "@preact/signals-core";
import { html, render } from "lit-html";
import { bar } from "../core/bar";
import { versionLine } from "../core/footer/version";
import { followLink } from "../core/history";
import { language, text } from "../core/i18n";
import { keepForLater } from "../core/offline";
import { followTheme } from "../core/page-state";
import { linkToPage } from "../core/pages";
import { linkedRows } from "../panels";
import { commands } from "./commands";
import * as desk from "./desk";
import { input } from "./input";
import { result } from "./result";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

const words = computed(() => ({ en, zh })[language.value]);
const element = (id: string) => document.getElementById(id) as HTMLElement;

/** Rows of this page that links to the others leave out. */
const nothingOfThisPage = Object.fromEntries(Object.entries(state).map(([name, { initial }]) => [name, initial]));

function header(): void {
  render(
    html`
      ${bar(words.value.title)}
      <h1>${words.value.heading}</h1>
      <p class="lead">${words.value.lead}</p>
      <nav aria-label=${words.value.elsewhere}>
        <p class="elsewhere"><a href=${linkToPage("index", { at: "", ...nothingOfThisPage })}>${words.value.figures}</a></p>
        <p class="elsewhere"><a href=${linkToPage("checked", { at: "", ...nothingOfThisPage })}>${text.value.checked}</a></p>
      </nav>
    `,
    element("header"),
  );
}

function footer(): void {
  render(
    html`<p><a href="./licences.txt">${words.value.licences}</a></p>
      ${versionLine()}`,
    element("footer"),
  );
}

/** Width of the result in CSS pixels. */
const width = signal(0);

function measure(place: Element): void {
  new ResizeObserver(([{ contentRect }]) => {
    width.value = Math.floor(contentRect.width);
  }).observe(place);
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Files may be dropped anywhere: beside the place for them the browser would open them, and the page were gone. */
function takeDrops(): void {
  const root = document.documentElement;
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    root.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) root.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    root.classList.remove("dropping");
    desk.addFiles([...(event.dataTransfer?.files ?? [])]);
  });
}

function start(): void {
  followLink([...linkedRows, ...Object.values(state)]);
  followTheme();
  effect(header);
  effect(footer);
  render(
    html`<section id="detective" aria-labelledby="detective-title">
        <h2 id="detective-title"></h2>
        <div id="input"></div>
        <div id="result" aria-live="polite"></div>
      </section>
      <section id="commands"></section>`,
    element("main"),
  );
  measure(element("result"));
  takeDrops();
  effect(() => {
    element("detective-title").textContent = words.value.detective;
    render(input(words.value), element("input"));
  });
  effect(() => {
    const place = element("result");
    place.classList.toggle("empty", desk.outcome.value === undefined && state.sample.value !== "own");
    render(result(words.value, width.value), place);
  });
  effect(() => {
    render(commands(words.value), element("commands"));
  });
  // Another example, or the same in another language.
  let spoken = language.peek();
  effect(() => {
    const sample = state.sample.value;
    const isSpoken = spoken === language.value;
    spoken = language.value;
    untracked(() => {
      if (sample !== "own") desk.run({ example: sample });
      else if (isSpoken) desk.clear();
      else desk.again();
    });
  });
}

start();

// Files kept for later are fetched after what is seen first.
const stopWaiting = effect(() => {
  if (desk.outcome.value === undefined && state.sample.value !== "own") return;
  queueMicrotask(() => stopWaiting());
  keepForLater();
});
