import { page } from "../../../core/page-state";
import { entry, palette } from "../../../draw/colour";
import type { View } from "../../../draw/raster";
import { type Layout, place } from "../axes";
import { state } from "../state";

/** Its largest size, and its distance from the chosen cell, in CSS pixels. */
const size = { width: 208, height: 128 };
const gap = 18;
/** Its largest share of the picture's sides. */
const share = 0.45;

/** The table that it magnifies, and the chosen cell. */
interface Subject {
  readonly table: Float32Array;
  readonly dim: number;
  readonly view: View;
  /** The dimensions in sight from top to bottom. */
  readonly rows: readonly number[];
  readonly cell: { readonly index: number; readonly dimension: number };
  readonly most: number;
}

/** The first of the cells shown and their number, with the chosen one in the middle where that is possible. */
function around(centre: number, first: number, end: number, most: number): { first: number; count: number } {
  const count = Math.min(most, end - first);
  return { first: Math.max(first, Math.min(end - count, centre - Math.floor(count / 2))), count };
}

/**
 * A lens for pictures that have fewer pixels than cells: every cell around the chosen one is a square of 1 or 4 CSS
 * pixels, none averaged. It is beside the cell, as long as the pointer or the keyboard is on the picture.
 */
export class Loupe {
  readonly glass = document.createElement("canvas");
  readonly field = document.createElement("div");
  private isPointed = false;
  private isFocused = false;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly changed: () => void,
  ) {
    this.glass.className = "loupe";
    this.field.className = "loupe-field";
    for (const part of [this.glass, this.field]) part.setAttribute("aria-hidden", "true");
    this.glass.hidden = true;
    this.field.hidden = true;
    const note = (isPointed: boolean, isFocused: boolean) => {
      this.isPointed = isPointed;
      this.isFocused = isFocused;
      this.changed();
    };
    canvas.addEventListener("pointerenter", () => note(true, this.isFocused));
    canvas.addEventListener("pointerleave", () => note(false, this.isFocused));
    canvas.addEventListener("focus", () => note(this.isPointed, true));
    canvas.addEventListener("blur", () => note(this.isPointed, false));
    addEventListener("keydown", (event) => event.key === "Escape" && this.dismiss());
  }

  /** Hides it until the pointer or the focus enters again. */
  private dismiss(): void {
    this.isPointed = false;
    this.isFocused = false;
    this.hide();
  }

  private hide(): void {
    if (this.glass.hidden) return;
    this.glass.hidden = true;
    this.field.hidden = true;
  }

  draw(layout: Layout, { table, dim, view, rows, cell, most }: Subject): void {
    const side = Number(state.lens.value);
    const [wide, high] = [layout.across / (view.right - view.left), layout.down / (view.bottom - view.top)];
    const isSeen =
      cell.index >= view.left && cell.index < view.right && cell.dimension >= view.top && cell.dimension < view.bottom;
    // Not for "off", nor where every cell is as large in the picture as it would be in the lens.
    const isWanted = (this.isPointed || this.isFocused) && isSeen && (wide < side || high < side);
    if (!isWanted) {
      this.hide();
      return;
    }
    const columns = around(
      cell.index,
      view.left,
      view.right,
      Math.floor(Math.min(size.width, share * layout.across) / side),
    );
    const dims = around(
      cell.dimension,
      view.top,
      view.bottom,
      Math.floor(Math.min(size.height, share * layout.down) / side),
    );
    const image = new ImageData(columns.count, dims.count);
    const pixels = new Uint32Array(image.data.buffer);
    const { packed } = palette(page.palette.value);
    for (let y = 0; y < dims.count; y++)
      for (let x = 0; x < columns.count; x++)
        pixels[y * columns.count + x] = packed[entry(table[(columns.first + x) * dim + dims.first + y] / most)];
    this.glass.hidden = false;
    // Neighbours that are drawn far from each other have no field in common.
    this.field.hidden = rows[1] > rows[0] + 1;
    Object.assign(this.glass, { width: columns.count, height: dims.count });
    this.glass.getContext("2d")?.putImageData(image, 0, 0);
    const [width, height] = [columns.count * side, dims.count * side];
    const [x, y] = [(cell.index - view.left + 0.5) * wide, (rows.indexOf(cell.dimension) + 0.5) * high];
    // It goes to the right and below where it fits.
    const left = x + gap + width <= layout.across ? x + gap : Math.max(0, x - gap - width);
    const top = y + gap + height <= layout.down ? y + gap : Math.max(0, y - gap - height);
    place(this.glass, left, top, width, height);
    place(
      this.field,
      (columns.first - view.left) * wide,
      (dims.first - view.top) * high,
      columns.count * wide,
      dims.count * high,
    );
  }
}
