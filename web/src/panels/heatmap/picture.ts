import { page } from "../../core/page-state";
import { palette } from "../../draw/colour";
import { Raster } from "../../draw/raster";
import { barWidth, fineness, type Layout, place, rowsIn } from "./axes";
import type { Encoding } from "./encoding";
import type { Table } from "./table";

/** The picture of the table and the colour bar beside it, on two canvases. */
export class Picture {
  private readonly raster = new Raster();
  /** The values that the picture on the canvas was made of. */
  private shown: readonly unknown[] = [];

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly bar: HTMLCanvasElement,
    private readonly table: Table,
    private readonly encoding: Encoding,
  ) {
    Object.assign(bar, { width: 1, height: 256 });
  }

  /** Draws it, unless it is there already. */
  draw(layout: Layout): void {
    const { canvas, bar } = this;
    const { data, most, madeWith } = this.table;
    const scale = fineness();
    const across = Math.max(8, Math.round(layout.across * scale));
    const down = Math.max(1, Math.round(layout.down * scale));
    const colours = palette(page.palette.value);
    const wanted = [madeWith, across, down, scale, colours];
    if (wanted.every((part, at) => part === this.shown[at])) return;
    this.shown = wanted;
    place(canvas, 0, 0, layout.across, layout.down);
    place(bar, layout.across + 16, 0, barWidth, layout.down);
    if (canvas.width !== across) canvas.width = across;
    if (canvas.height !== down) canvas.height = down;
    const scaleColours = new ImageData(1, 256);
    new Uint32Array(scaleColours.data.buffer).set(colours.packed.slice().reverse());
    bar.getContext("2d")?.putImageData(scaleColours, 0, 0);
    const { plan } = this.encoding;
    const look = { rows: rowsIn(layout, plan.value), most, palette: colours };
    this.raster.draw(canvas, data, look);
  }
}
