import { effect, signal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { language, text } from "../i18n";
import type { PanelEntry } from "../panel";
import "./contents.css";

/** A part of the page, with the ids and titles of its figures. */
export interface Part {
  readonly title: PanelEntry["title"];
  readonly figures: readonly (readonly [id: string, title: PanelEntry["title"]])[];
}

export interface Ways {
  /** A link to a figure that keeps the state. */
  readonly linkTo: (id: string) => string;
  readonly go: (id: string) => void;
  /** Links to other pages, with their words. */
  readonly others: () => readonly (readonly [address: string, words: string])[];
}

/** The figure that the reader is at: the last one whose top has gone above this share of the screen. */
const line = 0.4;

function figureInSight(parts: readonly Part[]): string {
  let last = "";
  for (const [id] of parts.flatMap(({ figures }) => figures)) {
    const place = document.getElementById(id);
    // What is folded away has no place.
    if (place && !place.closest("details:not([open])") && place.getBoundingClientRect().top < innerHeight * line)
      last = id;
  }
  return last;
}

/** Contents that stay: beside the page where there is room, else a line at the top that unfolds. */
export function contents(element: HTMLElement, parts: readonly Part[], { linkTo, go, others }: Ways): void {
  const current = signal("");
  const isOpen = signal(false);
  let frame = 0;
  const look = () => {
    if (frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      current.value = figureInSight(parts);
    });
  };
  addEventListener("scroll", look, { passive: true });
  look();

  const close = () => {
    isOpen.value = false;
  };
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && isOpen.value) close();
  });

  const figure = ([id, title]: Part["figures"][number]) => html`<li>
    <a
      href=${linkTo(id)}
      aria-current=${current.value === id ? "location" : nothing}
      @click=${(event: Event) => {
        event.preventDefault();
        close();
        go(id);
      }}
      >${title[language.value]}</a
    >
  </li>`;

  effect(() => {
    const words = text.value;
    const at = parts.findIndex(({ figures }) => figures.some(([id]) => id === current.value));
    render(
      html`<button
          type="button"
          class="unfold"
          aria-expanded=${String(isOpen.value)}
          aria-controls="contents-list"
          aria-label=${words.contents}
          title=${words.contents}
          @click=${() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <span aria-hidden="true">☰</span>
        </button>
        <div id="contents-list" class=${isOpen.value ? "list open" : "list"}>
          <ol>
            ${parts.map(
              ({ title, figures }, place) => html`<li class=${place === at ? "part here" : "part"}>
                <span class="part-title">${place + 1}. ${title[language.value]}</span>
                <ol>
                  ${figures.map(figure)}
                </ol>
              </li>`,
            )}
          </ol>
          ${others().map(([address, word]) => html`<p class="elsewhere"><a href=${address}>${word}</a></p>`)}
        </div>`,
      element,
    );
    element.setAttribute("aria-label", words.contents);
  });
}
