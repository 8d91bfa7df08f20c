/*
 * What is drawn in which frame: the scheduler of all figures. A figure asks for a frame and is updated in it, once, however
 * often it asked. Work that would take too long for one frame is handed over during the update:
 *
 *   request()            an update in the next frame. A figure out of sight is updated when it is seen again; but a first
 *                        time it is drawn unseen, one figure a frame: the page then keeps its height.
 *   first(work)          what the next update has to wait for: a picture that is made in steps.
 *   later(parts, redraw) what may come after it, a part a frame. A newer list replaces an older one; updates that are asked
 *                        for meanwhile take every other frame.
 *   cancel()             drops both: they are out of date.
 *
 * Both are done at once, unless something is being dragged on a slow machine: then they are spread over frames. A panel
 * reports at every update whether something `changed`; a while after the last change of a drag it is updated as a whole.
 */

/** So many changes, each within so many milliseconds of the one before it, are a drag. */
const dragChanges = 3;
const together = 250;
/** Milliseconds that numbers may be behind during a drag (nobody reads faster), and after which it is over. */
const behind = 200;
/** Milliseconds for all steps of a `first` beyond which the machine counts as slow, and what they may take of a frame then. */
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
  // Those that wait now: one that asks again while it is drawn is drawn in the next frame.
  for (const figure of [...waiting]) if (figure.isSeen || (!figure.isDrawn && firsts++ === 0)) figure.draw();
  if ([...waiting].some((figure) => !figure.isDrawn)) askForFrame();
}

/** How the update at hand is to be made. */
export interface Pace {
  readonly isDrag: boolean;
  /** Whether work is spread over frames: a picture may be coarse meanwhile. */
  readonly isHurried: boolean;
  /** What is read, not seen, may be left for a later update. */
  readonly mayWait: boolean;
}

/** The frames of one figure. */
export class Frames {
  /** Set by whoever mounts the figure. */
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

  /** `run` calls what is to be done in a frame, and copes with what that throws. */
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

  /** The same, seen or not: a part of the figure has not been drawn yet. */
  requestUnseen(): void {
    this.isDrawn = false;
    this.request();
  }

  /** To be told at the beginning of an update. */
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

  /** Takes at once all steps that are left of `first`. */
  finish(): void {
    while (this.work && !this.work.next().done);
    this.work = undefined;
  }

  cancel(): void {
    this.work = undefined;
    this.parts = [];
  }

  end(): void {
    this.cancel();
    clearTimeout(this.timer);
    waiting.delete(this);
  }

  /** What its frame is for. */
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
