/*
 * What is drawn in which frame, for all figures: an update that was asked for comes in the next frame, once, however often
 * it was asked for. A figure out of sight is updated when it comes into sight; only its first update happens unseen, one
 * figure a frame, so that the page gets its height.
 */

const waiting = new Set<Frames>();
let frame = 0;

function askForFrame(): void {
  if (!frame) frame = requestAnimationFrame(drawFrame);
}

function drawFrame(): void {
  frame = 0;
  let firsts = 0;
  // A copy: a figure that requests another update while it is drawn gets it in the next frame.
  for (const figure of [...waiting]) if (figure.isSeen || (!figure.isDrawn && firsts++ === 0)) figure.draw();
  if ([...waiting].some((figure) => !figure.isDrawn)) askForFrame();
}

/** The frames of one figure. */
export class Frames {
  /** Set by the host of the figure. */
  isDrawn = false;
  private inSight = false;

  constructor(private readonly update: () => void) {}

  get isSeen(): boolean {
    return this.inSight;
  }

  set isSeen(isSeen: boolean) {
    this.inSight = isSeen;
    if (isSeen && waiting.has(this)) askForFrame();
  }

  request(): void {
    waiting.add(this);
    askForFrame();
  }

  /** Makes the update that was asked for, if any. */
  draw(): void {
    if (waiting.delete(this)) this.update();
  }
}
