import { effect, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import type { Posenc } from "posenc";
import type { below as Below, Fold } from "./below";
import { Frames } from "./frames";
import { heading } from "./heading";
import { link } from "./history";
import { language, text } from "./i18n";
import { page } from "./page-state";
import { type AnyPanelModule, type Context, fullLibrary, type Panel, type PanelEntry } from "./panel";
import { isPlayedIn, pause, playing } from "./play";
import type { refusal as Refusal } from "./refusal";
import { isInitial, reset } from "./state";

/** Whether the page's first figure is not drawn yet. */
let isFirst = true;
let isPrinting = false;
addEventListener("beforeprint", () => {
  isPrinting = true;
});
addEventListener("afterprint", () => {
  isPrinting = false;
});

type Mount = (body: HTMLElement, context: Omit<Context, "pe">) => Panel;

/** The mount function of a panel, once the library it needs is loaded. */
export async function mounting(module: AnyPanelModule, library: () => Promise<Posenc>): Promise<Mount> {
  const parts = module.parts?.();
  if (module.library !== "full") {
    const [pe] = await Promise.all([library(), parts]);
    return (body, context) => module.mount(body, { ...context, pe });
  }
  const [full] = await Promise.all([fullLibrary(), parts]);
  return (body, context) => module.mount(body, { ...context, pe: full });
}

/** Puts a panel with its heading, texts and buttons into `section` and keeps it up to date. */
export function host(section: HTMLElement, entry: PanelEntry, { uses, texts }: AnyPanelModule, mount: Mount): void {
  const { id } = section;
  const body = document.createElement("div");
  body.className = "panel-body";

  let panel: Panel | undefined;
  let problem: unknown;
  let refusal: typeof Refusal | undefined;
  const folds = new Set<Fold>();
  let below: typeof Below | undefined;
  let width = 0;

  const frames = new Frames(draw);
  const context = { frames, language: () => language.value, width: () => width };

  function draw(): void {
    // Without a width there is nothing to draw on; an update is requested when it gets one.
    width ||= body.clientWidth;
    if (!width) return;
    frames.isDrawn = true;
    try {
      panel ??= mount(body, context);
      panel.update();
      problem = undefined;
    } catch (error) {
      problem = error;
      explain();
    }
    if (isFirst) performance.mark("first-picture");
    isFirst = false;
    section.classList.remove("waiting");
    surround();
  }

  /** Fetches the module that explains errors of the library in sentences. */
  async function explain(): Promise<void> {
    if (refusal) return;
    ({ refusal } = await import("./refusal"));
    surround();
  }

  /** Unfolds a part below the figure or folds it again; the module that draws them is fetched with the first. */
  const toggle = (fold: Fold) => async () => {
    ({ below } = await import("./below"));
    folds.delete(fold) || folds.add(fold);
    surround();
  };

  const folding = (fold: Fold, label: string) => html`<button
      type="button" data-tool=${fold} aria-expanded=${String(folds.has(fold))} @click=${toggle(fold)}
    >${label}</button>`;

  function surround(): void {
    const words = text.value;
    const own = texts[language.value];
    const title = entry.title[language.value];
    render(
      html`
        <div class="prose">
          ${heading(id, title)}
          ${own.intro()}
        </div>
        <figure aria-labelledby="${id}-title" aria-describedby="${id}-caption">
          ${body}
          <p class="problem" role="alert">${problem ? refusal?.(problem, language.value) : nothing}</p>
          <figcaption id="${id}-caption">${panel && !problem ? panel.describe() : nothing}</figcaption>
          <div class="tools" role="group" aria-label=${words.tools}>
            ${folding("menu", words.menu)} ${folding("table", folds.has("table") ? words.hideTable : words.showTable)}
            ${
              isInitial(uses)
                ? nothing
                : html`<button type="button" data-tool="reset" @click=${() => reset(uses)}>${words.reset}</button>`
            }
          </div>
          ${panel && !problem ? below?.({ id, title, panel, body, uses, folds, folding, redraw: surround }) : nothing}
        </figure>
        <div class="prose">${own.outro()}</div>
      `,
      section,
    );
  }

  // Texts and links change at once, drawings when they are in sight.
  effect(() => {
    link.value;
    // Untracked: this effect depends on language and link, not on what a panel reads to describe itself.
    if (language.value) untracked(surround);
  });
  effect(() => {
    for (const row of [...uses, page.theme]) row.value;
    playing.value;
    if (language.value) frames.request();
  });
  new IntersectionObserver(
    (entries) => {
      frames.isSeen = entries[entries.length - 1].isIntersecting;
      // Nothing plays when its control is out of sight.
      if (!frames.isSeen && isPlayedIn(body)) pause();
    },
    { rootMargin: "200px 0px" },
  ).observe(section);
  new ResizeObserver(() => {
    if (body.clientWidth !== width) frames.request();
    width = body.clientWidth;
  }).observe(body);
  // A key goes on from the state, which may have changed since the last frame.
  body.addEventListener("keydown", () => frames.draw(), { capture: true });
  // Printers do not wait for a frame, nor does the reader for a figure in sight: what is below it would move.
  addEventListener("beforeprint", () => frames.draw());
  if (isFirst || isPrinting || section.getBoundingClientRect().top < innerHeight) frames.draw();
}
