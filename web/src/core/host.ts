import { effect, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import type { Posenc } from "posenc";
import type * as Tools from "./below/tools";
import type { FileKind, Fold } from "./below/tools";
import { Frames } from "./frames";
import { heading } from "./heading";
import { link } from "./history";
import { language, text } from "./i18n";
import { page } from "./page-state";
import { isAlone } from "./pages";
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
export async function mounting(module: AnyPanelModule, pe: Posenc): Promise<Mount> {
  if (module.library !== "full") return (body, context) => module.mount(body, { ...context, pe });
  const full = await fullLibrary();
  return (body, context) => module.mount(body, { ...context, pe: full });
}

/** Puts a panel with its heading, texts and buttons into `section` and keeps it up to date; returns a function that removes it. */
export function host(
  section: HTMLElement,
  entry: PanelEntry,
  { uses, texts }: AnyPanelModule,
  mount: Mount,
): () => void {
  const { id } = section;
  const body = document.createElement("div");
  body.className = "panel-body";

  let panel: Panel | undefined;
  let problem: unknown;
  let refusal: typeof Refusal | undefined;
  let copied = false;
  const unfolded = new Set<Fold>();
  let tools: typeof Tools | undefined;
  let width = 0;

  const frames = new Frames(draw, () => panel?.update());
  const context = { frames, language: () => language.value, width: () => width };

  function draw(what: () => void): void {
    // Without a width there is nothing to draw on; an update is requested when it gets one.
    width ||= body.clientWidth;
    if (!width) return;
    frames.isDrawn = true;
    try {
      panel ??= mount(body, context);
      what();
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

  /** Fetches the module of the tools, then calls `act` with it. */
  const using = (act: (fetched: typeof Tools) => unknown) => async () => {
    tools ??= await import("./below/tools");
    await act(tools);
    surround();
  };

  const file = (kind: FileKind) => using(({ download }) => panel && download(panel, `posenc-${id}`, kind));

  const toggle = (fold: Fold) => using(() => unfolded.delete(fold) || unfolded.add(fold));

  /** A button that unfolds something below the figure. */
  const folding = (fold: Fold, show: string, hide = show) => html`<button
      type="button" data-tool=${fold} aria-expanded=${String(unfolded.has(fold))} @click=${toggle(fold)}
    >${unfolded.has(fold) ? hide : show}</button>`;

  const copyLink = using((fetched) =>
    fetched.copyLink(id, (isCopied) => {
      copied = isCopied;
      surround();
    }),
  );

  function surround(): void {
    const words = text.value;
    const own = texts[language.value];
    render(
      html`
        <div class="prose">
          ${heading(id, entry.title[language.value])}
          ${own.intro()}
        </div>
        <figure aria-labelledby="${id}-title" aria-describedby="${id}-caption">
          ${body}
          <p class="problem" role="alert">${problem ? refusal?.(problem, language.value) : nothing}</p>
          <figcaption id="${id}-caption">${panel && !problem ? panel.describe() : nothing}</figcaption>
          <div class="tools" role="group" aria-label=${words.tools}>
            ${(["csv", "svg", "png"] as const).map(
              (kind) =>
                html`<button type="button" data-tool=${kind} @click=${file(kind)}>${kind.toUpperCase()}</button>`,
            )}
            ${folding("table", words.showTable, words.hideTable)} ${panel?.code ? folding("code", words.code) : nothing}
            ${isAlone ? nothing : folding("embed", words.embed)}
            <button type="button" data-tool="link" @click=${copyLink}>${copied ? words.copied : words.copyLink}</button>
            <button type="button" data-tool="reset" ?disabled=${isInitial(uses)} @click=${() => reset(uses)}>
              ${words.reset}
            </button>
            <span class="visually-hidden" role="status">${copied ? words.copied : nothing}</span>
          </div>
          ${panel && !problem ? tools?.below(id, entry.title[language.value], panel, uses, unfolded, surround) : nothing}
        </figure>
        <div class="prose">${own.outro()}</div>
      `,
      section,
    );
  }

  // Texts and links change at once, drawings when they are in sight.
  const stopWords = effect(() => {
    link.value;
    // Untracked: this effect depends on language and link, not on what a panel reads to describe itself.
    if (language.value) untracked(surround);
  });
  const stopState = effect(() => {
    for (const row of [...uses, page.theme]) row.value;
    playing.value;
    if (language.value) frames.request();
  });
  const observer = new IntersectionObserver(
    (entries) => {
      frames.isSeen = entries[entries.length - 1].isIntersecting;
      // Nothing plays when its control is out of sight.
      if (!frames.isSeen && isPlayedIn(body)) pause();
    },
    { rootMargin: "200px 0px" },
  );
  observer.observe(section);
  const sizes = new ResizeObserver(() => {
    if (body.clientWidth !== width) frames.request();
    width = body.clientWidth;
  });
  sizes.observe(body);
  // Printers do not wait for a frame, nor does the reader for the first figure.
  const drawNow = () => {
    frames.finish();
    frames.draw();
  };
  addEventListener("beforeprint", drawNow);
  if (isFirst || isPrinting) drawNow();

  return () => {
    removeEventListener("beforeprint", drawNow);
    stopWords();
    stopState();
    observer.disconnect();
    sizes.disconnect();
    frames.stop();
    panel?.destroy?.();
    render(nothing, section);
  };
}
