import { language } from "../i18n";
import type { Term } from "./entries.en";
import { glossaryIn } from "./glossary";

/** Milliseconds that the pointer may take from a term to its explanation. */
const patience = 300;
/** Pixels from the term, and from the edges of the screen. */
const gap = 4;
const edge = 8;

const tip = document.createElement("div");
tip.id = "term-tip";
tip.role = "tooltip";

/** The term that is explained now. */
let explained: HTMLElement | undefined;
let timer = 0;

export function hide(): void {
  clearTimeout(timer);
  explained?.removeAttribute("aria-describedby");
  explained = undefined;
  tip.remove();
}

/** Places the explanation below the term, or above it at the bottom of the screen; never over it. */
function placeAt(place: HTMLElement): void {
  const { left, top, bottom } = place.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = tip;
  const { clientWidth, clientHeight } = document.documentElement;
  const isAbove = bottom + gap + offsetHeight > clientHeight && top > offsetHeight + gap;
  const x = Math.max(edge, Math.min(left, clientWidth - edge - offsetWidth));
  const y = isAbove ? top - gap - offsetHeight : bottom + gap;
  tip.style.left = `${x + scrollX}px`;
  tip.style.top = `${y + scrollY}px`;
}

/** Explains a term, unless the reader has gone on meanwhile. */
export async function show(place: HTMLElement, isAsked: boolean): Promise<void> {
  const entries = await glossaryIn[language.value]();
  if (!place.isConnected || !(isAsked || place.matches(":hover, :focus"))) return;
  hide();
  explained = place;
  tip.textContent = entries[place.dataset.term as Term][1];
  // Inside a landmark, but in nothing that is drawn again.
  document.querySelector("main")?.append(tip);
  place.setAttribute("aria-describedby", tip.id);
  placeAt(place);
}

const isOurs = (target: EventTarget | null) =>
  target instanceof Node && (tip.contains(target) || explained?.contains(target) === true);

document.addEventListener("pointerover", ({ target }) => {
  clearTimeout(timer);
  if (explained && !isOurs(target)) timer = window.setTimeout(() => explained?.matches(":focus") || hide(), patience);
});
document.addEventListener("pointerdown", ({ target }) => {
  if (!isOurs(target)) hide();
});
document.addEventListener("focusout", ({ target }) => {
  if (target === explained && !tip.matches(":hover")) hide();
});
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") hide();
});
