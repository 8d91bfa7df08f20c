/**
 * The element that the reader went to, until the reader moves on; where it was put, and the height of the page then.
 */
let wanted: Element | undefined;
let top = 0;
let height = 0;

const topOf = (place: Element) => place.getBoundingClientRect().top;
const moveOn = () => {
  wanted = undefined;
};

/** Scrolls it to the top of the screen, or as near as the page allows. */
export function goTo(place: Element): void {
  wanted = place;
  place.scrollIntoView({ behavior: "instant" });
  top = topOf(place);
  height = document.body.offsetHeight;
}

/** Keeps that element in place while panels above it grow as they are drawn. */
export function keepPlace(): void {
  new ResizeObserver(() => {
    if (wanted) goTo(wanted);
  }).observe(document.body);
  for (const moved of ["wheel", "touchmove", "pointerdown", "keydown"])
    addEventListener(moved, moveOn, { capture: true, passive: true });
  // By a scroll bar, for example: nothing has grown, and yet it has moved.
  addEventListener(
    "scroll",
    () => {
      if (wanted && document.body.offsetHeight === height && Math.abs(topOf(wanted) - top) > 1) moveOn();
    },
    { passive: true },
  );
}
