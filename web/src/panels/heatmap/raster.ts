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
 * (picking cells instead would draw waves that are not there). The image is kept from call to call.
 */
export class Raster {
  private across: Cover | undefined;
  private down: Cover | undefined;
  private shape = "";
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
      if (this.image?.width !== width || this.image.height !== height) this.image = new ImageData(width, height);
    }
    average(table, lanes, this.across, this.down, this.image, palette.packed);
    canvas.getContext("2d")?.putImageData(this.image, 0, 0);
  }
}

/** Column by column: positions first, since their rows lie in memory one after the other, then lanes. */
function average(
  table: Float32Array,
  lanes: number,
  across: Cover,
  down: Cover,
  image: ImageData,
  colours: Uint32Array,
) {
  const { width, height } = image;
  const pixels = new Uint32Array(image.data.buffer);
  const mean = new Float32Array(lanes);
  const mostAcross = across.shares.length / width;
  const mostDown = down.shares.length / height;
  for (let x = 0; x < width; x++) {
    for (let c = 0; c < across.count[x]; c++) {
      const share = across.shares[x * mostAcross + c];
      const from = (across.first[x] + c) * lanes;
      if (c === 0) for (let lane = 0; lane < lanes; lane++) mean[lane] = share * table[from + lane];
      else for (let lane = 0; lane < lanes; lane++) mean[lane] += share * table[from + lane];
    }
    for (let y = 0; y < height; y++) {
      const first = down.first[y];
      const shares = y * mostDown;
      let sum = 0;
      for (let c = 0; c < down.count[y]; c++) sum += down.shares[shares + c] * mean[first + c];
      pixels[y * width + x] = colours[entry(sum)];
    }
  }
}
