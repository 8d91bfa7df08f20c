/** Resolves in the next task, after those that are queued. */
export const nextTask = () => new Promise<void>((done) => setTimeout(done));

/** Resolves once what has been drawn is on the screen; at once in a hidden tab. */
export const painted = () =>
  new Promise<void>((done) => {
    if (document.hidden) done();
    else requestAnimationFrame(() => setTimeout(done));
  });

/** Resolves when the page has nothing else to do, or after a moment in browsers without requestIdleCallback. */
export const idle = (): Promise<void> =>
  new Promise((done) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => done(), { timeout: 1000 });
    else setTimeout(done, 100);
  });
