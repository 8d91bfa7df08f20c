/** In the next task: what has been asked for meanwhile goes first. */
export const nextTask = () => new Promise<void>((done) => setTimeout(done));

/** Once what has been drawn is on the screen; at once where nothing is shown. */
export const painted = () =>
  new Promise<void>((done) => {
    if (document.hidden) done();
    else requestAnimationFrame(() => setTimeout(done));
  });
