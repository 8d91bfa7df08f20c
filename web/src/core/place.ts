/**
 * The element that the reader went to or works with, until the reader moves on: where it stands on the screen, and the
 * height of the page then. Panels above it may still be drawn, and grow.
 */
let wanted: Element | undefined;
let isArrival = false;
let top = 0;
let height = 0;

const topOf = (place: Element) => place.getBoundingClientRect().top;

function hold(place: Element): void {
  wanted = place;
  top = topOf(place);
  height = document.body.offsetHeight;
}

/** Scrolls it to the top of the screen, or as near as the page allows. */
export function goTo(place: Element): void {
  place.scrollIntoView({ behavior: "instant" });
  isArrival = true;
  hold(place);
}

function keep(): void {
  if (!wanted) return;
  if (isArrival) goTo(wanted);
  else {
    scrollBy({ top: topOf(wanted) - top, behavior: "instant" });
    hold(wanted);
  }
}

function moveOn(): void {
  wanted = undefined;
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
  // By a scroll bar or by keys, for example: nothing has grown, and yet it has moved.
  addEventListener(
    "scroll",
    () => {
      if (wanted && document.body.offsetHeight === height && Math.abs(topOf(wanted) - top) > 1) moveOn();
    },
    { passive: true },
  );
}
