import { effect, signal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { language, text } from "../i18n";
import { put } from "../state";
import type { has as Has, Item, Kind, Part } from "./search";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./contents.css";

const texts = { en, zh };

export interface Ways {
  /** A link to a figure that keeps the state. */
  readonly linkTo: (id: string) => string;
  readonly go: (id: string) => void;
  /** The parts of all pages, which the search finds. */
  readonly everywhere: readonly Part[];
  /** Links to other pages, with their words. */
  readonly others: () => readonly (readonly [address: string, words: string])[];
}

/** The current figure is the last one whose top is above this share of the screen. */
const line = 0.4;

function figureInSight(parts: readonly Part[]): string {
  let last = "";
  for (const [id] of parts.flatMap(({ figures }) => figures)) {
    const place = document.getElementById(id);
    // A folded figure has no position.
    if (place && !place.closest("details:not([open])") && place.getBoundingClientRect().top < innerHeight * line)
      last = id;
  }
  return last;
}

/** Contents that stay: beside a wide page, else a line at the top that unfolds. */
export function contents(element: HTMLElement, parts: readonly Part[], { linkTo, go, others, everywhere }: Ways): void {
  const current = signal("");
  const isOpen = signal(false);
  const query = signal("");
  const index = signal<readonly Item[]>([]);
  let has: typeof Has | undefined;
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

  const close = () => put(isOpen, false);
  const field = () => element.querySelector<HTMLInputElement>("input");
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen.value) close();
    // A single character would be a shortcut that nobody could turn off.
    if (event.key !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    isOpen.value = true;
    field()?.focus();
  });

  /** Fetches the index when the field gets the focus. */
  async function fetchIndex(): Promise<void> {
    if (has) return;
    const search = await import("./search");
    ({ has } = search);
    index.value = await search.indexOf(everywhere);
  }

  /** Escape clears the field, Enter goes to the first result, and arrow keys walk through the results. */
  function walk(event: KeyboardEvent): void {
    const places = [...element.querySelectorAll<HTMLElement>("input, .found a")];
    const at = places.indexOf(event.target as HTMLElement);
    const next = places[at + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? Number.NaN)];
    if (at >= 0 && next) {
      event.preventDefault();
      next.focus();
    } else if (event.key === "Enter" && at === 0) places[1]?.click();
    else if (event.key === "Escape" && query.value) {
      event.preventDefault();
      event.stopPropagation();
      query.value = "";
      field()?.focus();
    }
  }

  const link = (id: string, words: unknown, isHere = false) => html`<a
    href=${linkTo(id)}
    aria-current=${isHere ? "location" : nothing}
    @click=${(event: Event) => {
      event.preventDefault();
      close();
      go(id);
    }}
    >${words}</a
  >`;

  const figure = ([id, title]: Part["figures"][number]) =>
    html`<li>${link(id, title[language.value], current.value === id)}</li>`;

  const outline = () => {
    const at = parts.findIndex(({ figures }) => figures.some(([id]) => id === current.value));
    return html`<ol>
        ${parts.map(
          ({ title, figures }, place) => html`<li class=${place === at ? "part here" : "part"}>
            <span class="part-title">${place + 1}. ${title[language.value]}</span>
            <ol>
              ${figures.map(figure)}
            </ol>
          </li>`,
        )}
      </ol>
      ${others().map(
        ([address, word]) => html`<p class="elsewhere"><a href=${address} @click=${close}>${word}</a></p>`,
      )}`;
  };

  /** Links to the results, by kind; undefined without a query or while there is no index. */
  const found = (): readonly (readonly [kind: Kind, links: readonly unknown[]])[] | undefined => {
    if (query.value.trim() === "" || index.value.length === 0) return undefined;
    const fits = index.value.filter(({ text }) => has?.(text, query.value));
    const of = (kind: Kind) =>
      fits
        .filter((item) => item.kind === kind)
        .map(({ figure: id, names, explained }) =>
          link(
            id,
            html`${names[language.value]}${explained ? html`<small>${explained[language.value]}</small>` : nothing}`,
          ),
        );
    const pages = others().filter(([, word]) => has?.(word, query.value));
    return [
      ["chapter", of("chapter")],
      // Terms come before the figures in which they occur.
      ["term", of("term")],
      ["figure", of("figure")],
      ["page", pages.map(([address, word]) => html`<a href=${address}>${word}</a>`)],
    ];
  };

  const results = (groups: NonNullable<ReturnType<typeof found>>) => html`<div class="found">
    ${groups
      .filter(([, links]) => links.length > 0)
      .map(
        ([kind, links]) =>
          html`<span class="part-title" id="found-${kind}">${texts[language.value].kinds[kind]}</span>
            <ul class="part" aria-labelledby="found-${kind}">
              ${links.map((each) => html`<li>${each}</li>`)}
            </ul>`,
      )}
  </div>`;

  effect(() => {
    const words = text.value;
    const { search, key, count, none } = texts[language.value];
    const groups = found();
    const many = groups?.reduce((sum, [, links]) => sum + links.length, 0);
    render(
      html`<button
          type="button"
          class="unfold"
          aria-expanded=${String(isOpen.value)}
          aria-controls="contents-list"
          aria-label=${words.contents}
          title=${words.contents}
          @click=${() => put(isOpen, !isOpen.value)}
        >
          <span aria-hidden="true">☰</span>
        </button>
        <div id="contents-list" class=${isOpen.value ? "list open" : "list"} @keydown=${walk}>
          <input
            type="search"
            aria-label=${search}
            placeholder=${search}
            title="${search} (${key})"
            aria-keyshortcuts="Control+K Meta+K"
            autocomplete="off"
            .value=${query.value}
            @focus=${() => fetchIndex().catch(console.error)}
            @input=${(event: Event) => put(query, (event.target as HTMLInputElement).value)}
          />
          <p class="note" role="status">${many === undefined ? nothing : many > 0 ? count(many) : none}</p>
          ${groups ? results(groups) : outline()}
        </div>`,
      element,
    );
    element.setAttribute("aria-label", words.contents);
  });
}
