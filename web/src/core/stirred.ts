/** Resolves when the reader first scrolls, points or presses a key: until then nothing is fetched that is not in sight. */
export const stirred = new Promise<void>((done) => {
  for (const type of ["scroll", "pointermove", "pointerdown", "keydown", "focusin"])
    addEventListener(type, () => done(), { capture: true, passive: true, once: true });
});
