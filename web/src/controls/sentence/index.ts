import { effect, signal } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { reader, selection } from "../../core/page-state";
import { put } from "../../core/state";
import { labelOf, mostWords, readerWords, shortened, shownWords } from "../../core/words";
import { player } from "../player";
import { textBox } from "../text-box";
import { boxText } from "./text";
import "./style.css";

/** Whether the bar is open: all words one under another on phones, and the text box. */
const open = signal(false);

/** Milliseconds a word is chosen while the sentence plays. */
const beat = 700;

const atKeys: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

/** The words as a toolbar: one of them is reached by Tab, the others from there by arrow keys, which choose. */
function wordButtons(): TemplateResult {
  const words = shownWords.value;
  const chosen = selection.position.value;
  const last = words.length - 1;
  const press = (event: KeyboardEvent) => {
    const buttons = [...(event.currentTarget as Element).querySelectorAll("button")];
    const from = buttons.indexOf(event.target as HTMLButtonElement);
    const to = atKeys[event.key]?.(from, last);
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    selection.position.value = Math.max(0, Math.min(last, to));
    buttons[selection.position.value]?.focus({ preventScroll: true });
  };
  return html`<div class="sentence-words" role="toolbar" aria-label=${boxText().words} @keydown=${press}>
    ${words.map(
      (word, at) => html`<button
        type="button"
        title=${shortened(word) === word ? nothing : word}
        tabindex=${at === (chosen > last ? 0 : chosen) ? 0 : -1}
        aria-pressed=${String(at === chosen)}
        @click=${() => put(selection.position, at)}
      >
        ${word}
      </button>`,
    )}
    ${last < 0 ? html`<span class="note">${boxText().empty}</span>` : nothing}
  </div>`;
}

/** The part of the bar that opens below the line. */
function editor(): TemplateResult {
  const words = boxText();
  const all = readerWords.value.length;
  // How many of its words are drawn, if not all are.
  const note = all > mostWords ? words.shown(mostWords, all) : undefined;
  return html`<div class="sentence-edit" id="sentence-edit">
    ${textBox(reader.sentence, words.box, { id: "bar-sentence", note })}
    <div class="sentence-examples" role="group" aria-label=${words.examples}>
      ${words.sentences.map(
        (sentence) => html`<button
          type="button"
          @click=${() => put(reader.sentence, sentence)}
        >
          ${sentence}
        </button>`,
      )}
    </div>
  </div>`;
}

function bar(): TemplateResult {
  const words = boxText();
  const position = selection.position.value;
  const last = shownWords.value.length - 1;
  return html`<div class=${open.value ? "sentence-bar sentence-open" : "sentence-bar"} @keydown=${leave}>
    ${last < 0 ? nothing : player(selection.position, words.player, { span: [0, last], interval: beat })}
    <button
      type="button"
      class="sentence-toggle"
      aria-expanded=${String(open.value)}
      aria-controls=${open.value ? "sentence-edit" : nothing}
      @click=${toggle}
    >
      <span aria-hidden="true">✎</span> <span class="sentence-verb">${open.value ? words.close : words.edit}</span>
    </button>
    ${wordButtons()}
    <p class="sentence-now" title=${labelOf(position) ?? nothing}>${words.now(position, labelOf(position))}</p>
    ${open.value ? editor() : nothing}
  </div>`;
}

/** Opens the bar and puts the focus into its text box. */
function toggle(event: Event): void {
  const place = (event.currentTarget as Element).closest(".sentence-bar");
  open.value = !open.value;
  if (open.value) place?.querySelector<HTMLElement>("#bar-sentence")?.focus({ preventScroll: true });
}

/** On a phone the open bar lies over the figures: there Enter closes it, too. */
const isNarrow = matchMedia("(width < 48rem)");

/** Closes the bar on Escape and puts the focus back on its button. */
function leave(event: KeyboardEvent): void {
  const isTyped = event.key === "Enter" && isNarrow.matches && (event.target as Element).matches("input, textarea");
  if (!(event.key === "Escape" || isTyped) || !open.value) return;
  open.value = false;
  (event.currentTarget as Element).querySelector<HTMLElement>(".sentence-toggle")?.focus({ preventScroll: true });
}

/** Scrolls the line of words, and nothing else, until the chosen one is in sight. */
function reveal(place: Element): void {
  const list = place.querySelector<HTMLElement>(".sentence-words");
  const word = list?.querySelector<HTMLElement>('[aria-pressed="true"]');
  if (!list || !word || list.scrollWidth <= list.clientWidth) return;
  const middle = word.offsetLeft - list.offsetLeft + word.offsetWidth / 2;
  list.scrollTo({ left: middle - list.clientWidth / 2, behavior: "instant" });
}

/** The bar that stays at the top of the screen: the reader's words, the chosen one, and play. Returns a function that removes it. */
export function sentenceBar(place: HTMLElement): () => void {
  let frame = 0;
  return effect(() => {
    place.setAttribute("aria-label", boxText().bar);
    render(bar(), place);
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => reveal(place));
  });
}
