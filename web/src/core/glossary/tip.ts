import { language } from "../i18n";
import type { Term } from "./entries.en";
import { glossaryIn } from "./glossary";

/** Milliseconds that the pointer may take from a term to what is said of it. */
const patience = 300;
/** Pixels from the term, and from the edges of the screen. */
const gap = 4;
const edge = 8;

const tip = document.createElement("div");
tip.id = "term-tip";
tip.role = "tooltip";

/** The term that is told of. */
let told: HTMLElement | undefined;
let timer = 0;

export function hide(): void {
  clearTimeout(timer);
  told?.removeAttribute("aria-describedby");
  told = undefined;
  tip.remove();
}

/** Below the term, or above it where there is no room; never over it. */
function put(place: HTMLElement): void {
  const { left, top, bottom } = place.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = tip;
  const { clientWidth, clientHeight } = document.documentElement;
  const isAbove = bottom + gap + offsetHeight > clientHeight && top > offsetHeight + gap;
  const x = Math.max(edge, Math.min(left, clientWidth - edge - offsetWidth));
  const y = isAbove ? top - gap - offsetHeight : bottom + gap;
  tip.style.left = `${x + scrollX}px`;
  tip.style.top = `${y + scrollY}px`;
}

/** Tells what a term is, unless the reader has gone on meanwhile. */
export async function show(place: HTMLElement, isAsked: boolean): Promise<void> {
  const entries = await glossaryIn[language.value]();
  if (!place.isConnected || !(isAsked || place.matches(":hover, :focus"))) return;
  hide();
  told = place;
  tip.textContent = entries[place.dataset.term as Term][1];
  // Inside a landmark, but in nothing that is drawn again.
  document.querySelector("main")?.append(tip);
  place.setAttribute("aria-describedby", tip.id);
  put(place);
}

const isOurs = (target: EventTarget | null) =>
  target instanceof Node && (tip.contains(target) || told?.contains(target) === true);

document.addEventListener("pointerover", ({ target }) => {
  clearTimeout(timer);
  if (told && !isOurs(target)) timer = window.setTimeout(() => told?.matches(":focus") || hide(), patience);
});
document.addEventListener("pointerdown", ({ target }) => {
  if (!isOurs(target)) hide();
});
document.addEventListener("focusout", ({ target }) => {
  if (target === told && !tip.matches(":hover")) hide();
});
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") hide();
});
