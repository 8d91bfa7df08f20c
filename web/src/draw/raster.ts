import { entry, type Palette } from "./colour";

/**
 * The dimensions from the top of the picture down. Where several share a pixel, even ones (such as sines) are drawn
 * above odd ones (cosines): a mean of both is neither.
 */
export function rowsOf(dim: number, isSplit: boolean): number[] {
  const all = Array.from({ length: dim }, (_, row) => row);
  return isSplit ? all.sort((a, b) => (a & 1) - (b & 1)) : all;
}

/** Which cells of an axis make up each pixel, and the share each of them has in it. */
type Cover = readonly { readonly first: number; readonly shares: readonly number[] }[];

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
  return Array.from({ length: pixels }, (_, pixel) => {
    const middle = begin + (pixel + 0.5) * step;
    const from = Math.max(begin, middle - reach);
    const to = Math.min(end, middle + reach);
    const before = (x: number) => (leans ? triangle((x - middle) / reach) : x);
    const whole = before(to) - before(from);
    const first = Math.min(end - 1, Math.floor(from));
    const shares: number[] = [];
    for (let cell = first; cell < to; cell++) {
      const share = before(Math.min(cell + 1, to)) - before(Math.max(cell, from));
      shares.push((gain * Math.max(0, share)) / whole);
    }
    return { first, shares };
  });
}

/**
 * Draws tables as pictures: positions from left to right, dimensions from top to bottom, each device pixel a mean of cells
 * (sampling cells instead would draw waves that are not there). Weights and image are kept from call to call.
 */
export class Raster {
  private shape = "";
  private across: Cover = [];
  private down: Cover = [];
  private image: ImageData | undefined;

  /** `most` is the absolute value that gets the strongest colour; `rows` are as `rowsOf` gives them. */
  draw(
    canvas: HTMLCanvasElement,
    table: Float32Array,
    { rows, most, palette }: { readonly rows: readonly number[]; readonly most: number; readonly palette: Palette },
  ): void {
    const { width, height } = canvas;
    const dims = rows.length;
    const columns = table.length / dims;
    const shape = [dims, columns, rows[1], most, width, height].join();
    if (shape !== this.shape || !this.image) {
      this.shape = shape;
      this.across = cover(0, columns, width);
      const odd = rows.findIndex((dimension, row) => dimension < rows[row - 1]);
      const pixel = (row: number) => Math.round((height * row) / rows.length);
      // Even dimensions share no pixel with odd ones that are drawn below them.
      const part = (from: number, end: number) => cover(from, end, pixel(end) - pixel(from), 1 / most);
      this.down = odd < 0 ? part(0, rows.length) : [...part(0, odd), ...part(odd, rows.length)];
      if (this.image?.width !== width || this.image.height !== height) this.image = new ImageData(width, height);
    }
    const { across, down, image } = this;
    const pixels = new Uint32Array(image.data.buffer);
    const means = new Float64Array(dims);
    for (let x = 0; x < width; x++) {
      const { first, shares } = across[x];
      means.fill(0);
      for (let used = 0; used < shares.length; used++) {
        const share = shares[used];
        const cells = (first + used) * dims;
        for (let dim = 0; dim < dims; dim++) means[dim] += share * table[cells + dim];
      }
      for (let y = 0; y < height; y++) {
        const { first: row, shares: parts } = down[y];
        let value = 0;
        for (let used = 0; used < parts.length; used++) value += parts[used] * means[rows[row + used]];
        pixels[y * width + x] = palette.packed[entry(value)];
      }
    }
    canvas.getContext("2d")?.putImageData(image, 0, 0);
  }
}
