/** Changes in a row, each within so many milliseconds of the one before it, that are a drag. */
const row = 3;
const together = 250;
/** Milliseconds that numbers may be behind while one goes on: nobody reads them faster. */
const behind = 200;

/** How a change is to be drawn, so that a picture that is dragged keeps up with the pointer. */
export interface Pace {
  readonly isDrag: boolean;
  /** What is read, not seen, may wait for a later frame. */
  readonly mayWait: boolean;
}

/** Tells the pace, update by update; `again` asks for an update once a drag is over. */
export function pacer(again: () => void): (isChanged: boolean) => Pace {
  let changed = Number.NEGATIVE_INFINITY;
  let told = Number.NEGATIVE_INFINITY;
  let streak = 0;
  let timer = 0;
  return (isChanged) => {
    const now = performance.now();
    if (isChanged) {
      streak = now - changed < together ? streak + 1 : 0;
      changed = now;
    }
    const isDrag = isChanged && streak >= row;
    const mayWait = isDrag && now - told < behind;
    if (!mayWait) told = now;
    clearTimeout(timer);
    if (isDrag) timer = window.setTimeout(again, behind);
    return { isDrag, mayWait };
  };
}
