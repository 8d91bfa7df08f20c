import { html, type TemplateResult } from "lit-html";
import { move } from "./orders";

export interface ChipWords {
  readonly chips: string;
  readonly left: (word: string) => string;
  readonly right: (word: string) => string;
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
        <button type="button" data-by="-1" aria-label=${texts.left(word)} @click=${nudge(at, -1)}>◂</button>
        <span class="chip-word" title=${word}>${word}</span>
        <button type="button" data-by="1" aria-label=${texts.right(word)} @click=${nudge(at, 1)}>▸</button>
      </li>`,
    )}
  </ol>`;
}
