import { html, render } from "lit-html";
import { palette } from "../../colour";
import { choices, rowSlider, slider } from "../../controls";
import { exactly, plain, significant, single } from "../../format";
import type { Context, Panel, PanelModule } from "../../panel";
import { table as rows, state } from "../../state";
import { axes, barWidth, frameFor, lens, margin } from "./axes";
import { chosenCell, encodingOptions, waveOf } from "./model";
import { Raster } from "./raster";
import { en } from "./text.en";
import { zh } from "./text.zh";

const texts = { en, zh };

/** Keys that move the chosen cell: steps in position and in lane; infinite steps go to the edge. */
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  PageUp: [0, -16],
  PageDown: [0, 16],
  Home: [Number.NEGATIVE_INFINITY, 0],
  End: [Number.POSITIVE_INFINITY, 0],
};

function mount(element: HTMLElement, context: Context): Panel {
  const { pe } = context;
  const raster = new Raster();
  let encoded = "";
  let pictured = "";
  let table: Float32Array = new Float32Array(0);
  let announce = 0;
  // For files alone, and not part of the first load; whoever asks for a file has waited for it.
  let files: typeof import("../../download") | undefined;
  import("../../download").then(
    (module) => {
      files = module;
    },
    () => {},
  );

  function encode(): void {
    const options = encodingOptions();
    const key = JSON.stringify(options);
    if (key === encoded) return;
    table = pe.sinusoidal(options).data;
    encoded = key;
  }

  function value(): number {
    encode();
    const cell = chosenCell();
    return table[cell.index * state.dim.value + cell.lane];
  }

  function choose(index: number, lane: number): void {
    state.cellPosition.value = Math.max(0, Math.min(state.length.value - 1, index));
    state.cellLane.value = Math.max(0, Math.min(state.dim.value - 1, lane));
  }

  function point(event: PointerEvent): void {
    if (event.pointerType === "touch" && event.type === "pointermove" && event.buttons === 0) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    choose(
      Math.floor(((event.clientX - box.left) / box.width) * state.length.value),
      Math.floor(((event.clientY - box.top) / box.height) * state.dim.value),
    );
  }

  function press(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (!step || event.altKey || event.metaKey) return;
    event.preventDefault();
    const cell = chosenCell();
    const toEdgeLane = event.ctrlKey && step[1] === 0 && !Number.isFinite(step[0]);
    const [across, down] = toEdgeLane ? [0, step[0]] : step;
    choose(cell.index + across, cell.lane + down);
    // Spoken after the keys have come to rest, so that a held key does not stutter.
    clearTimeout(announce);
    announce = window.setTimeout(() => {
      const live = element.querySelector(".live");
      if (live) live.textContent = sentence();
    }, 250);
  }

  /** The chosen cell in words, with the formula in one line. */
  function sentence(): string {
    const { position, lane, wave, above } = chosenCell();
    const { dim, base } = encodingOptions();
    const formula = `${wave}(${plain(position)} / ${plain(base)}^(${above}/${dim}))`;
    return `PE(${plain(position)}, ${lane}) = ${formula} = ${single(value())}`;
  }

  function controls() {
    const words = texts[context.language()];
    return html`<div class="controls">
      ${rowSlider("length", words.length, { scale: "log" })} ${rowSlider("dim", words.dim, { scale: "log" })}
      ${rowSlider("base", words.base, { scale: "log", span: [1, 1e6] })}
      <div class="choice-row">
        ${choices("order", words.order, [
          ["interleaved", words.interleaved],
          ["split", words.split],
        ])}
        ${choices("palette", words.palette, [
          ["PuOr", words.puor],
          ["RdBu", words.rdbu],
        ])}
      </div>
      <details>
        <summary>${words.advanced}</summary>
        <div class="controls">
          ${rowSlider("offset", words.offset, { span: [-4096, 4096], step: 1 })}
          ${choices("exponent", words.exponent, [
            ["paper", words.paper],
            ["double-stepped", words.doubleStepped],
          ])}
          <p class="hint">${words.advancedHint}</p>
        </div>
      </details>
    </div>`;
  }

  function readout(width: number) {
    const words = texts[context.language()];
    const { length, dim, base, offset } = encodingOptions();
    const cell = chosenCell();
    const { omega, lambda } = waveOf(pe, cell);
    return html`<div class="reading">
      <div class="readout">
        <p class="equation">
          PE(${plain(cell.position)}, ${cell.lane}) = ${cell.wave}(${plain(cell.position)} /
          ${plain(base)}<sup>${cell.above}/${dim}</sup>) = <output data-value>${single(value())}</output>
        </p>
        <dl>
          <div><dt>${words.position}</dt><dd>${plain(cell.position)}</dd></div>
          <div><dt>${words.lane}</dt><dd>${cell.lane} (${cell.wave}, i = ${cell.frequency})</dd></div>
          <div><dt>${words.omega}</dt><dd data-omega>${significant(omega, 6)}</dd></div>
          <div><dt>${words.lambda}</dt><dd data-lambda>${significant(lambda, 6)}</dd></div>
        </dl>
        ${slider({
          id: "row-cellPosition",
          label: words.index,
          value: cell.index,
          limits: { ...rows.cellPosition, max: length - 1 },
          set: (next) => choose(next, cell.lane),
        })}
        ${slider({
          id: "row-cellLane",
          label: words.lane,
          value: cell.lane,
          limits: { ...rows.cellLane, max: dim - 1 },
          set: (next) => choose(cell.index, next),
        })}
      </div>
      <div class="lens-box">
        ${lens(width, { data: table, length, dim, offset }, cell, palette(state.palette.value), words.lens)}
      </div>
    </div>`;
  }

  function picture(): void {
    const canvas = element.querySelector<HTMLCanvasElement>(".heat-canvas");
    const bar = element.querySelector<HTMLCanvasElement>(".heat-bar");
    if (!canvas || !bar) return;
    const frame = frameFor(element.clientWidth);
    const scale = Math.min(3, window.devicePixelRatio || 1);
    const width = Math.max(1, Math.round(frame.across * scale));
    const height = Math.max(1, Math.round(frame.down * scale));
    const key = [encoded, width, height, scale, state.palette.value].join();
    if (key === pictured) return;
    pictured = key;
    for (const [target, wide] of [
      [canvas, frame.across],
      [bar, barWidth],
    ] as const) {
      target.style.width = `${wide}px`;
      target.style.height = `${frame.down}px`;
      target.style.top = `${margin.top}px`;
    }
    canvas.style.left = `${margin.left}px`;
    bar.style.left = `${margin.left + frame.across + 16}px`;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const colours = palette(state.palette.value);
    raster.draw(canvas, table, state.length.value, state.dim.value, state.order.value === "interleaved", colours);
    const scaleColours = new ImageData(1, 256);
    new Uint32Array(scaleColours.data.buffer).set(colours.packed.slice().reverse());
    bar.getContext("2d")?.putImageData(scaleColours, 0, 0);
  }

  function update(): void {
    encode();
    const words = texts[context.language()];
    const { length, dim, offset } = encodingOptions();
    const frame = frameFor(element.clientWidth);
    const lensWidth = element.clientWidth > 760 ? element.clientWidth * 0.58 : element.clientWidth;
    render(
      html`${controls()}
        <div class="heat">
          <canvas
            class="heat-canvas"
            tabindex="0"
            role="application"
            aria-roledescription=${words.roledescription}
            aria-label=${words.canvas}
            @pointermove=${point}
            @pointerdown=${point}
            @keydown=${press}
          ></canvas>
          <canvas class="heat-bar" width="1" height="256" aria-hidden="true"></canvas>
          <svg
            class="heat-axes"
            aria-hidden="true"
            width=${frame.width}
            height=${frame.height}
            viewBox="0 0 ${frame.width} ${frame.height}"
          >
            ${axes(frame, { length, dim, offset }, chosenCell(), {
              position: words.positionAxis,
              lane: words.laneAxis,
              value: words.valueAxis,
            })}
          </svg>
        </div>
        <p class="live visually-hidden" aria-live="polite"></p>
        ${readout(lensWidth)}`,
      element,
    );
    picture();
  }

  return {
    update,
    *rows() {
      encode();
      const { length, dim, offset } = encodingOptions();
      const header = ["position", ...Array.from({ length: dim }, (_, lane) => lane)];
      yield header;
      for (let index = 0; index < length; index++)
        yield [offset + index, ...Array.from(table.subarray(index * dim, (index + 1) * dim), exactly)];
    },
    svg() {
      update();
      const drawing = element.querySelector<SVGSVGElement>(".heat-axes");
      if (!drawing || !files) return "";
      const images = [".heat-canvas", ".heat-bar"].map((selector) => {
        const canvas = element.querySelector(selector) as HTMLCanvasElement;
        const { left, top, width, height } = canvas.style;
        const box = `x="${Number.parseFloat(left)}" y="${Number.parseFloat(top)}" width="${Number.parseFloat(width)}"`;
        const size = `height="${Number.parseFloat(height)}" preserveAspectRatio="none"`;
        return `<image ${box} ${size} href="${canvas.toDataURL()}"/>`;
      });
      return files.standalone(drawing).replace("</svg>", `${images.join("")}</svg>`);
    },
    describe() {
      return texts[context.language()].describe(encodingOptions(), sentence());
    },
    destroy() {
      clearTimeout(announce);
    },
  };
}

export const heatmap: PanelModule = {
  id: "heatmap",
  uses: ["length", "dim", "base", "order", "exponent", "offset", "palette", "cellPosition", "cellLane"],
  texts,
  mount,
};
