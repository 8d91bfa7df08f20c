/** What the reader asked for, until the reader moves on. */
let wanted: Element | undefined;

/** Brings it to the top of the screen. */
export function goTo(place: Element): void {
  wanted = place;
  place.scrollIntoView({ behavior: "instant" });
}

/** What stands above the place asked for grows as it is drawn: that place is kept. */
export function keepPlace(main: Element): void {
  new ResizeObserver(() => wanted?.scrollIntoView({ behavior: "instant" })).observe(main);
  for (const moved of ["wheel", "touchmove", "pointerdown", "keydown"])
    addEventListener(
      moved,
      () => {
        wanted = undefined;
      },
      { capture: true, passive: true },
    );
}
