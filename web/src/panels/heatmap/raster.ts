import { entry, type Palette } from "../../colour";

/** Which cells of an axis each pixel covers, and how much of the pixel each of them fills. */
interface Cover {
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly shares: Float32Array;
}

function cover(cells: number, pixels: number): Cover {
  const step = cells / pixels;
  const most = Math.ceil(step) + 1;
  const first = new Int32Array(pixels);
  const count = new Int32Array(pixels);
  const shares = new Float32Array(pixels * most);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const from = pixel * step;
    const to = Math.min(cells, from + step);
    const start = Math.min(cells - 1, Math.floor(from));
    first[pixel] = start;
    let used = 0;
    for (let cell = start; cell < to && used < most; cell++, used++) {
      shares[pixel * most + used] = Math.max(0, Math.min(cell + 1, to) - Math.max(cell, from)) / (to - from);
    }
    count[pixel] = used;
  }
  return { first, count, shares };
}

/**
 * Draws tables as pictures: positions from left to right, lanes from top to bottom, each device pixel the mean of the
 * area it covers (picking cells instead would draw waves that are not there). Buffers are kept from call to call.
 */
export class Raster {
  private across: Cover | undefined;
  private down: Cover | undefined;
  private shape = "";
  private narrowed = new Float32Array(0);
  private column = new Float32Array(0);
  private image: ImageData | undefined;

  draw(canvas: HTMLCanvasElement, table: Float32Array, positions: number, lanes: number, palette: Palette): void {
    const { width, height } = canvas;
    const shape = [positions, lanes, width, height].join();
    if (shape !== this.shape || !this.image || !this.across || !this.down) {
      this.shape = shape;
      this.across = cover(positions, width);
      this.down = cover(lanes, height);
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
