import { html, type TemplateResult } from "lit-html";
import { entry, type Palette } from "../../colour";
import { language } from "../../i18n";
import { state } from "../../state";
import { chosenCell, type View, view } from "./model";

/* What brings parts of a large table closer; fetched after the first picture. */

const en = {
  zoom: "Zoom",
  closer: "Closer",
  farther: "Farther",
  whole: "Whole table",
  hint: "Drag a rectangle over the picture to enlarge it, or use + and − while it has the focus; 0 shows all.",
  seen: (columns: string, lanes: string) => `Shown: columns ${columns}, lanes ${lanes}.`,
  lens: "One cell, one pixel",
};
const zh: typeof en = {
  zoom: "缩放",
  closer: "放大",
  farther: "缩小",
  whole: "整张表",
  hint: "在图上拖出一个矩形就放大那一块；图获得焦点时也可以按 + 和 −，按 0 看全图。",
  seen: (columns, lanes) => `正在显示：第 ${columns} 列，第 ${lanes} 维。`,
  lens: "一格一个像素",
};
const texts = { en, zh };

/** Cells of the lens that is not averaged, across and down. */
const lensSize = { columns: 256, lanes: 128 };
/** Pixels below which a drag is a click that trembled. */
const tremble = 6;

/** `count` places of `all`, the middle one at `middle` where that can be. */
const around = (middle: number, count: number, all: number) =>
  Math.max(0, Math.min(all - count, middle - Math.floor(count / 2)));

/** Shows a part of the table; numbers that show all of it become the default, so that the link stays short. */
export function show(part: View): void {
  const all = part.columns >= state.length.value && part.lanes >= state.dim.value;
  state.view.value = all ? [0, 0, 2048, 512] : [part.index, part.lane, part.columns, part.lanes];
}

/** Enlarges or shrinks what is seen around the chosen cell. */
export function zoomBy(factor: number): void {
  const seen = view();
  const cell = chosenCell();
  const [length, dim] = [state.length.value, state.dim.value];
  const columns = Math.max(1, Math.min(length, Math.round(seen.columns / factor)));
  const lanes = Math.max(1, Math.min(dim, Math.round(seen.lanes / factor)));
  show({ index: around(cell.index, columns, length), lane: around(cell.lane, lanes, dim), columns, lanes });
}

/** Keys of the picture. */
export function zoomKey(key: string): boolean {
  if (key === "+" || key === "=") zoomBy(2);
  else if (key === "-") zoomBy(0.5);
  else if (key === "0") show({ index: 0, lane: 0, columns: 2048, lanes: 512 });
  else return false;
  return true;
}

export function zoomControls(): TemplateResult {
  const words = texts[language.value];
  const seen = view();
  const all = seen.columns === state.length.value && seen.lanes === state.dim.value;
  const range = (first: number, count: number) => `${first}–${first + count - 1}`;
  return html`<div class="tools zoom" role="group" aria-label=${words.zoom}>
    <button type="button" data-zoom="in" @click=${() => zoomBy(2)}>${words.closer}</button>
    <button type="button" data-zoom="out" ?disabled=${all} @click=${() => zoomBy(0.5)}>${words.farther}</button>
    <button type="button" data-zoom="all" ?disabled=${all} @click=${() => zoomKey("0")}>${words.whole}</button>
    <span class="hint" data-seen>
      ${all ? words.hint : words.seen(range(seen.index, seen.columns), range(seen.lane, seen.lanes))}
    </span>
  </div>`;
}

/** Follows a drag over the picture, mouse or pen; touching scrolls the page instead. */
export function brush(event: PointerEvent, band: SVGElement): void {
  if (event.pointerType === "touch" || event.button !== 0) return;
  const canvas = event.currentTarget as HTMLElement;
  const box = canvas.getBoundingClientRect();
  const start = { x: event.clientX, y: event.clientY };
  const within = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
  const rectangle = (to: PointerEvent) => {
    const [x, y] = [within(to.clientX, box.left, box.right), within(to.clientY, box.top, box.bottom)];
    return {
      left: Math.min(start.x, x) - box.left,
      top: Math.min(start.y, y) - box.top,
      width: Math.abs(x - start.x),
      height: Math.abs(y - start.y),
    };
  };
  const move = (to: PointerEvent) => {
    const { left, top, width, height } = rectangle(to);
    const corner = canvas.offsetParent?.getBoundingClientRect() ?? box;
    band.setAttribute("x", String(box.left - corner.left + left));
    band.setAttribute("y", String(box.top - corner.top + top));
    band.setAttribute("width", String(width));
    band.setAttribute("height", String(height));
  };
  const end = (to: PointerEvent) => {
    canvas.removeEventListener("pointermove", move);
    canvas.removeEventListener("pointerup", end);
    canvas.removeEventListener("pointercancel", end);
    band.setAttribute("width", "0");
    const { left, top, width, height } = rectangle(to);
    if (to.type !== "pointerup" || width < tremble || height < tremble) return;
    const seen = view();
    const [perColumn, perLane] = [box.width / seen.columns, box.height / seen.lanes];
    const [column, lane] = [Math.floor(left / perColumn), Math.floor(top / perLane)];
    show({
      index: seen.index + column,
      lane: seen.lane + lane,
      columns: Math.max(1, Math.ceil((left + width) / perColumn) - column),
      lanes: Math.max(1, Math.ceil((top + height) / perLane) - lane),
    });
  };
  canvas.setPointerCapture(event.pointerId);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
}

export const lensCanvas = (): TemplateResult => {
  const words = texts[language.value];
  return html`<figure class="true-lens">
    <canvas class="true-canvas" role="img" aria-label=${words.lens}></canvas>
    <figcaption>${words.lens}</figcaption>
  </figure>`;
};

/** The cells around the chosen one, each of them one pixel: nothing is averaged here. */
export function drawLens(canvas: HTMLCanvasElement, table: Float32Array, palette: Palette, gain: number): void {
  const [length, dim] = [state.length.value, state.dim.value];
  const cell = chosenCell();
  const width = Math.min(lensSize.columns, length);
  const height = Math.min(lensSize.lanes, dim);
  const [index, lane] = [around(cell.index, width, length), around(cell.lane, height, dim)];
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = palette.packed[entry(gain * table[(index + x) * dim + lane + y])];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.getContext("2d")?.putImageData(image, 0, 0);
}
