import { html, type TemplateResult } from "lit-html";
import { secondOrder } from "./model";
import { state } from "./state";

export interface ChipWords {
  readonly chips: string;
  readonly earlier: (word: string) => string;
  readonly later: (word: string) => string;
}

function write(words: readonly string[]): void {
  state.orderOther.value = words.join(" ");
}

/** Moves the word at `from` to `to`; false where there is no such place. */
function move(from: number, to: number): boolean {
  const words = secondOrder();
  if (to < 0 || to >= words.length) return false;
  words.splice(to, 0, ...words.splice(from, 1));
  write(words);
  return true;
}

/** Draws a random order other than the present one, if there is another. */
export function shuffle(): void {
  const words = secondOrder();
  const before = words.join(" ");
  for (let attempt = 0; attempt < 20 && words.join(" ") === before; attempt++)
    for (let last = words.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [words[last], words[other]] = [words[other], words[last]];
    }
  write(words);
}

let dragged = -1;

/** The words as chips that are reordered by dragging, or by the two buttons of each. */
export function chips(words: readonly string[], texts: ChipWords): TemplateResult {
  const take = (event: PointerEvent) => {
    const target = event.target as Element;
    const chip = target.closest<HTMLElement>("[data-chip]");
    if (!chip || target.closest("button")) return;
    dragged = Number(chip.dataset.chip);
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent) => {
    if (dragged < 0) return;
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-chip]");
    const to = Number(over?.dataset.chip ?? dragged);
    if (to !== dragged && move(dragged, to)) dragged = to;
  };
  const drop = () => {
    dragged = -1;
  };
  const nudge = (from: number, by: number) => (event: Event) => {
    if (!move(from, from + by)) return;
    const list = (event.currentTarget as Element).closest("ol");
    // The focus goes with the word, so that it can be moved on.
    list?.querySelector<HTMLElement>(`[data-chip="${from + by}"] [data-by="${by}"]`)?.focus();
  };
  return html`<ol
    class="chips"
    aria-label=${texts.chips}
    @pointerdown=${take}
    @pointermove=${drag}
    @pointerup=${drop}
    @pointercancel=${drop}
  >
    ${words.map(
      (word, at) => html`<li class="chip" data-chip=${at}>
        <button type="button" data-by="-1" aria-label=${texts.earlier(word)} @click=${nudge(at, -1)}>◂</button>
        <span class="chip-word">${word}</span>
        <button type="button" data-by="1" aria-label=${texts.later(word)} @click=${nudge(at, 1)}>▸</button>
      </li>`,
    )}
  </ol>`;
}
