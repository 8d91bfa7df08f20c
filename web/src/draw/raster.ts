import { entry, type Palette } from "./colour";

/** The cells in sight: columns left … right - 1, dimensions top … bottom - 1. */
export interface View {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * The dimensions in sight from the top of the picture down. Where several share a pixel, even ones (such as sines) are drawn
 * above odd ones (cosines): a mean of both is neither.
 */
export function rowsOf({ top, bottom }: View, isSplit: boolean): number[] {
  const all = Array.from({ length: bottom - top }, (_, row) => top + row);
  return isSplit ? all.sort((a, b) => (a & 1) - (b & 1)) : all;
}

/** Which cells of an axis make up each pixel, and the share each of them has in it. */
interface Cover {
  readonly first: Int32Array;
  readonly count: Int32Array;
  /** `capacity` for each pixel, of which those after its count are 0. */
  readonly shares: Float64Array;
  readonly capacity: number;
  /** The last cell there is. */
  readonly last: number;
}

/** Cells that are added up in one pass, and columns of pixels that are made at a time: measured to be fastest. */
const taps = 6;
const block = 8;

/** Area of the triangle max(0, 1 - |x|) left of x. */
const triangle = (x: number) => (x <= -1 ? 0 : x >= 1 ? 1 : x < 0 ? (1 + x) ** 2 / 2 : 1 - (1 - x) ** 2 / 2);

/**
 * Where pixels are finer than cells, a pixel is the mean of the area it covers, so cells have sharp edges. Where they
 * are coarser, the mean leans over to the neighbouring pixels (weights fall off as a triangle), because a plain mean
 * lets through a fifth of a wave that is too fast, as a false slow one. All shares are multiplied by `gain`.
 */
function cover(begin: number, end: number, pixels: number, gain = 1): Cover {
  const step = (end - begin) / pixels;
  const leans = step > 1;
  const reach = leans ? step : step / 2;
  const capacity = taps * Math.ceil((2 * reach + 1) / taps);
  const first = new Int32Array(pixels);
  const count = new Int32Array(pixels);
  const shares = new Float64Array(pixels * capacity);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const middle = begin + (pixel + 0.5) * step;
    const from = Math.max(begin, middle - reach);
    const to = Math.min(end, middle + reach);
    const before = (x: number) => (leans ? triangle((x - middle) / reach) : x);
    const whole = before(to) - before(from);
    const start = Math.min(end - 1, Math.floor(from));
    first[pixel] = start;
    let used = 0;
    for (let cell = start; cell < to && used < capacity; cell++, used++) {
      const share = before(Math.min(cell + 1, to)) - before(Math.max(cell, from));
      shares[pixel * capacity + used] = (gain * Math.max(0, share)) / whole;
    }
    count[pixel] = used;
  }
  return { first, count, shares, capacity, last: end - 1 };
}

/**
 * Draws tables as pictures: positions from left to right, dimensions from top to bottom, each device pixel a mean of cells
 * (sampling cells instead would draw waves that are not there). Weights and image are kept from call to call.
 */
export class Raster {
  private shape = "";
  private across: Cover | undefined;
  /** One for all rows, or one each for the even and the odd dimensions. */
  private down: readonly Cover[] = [];
  private image: ImageData | undefined;
  private means = new Float64Array(0);

  /**
   * `view` selects the cells; `most` is the absolute value that gets the strongest colour.
   */
  draw(
    canvas: HTMLCanvasElement,
    table: Float32Array,
    dims: number,
    view: View,
    look: {
      /** As `rowsOf` gives them. */
      readonly rows: readonly number[];
      readonly most: number;
      readonly palette: Palette;
    },
  ): void {
    const { width, height } = canvas;
    const { rows, most } = look;
    const shape = [dims, ...Object.values(view), rows[1], most, width, height].join();
    if (shape !== this.shape || !this.image || !this.across) {
      this.shape = shape;
      this.across = cover(view.left, view.right, width);
      const odd = rows.findIndex((dimension, row) => dimension < rows[row - 1]);
      let from = 0;
      this.down = (odd < 0 ? [rows.length] : [odd, rows.length]).map((end) => {
        const pixel = (row: number) => Math.round((height * row) / rows.length);
        const part = cover(from, end, pixel(end) - pixel(from), 1 / most);
        from = end;
        return part;
      });
      this.means = new Float64Array(block * dims);
      if (this.image?.width !== width || this.image.height !== height) this.image = new ImageData(width, height);
    }
    const { across, down, image, means } = this;
    const pixels = new Uint32Array(image.data.buffer);
    for (let next = 0; next < width; next += block) {
      const x = Math.min(next, width - block);
      for (let column = 0; column < block; column++) average(table, dims, view, across, x + column, means, column);
      let y = 0;
      for (const part of down) {
        paint(means, part, rows, pixels, y * width + x, width, look.palette.packed);
        y += part.first.length;
      }
    }
    canvas.getContext("2d")?.putImageData(image, 0, 0);
  }
}

/** The mean over positions for one column of pixels, dimension by dimension, into a column of `means`. */
function average(
  table: Float32Array,
  dims: number,
  { top, bottom }: View,
  { first, count, shares, capacity, last }: Cover,
  x: number,
  means: Float64Array,
  column: number,
): void {
  for (let used = 0; used < count[x]; used += taps) {
    const at = x * capacity + used;
    const s0 = shares[at];
    const s1 = shares[at + 1];
    const s2 = shares[at + 2];
    const s3 = shares[at + 3];
    const s4 = shares[at + 4];
    const s5 = shares[at + 5];
    const cell = first[x] + used;
    const r0 = cell * dims;
    // Cells without a share are read all the same, so they must exist.
    const r1 = Math.min(cell + 1, last) * dims;
    const r2 = Math.min(cell + 2, last) * dims;
    const r3 = Math.min(cell + 3, last) * dims;
    const r4 = Math.min(cell + 4, last) * dims;
    const r5 = Math.min(cell + 5, last) * dims;
    for (let dimension = top, to = top * block + column; dimension < bottom; dimension++, to += block) {
      const sum =
        s0 * table[r0 + dimension] +
        s1 * table[r1 + dimension] +
        s2 * table[r2 + dimension] +
        s3 * table[r3 + dimension] +
        s4 * table[r4 + dimension] +
        s5 * table[r5 + dimension];
      means[to] = used === 0 ? sum : means[to] + sum;
    }
  }
}

/** The means over rows of a block of columns, as colours. */
function paint(
  means: Float64Array,
  { first, count, shares, capacity }: Cover,
  rows: readonly number[],
  pixels: Uint32Array,
  x: number,
  width: number,
  colours: Uint32Array,
): void {
  for (let y = 0; y < first.length; y++) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    for (let used = 0; used < count[y]; used++) {
      const from = rows[first[y] + used] * block;
      const share = shares[y * capacity + used];
      a += share * means[from];
      b += share * means[from + 1];
      c += share * means[from + 2];
      d += share * means[from + 3];
      e += share * means[from + 4];
      f += share * means[from + 5];
      g += share * means[from + 6];
      h += share * means[from + 7];
    }
    const at = y * width + x;
    pixels[at] = colours[entry(a)];
    pixels[at + 1] = colours[entry(b)];
    pixels[at + 2] = colours[entry(c)];
    pixels[at + 3] = colours[entry(d)];
    pixels[at + 4] = colours[entry(e)];
    pixels[at + 5] = colours[entry(f)];
    pixels[at + 6] = colours[entry(g)];
    pixels[at + 7] = colours[entry(h)];
  }
}
