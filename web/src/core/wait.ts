/** Resolves in the next task: what is already queued goes first. */
export const nextTask = () => new Promise<void>((done) => setTimeout(done));

/** Resolves once what has been drawn is on the screen; at once in a hidden tab. */
export const painted = () =>
  new Promise<void>((done) => {
    if (document.hidden) done();
    else requestAnimationFrame(() => setTimeout(done));
  });
