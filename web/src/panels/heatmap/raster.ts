import { entry, type Palette } from "../../colour";

/** Which cells of an axis make up each pixel, and the share each of them has in it. */
interface Cover {
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly shares: Float32Array;
}

/** Area of the triangle max(0, 1 - |x|) left of x. */
const triangle = (x: number) => (x <= -1 ? 0 : x >= 1 ? 1 : x < 0 ? (1 + x) ** 2 / 2 : 1 - (1 - x) ** 2 / 2);

/**
 * Where pixels are finer than cells, a pixel is the mean of the area it covers, so cells have sharp edges. Where they
 * are coarser, the mean leans over to the neighbouring pixels (weights fall off as a triangle), because a plain mean
 * lets a fifth of a too fast wave through as a false slow one. A triangle as wide as a whole number of periods cancels
 * a wave: with `alternating` lanes (sine, cosine, sine, …) its half-width is rounded up to an even number of lanes.
 */
function cover(cells: number, pixels: number, alternating: boolean): Cover {
  const step = cells / pixels;
  const shrinks = step > 1;
  const reach = shrinks ? (alternating ? 2 * Math.ceil(step / 2) : step) : step / 2;
  const most = Math.ceil(2 * reach) + 1;
  const first = new Int32Array(pixels);
  const count = new Int32Array(pixels);
  const shares = new Float32Array(pixels * most);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const middle = (pixel + 0.5) * step;
    const from = Math.max(0, middle - reach);
    const to = Math.min(cells, middle + reach);
    const before = (x: number) => (shrinks ? triangle((x - middle) / reach) : x);
    const whole = before(to) - before(from);
    const start = Math.min(cells - 1, Math.floor(from));
    first[pixel] = start;
    let used = 0;
    for (let cell = start; cell < to && used < most; cell++, used++) {
      const share = before(Math.min(cell + 1, to)) - before(Math.max(cell, from));
      shares[pixel * most + used] = Math.max(0, share) / whole;
    }
    count[pixel] = used;
  }
  return { first, count, shares };
}

/**
 * Draws tables as pictures: positions from left to right, lanes from top to bottom, each device pixel a mean of cells
 * (picking cells instead would draw waves that are not there). Buffers are kept from call to call.
 */
export class Raster {
  private across: Cover | undefined;
  private down: Cover | undefined;
  private shape = "";
  private narrowed = new Float32Array(0);
  private column = new Float32Array(0);
  private image: ImageData | undefined;

  draw(
    canvas: HTMLCanvasElement,
    table: Float32Array,
    positions: number,
    lanes: number,
    alternating: boolean,
    palette: Palette,
  ): void {
    const { width, height } = canvas;
    const shape = [positions, lanes, alternating, width, height].join();
    if (shape !== this.shape || !this.image || !this.across || !this.down) {
      this.shape = shape;
      this.across = cover(positions, width, false);
      this.down = cover(lanes, height, alternating);
      if (this.narrowed.length < positions * height) this.narrowed = new Float32Array(positions * height);
      this.column = new Float32Array(height);
      if (this.image?.width !== width || this.image.height !== height) this.image = new ImageData(width, height);
    }
    this.averageLanes(table, positions, lanes, height, this.down);
    this.averagePositions(width, height, this.across, this.image, palette.packed);
    canvas.getContext("2d")?.putImageData(this.image, 0, 0);
  }

  private averageLanes(table: Float32Array, positions: number, lanes: number, height: number, down: Cover): void {
    const { first, count, shares } = down;
    const { narrowed } = this;
    const most = shares.length / height;
    for (let position = 0; position < positions; position++) {
      const from = position * lanes;
      const to = position * height;
      for (let y = 0; y < height; y++) {
        let sum = 0;
        for (let c = 0; c < count[y]; c++) sum += shares[y * most + c] * table[from + first[y] + c];
        narrowed[to + y] = sum;
      }
    }
  }

  private averagePositions(width: number, height: number, across: Cover, image: ImageData, colours: Uint32Array): void {
    const { first, count, shares } = across;
    const { narrowed, column } = this;
    const most = shares.length / width;
    const pixels = new Uint32Array(image.data.buffer);
    for (let x = 0; x < width; x++) {
      column.fill(0);
      for (let c = 0; c < count[x]; c++) {
        const share = shares[x * most + c];
        const from = (first[x] + c) * height;
        for (let y = 0; y < height; y++) column[y] += share * narrowed[from + y];
      }
      for (let y = 0; y < height; y++) pixels[y * width + x] = colours[entry(column[y])];
    }
  }
}
