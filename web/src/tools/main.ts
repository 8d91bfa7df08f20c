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
import { linked, state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

const words = computed(() => ({ en, zh })[language.value]);
const element = (id: string) => document.getElementById(id) as HTMLElement;

/** Rows of this page that links to the others leave out. */
const nothingOfThisPage = Object.fromEntries(linked.map(({ name, initial }) => [name, initial]));

function header(): void {
  const link = (page: "index" | "checked", name: string) =>
    html`<p class="elsewhere"><a href=${linkToPage(page, { at: "", ...nothingOfThisPage })}>${name}</a></p>`;
  render(
    html`
      ${bar(words.value.title)}
      <h1>${words.value.heading}</h1>
      <p class="lead">${words.value.lead}</p>
      <nav aria-label=${words.value.elsewhere}>
        ${link("index", words.value.figures)} ${link("checked", text.value.checked)}
      </nav>
    `,
    element("header"),
  );
}

function footer(): void {
  render(html`<p><a href="./licences.txt">${words.value.licences}</a></p>${versionLine()}`, element("footer"));
}

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

followLink([...linkedRows, ...linked]);
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
/** Width of the result in CSS pixels. */
const width = signal(0);
new ResizeObserver(([{ contentRect }]) => {
  width.value = Math.floor(contentRect.width);
}).observe(element("result"));
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
