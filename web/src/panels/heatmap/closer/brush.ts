import type { View } from "../../../draw/raster";
import { place } from "../axes";
import { show, visible } from "../view";

/** A pressed pointer that moves fewer pixels than this is a click, not a rectangle. */
const least = 6;

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** A rectangle drawn over the picture with mouse or pen shows its cells alone; a finger scrolls the page. */
export class Brush {
  /** The dimensions in sight from top to bottom. */
  rows: readonly number[] = [];
  private from: Corner | undefined;
  private to: Corner | undefined;
  readonly box = document.createElement("div");

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.box.className = "heat-brush";
    this.box.hidden = true;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", () => this.release());
    canvas.addEventListener("pointercancel", () => this.cancel());
  }

  /** Discards the rectangle being drawn; false when there is none. */
  cancel(): boolean {
    const was = this.to !== undefined;
    this.from = undefined;
    this.to = undefined;
    this.box.hidden = true;
    return was;
  }

  /** Where the pointer is, in shares of the picture's sides. */
  private corner(event: PointerEvent): Corner {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const share = (at: number) => Math.max(0, Math.min(1, at));
    return { x: share((event.clientX - left) / width), y: share((event.clientY - top) / height) };
  }

  private press(event: PointerEvent): void {
    if (event.pointerType === "touch" || event.button !== 0) return;
    this.from = this.corner(event);
    this.canvas.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (!this.from) return;
    const to = this.corner(event);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const [across, down] = [(to.x - this.from.x) * width, (to.y - this.from.y) * height];
    if (!this.to && Math.hypot(across, down) < least) return;
    this.to = to;
    this.box.hidden = false;
    const [left, top] = [Math.min(this.from.x, to.x) * width, Math.min(this.from.y, to.y) * height];
    place(this.box, left, top, Math.abs(across), Math.abs(down));
  }

  private release(): void {
    const { from, to } = this;
    this.cancel();
    if (from && to) show(within(visible(), this.rows, from, to));
  }
}

/** The cells between two corners, with those that the edges cut. */
function within(view: View, rows: readonly number[], from: Corner, to: Corner): View {
  const span = (first: number, end: number, a: number, b: number): [number, number] => {
    const begin = Math.min(end - 1, first + Math.floor(Math.min(a, b) * (end - first)));
    return [begin, Math.max(begin + 1, first + Math.ceil(Math.max(a, b) * (end - first)))];
  };
  const [left, right] = span(view.left, view.right, from.x, to.x);
  const dims = rows.slice(...span(0, rows.length, from.y, to.y));
  return { left, right, top: Math.min(...dims), bottom: Math.max(...dims) + 1 };
}
