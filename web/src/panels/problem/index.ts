import { batch } from "@preact/signals-core";
import { html, render, type TemplateResult } from "lit-html";
import { choices } from "../../controls";
import { exactly } from "../../core/format";
import { reader, selection } from "../../core/page-state";
import type { Context, Panel, PanelModule } from "../../core/panel";
import { choice } from "../../core/state";
import { readerWords, shortened } from "../../core/words";
import { dim, exchange, type Model, model, moved, scene, sentenceWords, setOrder } from "./model";
import { picture } from "./picture";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

const texts = { en, zh };
/** The answer to its question, as an `answerRow`, which is fetched with the question. */
const guess = choice("", ["", "none", "two", "all", "-"]);
type Text = typeof en;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The present index of the chosen word. */
const chosenPlace = ({ places }: Model) => {
  const word = Math.min(selection.position.value, places.length - 1);
  return places.findIndex(({ first }) => first === word);
};

/** Moves the word at a place; it is the chosen one from then on. */
function move(from: number, to: number): boolean {
  const { order } = scene();
  const next = moved(order, from, to);
  if (!next) return false;
  batch(() => {
    setOrder(next);
    selection.position.value = order[from];
  });
  return true;
}

function choose(place: number): void {
  selection.position.value = scene().order[place];
}

let dragged = -1;

const placeOf = (target: Element | null | undefined) => {
  const item = target?.closest<HTMLElement>("[data-place]");
  return item ? Number(item.dataset.place) : -1;
};

function chips(words: Text, { places }: Model, chosen: number): TemplateResult {
  const grip = (event: PointerEvent) => {
    dragged = placeOf(event.target as Element);
    if (dragged < 0) return;
    choose(dragged);
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent) => {
    if (dragged < 0) return;
    // Each word has a column of its own: how far up or down the pointer is makes no difference.
    const list = (event.currentTarget as Element).getBoundingClientRect();
    const under = Math.floor(((event.clientX - list.left) / list.width) * places.length);
    const to = Math.max(0, Math.min(places.length - 1, under));
    if (move(dragged, to)) dragged = to;
  };
  const drop = () => {
    dragged = -1;
  };
  const press = (event: KeyboardEvent) => {
    const from = placeOf(event.target as Element);
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (from < 0 || by === undefined) return;
    event.preventDefault();
    if (!move(from, from + by)) return;
    // The focus goes with the word, so that it can be moved on.
    const list = event.currentTarget as Element;
    list.querySelector<HTMLElement>(`[data-place="${from + by}"] button`)?.focus();
  };
  return html`<ol
    class="problem-words"
    aria-label=${words.chips}
    @pointerdown=${grip}
    @pointermove=${drag}
    @pointerup=${drop}
    @pointercancel=${drop}
    @keydown=${press}
  >
    ${places.map(
      ({ word }, place) => html`<li data-place=${place}>
        <button
          type="button"
          title=${word}
          aria-label=${words.chip(word, place)}
          aria-pressed=${String(place === chosen)}
          @click=${() => choose(place)}
        >
          ${shortened(word)}
        </button>
      </li>`,
    )}
  </ol>`;
}

function controls(words: Text, shown: Model, chosen: number): TemplateResult {
  const { word } = shown.places[chosen];
  const step = (by: number, label: (word: string) => string, sign: string, isLast: boolean) =>
    html`<button type="button" class="again" data-by=${by} aria-label=${label(word)} ?disabled=${isLast}
      @click=${() => move(chosen, chosen + by)}
    >${sign}</button>`;
  return html`<div class="problem-controls">
    ${choices(state.problemPositions, words.positions, words.areOn, shown.hasPositions ? "on" : "off")}
    ${step(-1, words.left, "◂", chosen === 0)} ${step(1, words.right, "▸", chosen === shown.places.length - 1)}
    <button
      type="button"
      class="again"
      data-tool="first"
      aria-label=${words.again}
      title=${words.again}
      ?disabled=${!shown.isReordered}
      @click=${() => setOrder([])}
    >
      ↺
    </button>
  </div>`;
}

function caption({ describe }: Text, shown: Model): string {
  const { length } = readerWords.value;
  const count = shown.places.length;
  if (count === 0) return describe.none;
  return findings(describe, shown) + (count < length ? describe.cut(count, length) : "");
}

function findings(describe: Text["describe"], { places, isReordered, hasPositions, twins }: Model): string {
  const changed = places.filter(({ isChanged }) => isChanged).length;
  if (hasPositions) return isReordered ? describe.on(changed, places.length) : describe.onFirst;
  const same = twins.length > 0 ? describe.twins(places[twins[0][1]].word) : "";
  return (isReordered ? describe.off(places.length) : describe.offFirst) + same;
}

/** Lets each word glide from its former column to the present one. */
function glide(list: Element | null, before: readonly number[], after: readonly number[]): void {
  if (!list || calm.matches || before.length !== after.length) return;
  const width = list.clientWidth / after.length;
  [...list.children].forEach((item, place) => {
    const by = before.indexOf(after[place]) - place;
    if (by !== 0)
      item.animate([{ transform: `translateX(${by * width}px)` }, { transform: "none" }], {
        duration: 350,
        easing: "ease-in-out",
      });
  });
}

function mount(element: HTMLElement, context: Context): Panel {
  const { pe, frames } = context;
  let before: readonly number[] = [];
  // Fetched after the picture: its place is there.
  let asked: (() => unknown) | undefined;
  Promise.all([import("../../controls/question"), import("./question")]).then(([{ question }, parts]) => {
    // The answer is shown: the words change places.
    const show = () => setOrder(exchange([...sentenceWords().keys()]));
    asked = () => question(guess, parts.asked(pe, context.language()), show);
    frames.request();
  }, reportError);
  return {
    update() {
      const words = texts[context.language()];
      const { order } = scene();
      const shown = model(pe);
      const chosen = chosenPlace(shown);
      if (chosen < 0) return render(html``, element);
      render(
        html`${controls(words, shown, chosen)} ${chips(words, shown, chosen)}
        ${picture(shown, chosen, context.width(), words)}
        <div class="asked">${asked?.()}</div>`,
        element,
      );
      glide(element.querySelector(".problem-words"), before, order);
      before = order;
    },
    rows() {
      const { places } = model(pe);
      return [
        [
          "place",
          "word",
          "largest |y − y′|",
          ...places.map(({ word }) => `weight ${word}`),
          ...Array.from({ length: dim }, (_, i) => `y[${i}]`),
        ],
        ...places.map(({ word, change, weights, output }, place) => [
          place,
          word,
          exactly(change),
          ...weights.map(exactly),
          ...output.map(exactly),
        ]),
      ];
    },
    drawing: ".problem-picture",
    describe: () => caption(texts[context.language()], model(pe)),
  };
}

export const panel: PanelModule = {
  uses: [state.problemOrder, state.problemPositions, selection.position, reader.sentence, guess],
  texts,
  asks: async (pe, language) => (await import("./question")).asked(pe, language),
  mount,
};
