import { effect, untracked } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import type { PosencFull } from "posenc/full";
import type { Line } from "./format";
import { type Language, language, text } from "./i18n";
import { fullLibrary } from "./library";
import { isPlayedIn, pause, playing } from "./play";
import { isInitial, type Name, type PanelId, reset, state, writeLink } from "./state";
import type { dataTable as DataTableFunction, FileKind } from "./tools";

type DataTable = typeof DataTableFunction;

/*
 * The life of a panel:
 *
 *   mount ──▶ ready ──first frame──▶ on screen ◀───────▶ off screen ──▶ destroy
 *                                     │     ▲     seen     │     ▲
 *                              dirty  └─────┘              └─────┘  dirty: remembered, drawn when seen again
 *                              one update a frame
 *
 * A panel is marked dirty when a row of the state it uses changes, when the language, theme or size does, or when it
 * asks to be. `update` is called for it in the next frame, once, however often it was marked.
 */

/** What a panel is given. */
export interface Context<Library = Posenc> {
  readonly pe: Library;
  /** The language to speak during this update. */
  language(): Language;
  /** CSS pixels across, as the browser last laid it out: asking the element itself would cost a layout of the page. */
  width(): number;
  /** Asks for an update in the next frame. */
  markDirty(): void;
  /** The same, seen or not: a part of it has not been drawn yet. */
  markUndrawn(): void;
}

/** What a mounted panel can do. All of these may rely on the state alone, never on what was drawn before. */
export interface Panel {
  /** Draws the state. */
  update(): void;
  /** The numbers shown, line by line; the first line names the columns. Lines may be made as they are asked for. */
  rows(): Iterable<Line>;
  /** The drawing, as a file of its own. */
  svg(): string;
  /** What is to be seen, in a sentence or two in the reader's language. */
  describe(): string;
  destroy(): void;
}

/** The words around a panel. */
export interface PanelText {
  readonly intro: () => TemplateResult;
  /** Nothing as long as it is on its way. */
  readonly outro: () => TemplateResult | undefined;
}

interface Module<Library> {
  readonly id: PanelId;
  /** Rows of the state it draws; also what its reset button resets. */
  readonly uses: readonly Name[];
  readonly texts: Readonly<Record<Language, PanelText>>;
  mount(element: HTMLElement, context: Context<Library>): Panel;
}

/** A panel that the small entry of the library is enough for. */
export interface PanelModule extends Module<Posenc> {
  readonly library?: undefined;
}

/** A panel that needs `posenc/full`, which is fetched before it is mounted. */
export interface FullPanelModule extends Module<PosencFull> {
  readonly library: "full";
}

export type AnyPanelModule = PanelModule | FullPanelModule;

interface Figure {
  visible: boolean;
  drawn: boolean;
  draw(): void;
}

/** Whether the page's first figure is still to be drawn. */
let isFirst = true;

const dirty = new Set<Figure>();
let frame = 0;

function markDirty(figure: Figure): void {
  dirty.add(figure);
  if (!frame) frame = requestAnimationFrame(drawFrame);
}

function drawFrame(): void {
  frame = 0;
  let firsts = 0;
  // Of those there are now: who asks again while it draws is drawn in the next frame.
  for (const figure of [...dirty]) {
    // A panel not seen yet is drawn once all the same, one a frame: the page then keeps its height.
    if (!figure.visible && (figure.drawn || firsts++ > 0)) continue;
    dirty.delete(figure);
    figure.draw();
  }
  if (!frame && [...dirty].some((figure) => !figure.drawn)) frame = requestAnimationFrame(drawFrame);
}

type Mount = (body: HTMLElement, context: Omit<Context, "pe">) => Panel;

/** What mounts a panel, once the library it needs is there. */
export async function mounting(module: AnyPanelModule, pe: Posenc): Promise<Mount> {
  if (module.library !== "full") return (body, context) => module.mount(body, { ...context, pe });
  const full = await fullLibrary();
  return (body, context) => module.mount(body, { ...context, pe: full });
}

/** Puts a panel with its heading, texts and buttons into `section` and keeps it alive; gives the way to end it. */
export function host(section: HTMLElement, module: AnyPanelModule, mount: Mount): () => void {
  const { id, uses, texts } = module;
  const body = document.createElement("div");
  body.className = "panel-body";

  let panel: Panel | undefined;
  let problem = "";
  let copied = false;
  let tabular = false;
  let dataTable: DataTable | undefined;
  let width = 0;

  const figure: Figure = { visible: false, drawn: false, draw };
  const context = {
    language: () => language.value,
    width: () => width,
    markDirty: () => markDirty(figure),
    markUndrawn() {
      figure.drawn = false;
      markDirty(figure);
    },
  };

  function draw(): void {
    // Without a width there is nothing to draw on; it is marked dirty when it gets one.
    width ||= body.clientWidth;
    if (!width) return;
    figure.drawn = true;
    try {
      panel ??= mount(body, context);
      panel.update();
      problem = "";
    } catch (error) {
      // What the library refuses is told to the reader in its own words.
      problem = error instanceof Error ? error.message : String(error);
    }
    if (isFirst) performance.mark("first-picture");
    isFirst = false;
    section.classList.remove("waiting");
    surround();
  }

  const file = (kind: FileKind) => async () => {
    const { download } = await import("./tools");
    if (panel) await download(panel, `posenc-${id}`, kind);
  };

  async function toggleTable(): Promise<void> {
    dataTable ??= (await import("./tools")).dataTable;
    tabular = !tabular;
    surround();
  }

  async function copyLink(): Promise<void> {
    const address = new URL(writeLink({ at: id }), location.href).href;
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      // Without the clipboard the link is in the address bar, from where it can be copied by hand.
      history.replaceState(null, "", address);
    }
    copied = true;
    surround();
    setTimeout(() => {
      copied = false;
      surround();
    }, 2000);
  }

  function surround(): void {
    const words = text.value;
    const own = texts[language.value];
    render(
      html`
        <div class="prose">
          <h2 id="${id}-title" tabindex="-1">${words.panels[id]}</h2>
          ${own.intro()}
        </div>
        <figure aria-labelledby="${id}-title" aria-describedby="${id}-caption">
          ${body}
          <p class="problem" role="alert">${problem ? html`${words.refused} <code>${problem}</code>` : nothing}</p>
          <figcaption id="${id}-caption">${panel && !problem ? panel.describe() : nothing}</figcaption>
          <div class="tools" role="group" aria-label=${words.tools}>
            <button type="button" data-tool="csv" @click=${file("csv")}>${words.csv}</button>
            <button type="button" data-tool="svg" @click=${file("svg")}>${words.svg}</button>
            <button type="button" data-tool="png" @click=${file("png")}>${words.png}</button>
            <button type="button" data-tool="table" aria-expanded=${String(tabular)} @click=${toggleTable}>
              ${tabular ? words.hideTable : words.showTable}
            </button>
            <button type="button" data-tool="link" @click=${copyLink}>${copied ? words.copied : words.copyLink}</button>
            <button type="button" data-tool="reset" ?disabled=${isInitial(uses)} @click=${() => reset(uses)}>
              ${words.reset}
            </button>
            <span class="visually-hidden" role="status">${copied ? words.copied : nothing}</span>
          </div>
          ${tabular && dataTable && panel && !problem ? dataTable(panel.rows(), words.panels[id], words.tableCut) : nothing}
        </figure>
        <div class="prose">${own.outro()}</div>
      `,
      section,
    );
  }

  // Words change at once, seen or not; drawings when they are seen.
  const stopWords = effect(() => {
    // What the panel reads while it describes itself is not what this effect waits for.
    if (language.value) untracked(surround);
  });
  const stopState = effect(() => {
    for (const name of [...uses, "theme"] as const) state[name].value;
    playing.value;
    if (language.value) markDirty(figure);
  });
  const observer = new IntersectionObserver(
    (entries) => {
      figure.visible = entries[entries.length - 1].isIntersecting;
      if (figure.visible && dirty.has(figure)) markDirty(figure);
      // Nothing goes on when what set it going is out of sight.
      if (!figure.visible && isPlayedIn(body)) pause();
    },
    { rootMargin: "200px 0px" },
  );
  observer.observe(section);
  const sizes = new ResizeObserver(() => {
    if (body.clientWidth !== width) markDirty(figure);
    width = body.clientWidth;
  });
  sizes.observe(body);
  // It is what the reader waits for, and has no other to share the frame with.
  if (isFirst) {
    dirty.delete(figure);
    draw();
  }

  return () => {
    stopWords();
    stopState();
    observer.disconnect();
    sizes.disconnect();
    dirty.delete(figure);
    panel?.destroy();
    render(nothing, section);
  };
}
