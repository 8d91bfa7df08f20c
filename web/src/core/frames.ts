/*
 * The scheduler: what is drawn in which frame, for all figures.
 *
 *   request()             asks for an update in the next frame: one, however often it is asked for. A figure out of sight
 *                         is updated when it comes into sight; only its first update happens unseen, one figure a frame,
 *                         so that the page gets its height.
 *   first(work)           within an update: work in steps that has to be finished before the next update, such as a picture.
 *   later(parts, redraw)  within an update: parts that may come later, one a frame; updates requested meanwhile take
 *                         every other frame. A new list replaces an older one.
 *   cancel()              drops the work and the parts when they are out of date.
 *
 * On a fast machine both are done within the update. Only while something is dragged on a slow machine are they spread
 * over frames. A panel reports at every update whether anything `changed`; shortly after a drag it is updated as a whole.
 */

/** This many changes, each within so many milliseconds of the previous one, are a drag. */
const dragChanges = 3;
const together = 250;
/** Milliseconds that numbers may lag behind during a drag (nobody reads faster), and after which a drag is over. */
const behind = 200;
/** A machine is slow if all steps of `first` took more milliseconds; then they may take so many of each frame. */
const slow = 8;
const stepTime = 5;

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

/** How the present update is to be made. */
export interface Pace {
  readonly isDrag: boolean;
  /** Whether work is spread over frames: pictures may be coarse. */
  readonly isHurried: boolean;
  /** Whether numbers and texts may be left to a later update. */
  readonly mayWait: boolean;
}

/** The frames of one figure. */
export class Frames {
  /** Set by the host of the figure. */
  isDrawn = false;
  pace: Pace = { isDrag: false, isHurried: false, mayWait: false };

  private inSight = false;
  private isAsked = false;
  private work: Iterator<void> | undefined;
  private parts: (() => void)[] = [];
  private redraw = () => {};
  private wasUpdate = false;

  private changedAt = Number.NEGATIVE_INFINITY;
  private readAt = Number.NEGATIVE_INFINITY;
  private changes = 0;
  private timer = 0;
  private took = 0;

  /** `run` calls what is to be done in a frame, and handles its errors. */
  constructor(
    private readonly run: (what: () => void) => void,
    private readonly update: () => void,
  ) {}

  get isSeen(): boolean {
    return this.inSight;
  }

  set isSeen(isSeen: boolean) {
    this.inSight = isSeen;
    if (isSeen && waiting.has(this)) askForFrame();
  }

  request(): void {
    this.isAsked = true;
    this.wait();
  }

  /** Requests an update even out of sight: a part of the figure has not been drawn yet. */
  requestUnseen(): void {
    this.isDrawn = false;
    this.request();
  }

  /** Must be called at the beginning of an update. */
  changed(isChanged: boolean): Pace {
    const now = performance.now();
    if (isChanged) {
      this.changes = now - this.changedAt < together ? this.changes + 1 : 0;
      this.changedAt = now;
    }
    const isDrag = isChanged && this.changes >= dragChanges;
    const mayWait = isDrag && now - this.readAt < behind;
    if (!mayWait) this.readAt = now;
    clearTimeout(this.timer);
    if (isDrag)
      this.timer = window.setTimeout(() => {
        this.cancel();
        this.request();
      }, behind);
    this.pace = { isDrag, isHurried: isDrag && this.took > slow, mayWait };
    return this.pace;
  }

  first(work: Iterator<void>): void {
    this.work = work;
    if (this.pace.isHurried) this.wait();
    else {
      const begun = performance.now();
      this.finish();
      this.took = performance.now() - begun;
    }
  }

  later(parts: readonly (() => void)[], redraw: () => void): void {
    this.parts = [];
    if (this.pace.isHurried) {
      this.parts = [...parts];
      this.redraw = redraw;
      this.wait();
    } else for (const part of parts) part();
  }

  /** Does all remaining steps of `first` at once. */
  finish(): void {
    while (this.work && !this.work.next().done);
    this.work = undefined;
  }

  cancel(): void {
    this.work = undefined;
    this.parts = [];
  }

  stop(): void {
    this.cancel();
    clearTimeout(this.timer);
    waiting.delete(this);
  }

  /** Draws what is due in this frame. */
  draw(): void {
    waiting.delete(this);
    const { work } = this;
    if (work) {
      const end = performance.now() + stepTime;
      this.work = undefined;
      this.run(() => {
        while (performance.now() < end) if (work.next().done) return;
        this.work = work;
      });
    } else if (this.parts.length > 0 && (this.wasUpdate || !this.isAsked)) {
      const part = this.parts.shift();
      this.wasUpdate = false;
      this.run(() => {
        part?.();
        this.redraw();
      });
    } else if (this.isAsked) {
      this.isAsked = false;
      this.wasUpdate = true;
      this.run(this.update);
    }
    if (this.work || this.parts.length > 0 || this.isAsked) this.wait();
  }

  private wait(): void {
    waiting.add(this);
    askForFrame();
  }
}
