/**
 * The element that the reader went to or works with, until the reader moves on: where it stands on the screen, how far
 * the page was scrolled then, and its height. Panels above it may still be drawn, and grow.
 */
let wanted: Element | undefined;
let isArrival = false;
let top = 0;
let scrolled = 0;
let height = 0;

const topOf = (place: Element) => place.getBoundingClientRect().top;

function hold(place: Element): void {
  wanted = place;
  top = topOf(place);
  scrolled = scrollY;
  height = document.body.offsetHeight;
}

/** Scrolls it to the top of the screen, or as near as the page allows. */
export function goTo(place: Element): void {
  place.scrollIntoView({ behavior: "instant" });
  isArrival = true;
  hold(place);
}

function moveOn(): void {
  wanted = undefined;
}

/** What was scrolled by a scroll bar or by keys, for example, has moved though nothing has grown. */
function noticeScroll(): void {
  if (!wanted || Math.abs(topOf(wanted) - top) <= 1 || scrollY === scrolled) return;
  if (!isArrival || document.body.offsetHeight === height) moveOn();
}

function keep(): void {
  if (!isArrival) noticeScroll();
  if (!wanted) return;
  if (isArrival) goTo(wanted);
  else {
    scrollBy({ top: topOf(wanted) - top, behavior: "instant" });
    hold(wanted);
  }
}

/** The figure or row in which something is pressed stays where it is on the screen. */
function workWith({ target }: Event): void {
  const place = target instanceof Element ? target.closest("article, section") : null;
  isArrival = false;
  if (place) hold(place);
  else moveOn();
}

/** Keeps that element in place while panels above it grow as they are drawn. */
export function keepPlace(): void {
  new ResizeObserver(keep).observe(document.body);
  for (const moved of ["wheel", "touchmove"]) addEventListener(moved, moveOn, { capture: true, passive: true });
  for (const pressed of ["pointerdown", "keydown"])
    addEventListener(pressed, workWith, { capture: true, passive: true });
  addEventListener("scroll", noticeScroll, { passive: true });
}
