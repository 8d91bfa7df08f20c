/** Moving over a drawing by keys: the chosen place, and saying it aloud. */

export interface Place {
  readonly row: number;
  readonly column: number;
}

const far = Number.POSITIVE_INFINITY;

/** Steps in row and column; infinite ones go to the edge. */
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [0, -far],
  End: [0, far],
};

/** The nearest place to a number, of so many. */
export const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));

/** Where a key leads from `from` in a field of `rows` x `columns`; nothing for keys that do not move. */
export function moved(event: KeyboardEvent, from: Place, rows: number, columns: number): Place | undefined {
  const step = steps[event.key];
  if (!step || event.altKey || event.metaKey) return undefined;
  event.preventDefault();
  const [down, across] = event.ctrlKey && !Number.isFinite(step[1]) ? [step[1], 0] : step;
  return { row: within(from.row + down, rows), column: within(from.column + across, columns) };
}

/** Moves along a line: left and down lead back, right and up onward. */
export function movedAlong(event: KeyboardEvent, from: number, count: number): number | undefined {
  // More rows than columns on either side, so that no key is stopped by the ends of the field.
  const to = moved(event, { row: count, column: from }, 2 * count + 1, count);
  if (!to) return undefined;
  return to.row === count ? to.column : within(from + count - to.row, count);
}

let timer = 0;

/** Announces `text` in the figure's live region once the keys have come to rest: a held key would be announced at every repeat. */
export function speak({ currentTarget }: KeyboardEvent, text: () => string): void {
  const region = (currentTarget as Element).closest("figure")?.querySelector(".live");
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    if (region) region.textContent = text();
  }, 250);
}

/** Where a pointer is in a drawing, in the drawing's own units. */
export function pointIn(event: PointerEvent): { x: number; y: number } | undefined {
  // A finger that scrolls the page chooses nothing.
  if (event.pointerType === "touch" && event.type === "pointermove" && event.buttons === 0) return undefined;
  const drawing = event.currentTarget as SVGSVGElement;
  const box = drawing.getBoundingClientRect();
  const { width, height } = drawing.viewBox.baseVal;
  return { x: ((event.clientX - box.left) / box.width) * width, y: ((event.clientY - box.top) / box.height) * height };
}
