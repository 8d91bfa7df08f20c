import { effect } from "@preact/signals-core";
import { html, render } from "lit-html";
import { load, type Posenc } from "posenc";
import { drawChapters, onPage } from "./chapters";
import { bar } from "./core/bar";
import { linkTo, readEarly } from "./core/history";
import { host, mounting } from "./core/host";
import { text } from "./core/i18n";
import { followTheme, page, reader, selection } from "./core/page-state";
import { here } from "./core/pages";
import { nextTask, painted } from "./core/wait";
import { first, firstChapter } from "./panels/first";
import { panel } from "./panels/problem";

/* The first screen of the pages of figures: the header and the first figure. Everything else is fetched once it is drawn. */

const isStory = here() !== "more";
/** Milliseconds of loading before a message appears. */
const moment = 100;
const element = (id: string) => document.getElementById(id) as HTMLElement;
const rest = () => import("./rest");

function header(): void {
  const words = text.value;
  const { title, statement } = words.ofPage[isStory ? "index" : "more"];
  const begin = async () => (await rest()).begin();
  render(
    html`
      <a class="skip" href=${linkTo(isStory ? "problem" : "lab")}>${words.skip}</a>
      ${bar(title, html`<button type="button" class="again" data-tool="slides" @click=${begin}>${words.slides}</button>`)}
      <h1>${statement}</h1>
    `,
    element("header"),
  );
}

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

/** Draws the first screen, then the rest of the page. */
async function start(): Promise<void> {
  readEarly([page, selection, reader, first.state].flatMap((state) => Object.values(state)));
  followTheme();
  try {
    // The library is compiled in another thread; meanwhile this one draws the header, in a task of its own.
    const headed = nextTask().then(() => effect(header));
    const pe = await loaded();
    await headed;
    if (isStory) onPage.value = [{ id: "problem", title: firstChapter, figures: ["problem"] }];
    effect(drawChapters);
    if (isStory) host(element("problem"), first, panel, await mounting(panel, async () => pe));
    await painted();
    await (await rest()).draw(pe);
  } catch (error) {
    showMessage("failed");
    (await rest()).drawFooter();
    console.error(error);
  }
}

/** The figure to show alone, in a frame of another page. */
const alone = new URLSearchParams(location.search).get("embed");
if (alone === null) start();
else
  rest().then(({ drawAlone }) => {
    if (!drawAlone(alone)) start();
  }, console.error);
