/** What the reader asked for, until the reader moves on, and where it was brought when the page had which height. */
let wanted: Element | undefined;
let top = 0;
let height = 0;

const topOf = (place: Element) => place.getBoundingClientRect().top;
const moveOn = () => {
  wanted = undefined;
};

/** Brings it to the top of the screen, or as near as the page allows. */
export function goTo(place: Element): void {
  wanted = place;
  place.scrollIntoView({ behavior: "instant" });
  top = topOf(place);
  height = document.body.offsetHeight;
}

/** What stands above the place asked for grows as it is drawn: that place is kept. */
export function keepPlace(): void {
  new ResizeObserver(() => {
    if (wanted) goTo(wanted);
  }).observe(document.body);
  for (const moved of ["wheel", "touchmove", "pointerdown", "keydown"])
    addEventListener(moved, moveOn, { capture: true, passive: true });
  // By a scroll bar, say: nothing has grown, and yet it is elsewhere.
  addEventListener(
    "scroll",
    () => {
      if (wanted && document.body.offsetHeight === height && Math.abs(topOf(wanted) - top) > 1) moveOn();
    },
    { passive: true },
  );
}
