import { page } from "../../core/page-state";
import { palette } from "../../draw/colour";
import { Raster } from "../../draw/raster";
import { barWidth, fineness, type Layout, place, rowsIn } from "./axes";
import type { Encoding } from "./encoding";
import type { Table } from "./table";
import { visible } from "./view";

/** The picture of the table and the colour bar beside it, on two canvases. */
export class Picture {
  private readonly raster = new Raster();
  /** The values that the picture on the canvas was made of. */
  private shown: readonly unknown[] = [];

  constructor(
    private readonly table: Table,
    private readonly encoding: Encoding,
  ) {}

  /**
   * The steps that draw it, or nothing if it is there already. A coarse picture has half as many columns and is
   * quicker.
   */
  draw(
    canvas: HTMLCanvasElement,
    bar: HTMLCanvasElement,
    layout: Layout,
    isCoarse: boolean,
  ): Iterator<void> | undefined {
    const { data, most, madeWith } = this.table;
    const scale = fineness();
    const across = Math.max(8, Math.round((layout.across * scale) / (isCoarse ? 2 : 1)));
    const down = Math.max(1, Math.round(layout.down * scale));
    const view = visible();
    const colours = palette(page.palette.value);
    const wanted = [madeWith, across, down, scale, isCoarse, colours, ...Object.values(view)];
    if (wanted.every((part, at) => part === this.shown[at])) return undefined;
    this.shown = wanted;
    place(canvas, 0, 0, layout.across, layout.down);
    place(bar, layout.across + 16, 0, barWidth, layout.down);
    if (canvas.width !== across) canvas.width = across;
    if (canvas.height !== down) canvas.height = down;
    const scaleColours = new ImageData(1, 256);
    new Uint32Array(scaleColours.data.buffer).set(colours.packed.slice().reverse());
    bar.getContext("2d")?.putImageData(scaleColours, 0, 0);
    const { plan, options } = this.encoding;
    const look = { rows: rowsIn(layout, view, plan.value), isCoarse, most, palette: colours };
    return this.raster.draw(canvas, data, options.value.dim, view, look);
  }
}
