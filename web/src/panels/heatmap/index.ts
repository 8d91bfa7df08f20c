import { batch } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { choices, rowSlider } from "../../controls";
import { exactly, plain, single } from "../../core/format";
import { lost, whenNear } from "../../core/lazy";
import { page, selection } from "../../core/page-state";
import type { Context, Panel, PanelModule } from "../../core/panel";
import { palette } from "../../draw/colour";
import { Raster } from "../../draw/raster";
import { axes, barWidth, frameFor, margin } from "./axes";
import type { Closer } from "./closer";
import { amplitude, chosenCell, convention, encodingOptions, factors } from "./model";
import { type Pace, pacer } from "./pace";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { keepInSight, visible } from "./view";

const texts = { en, zh };

/** What is fetched when its place comes near; its words, when all that stands above them is there. */
let more: typeof import("./closer") | undefined;

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

/** What is read, not seen: the numbers below the picture, and what it shows in a sentence. */
interface Reading {
  readonly zoom: TemplateResult | typeof nothing;
  readonly readout: TemplateResult | typeof nothing;
  readonly cells: TemplateResult | typeof nothing;
  readonly description: string;
}

/** The last of the stages in which what looks closer is put in: zoom, readout, cells, and what is folded away. */
const lastStage = 3;
/** Milliseconds for a picture beyond which, as long as a slider is dragged, half as many columns are drawn, in parts. */
const slow = 8;
/** Milliseconds of a frame that such a part may take. */
const partTime = 5;

function mount(element: HTMLElement, context: Context): Panel {
  const { pe, frames } = context;
  const raster = new Raster();
  let encoded = "";
  let pictured = "";
  let table: Float32Array = new Float32Array(0);
  let most = 1;
  let announce = 0;
  let closer: Closer | undefined;
  let program: typeof more;
  /** The stage it is in; a frame each, since all of it would take too long for one. */
  let stage = 0;
  let stopWaiting: (() => void) | undefined;
  let fetching = false;
  let problem = "";

  /** Whether the state has gone on since the table was made. */
  const isBehind = () => JSON.stringify(encodingOptions()) !== encoded;

  /** Whether the table is another one than before. */
  function encode(): boolean {
    if (!isBehind()) return false;
    const options = encodingOptions();
    const size = options.length * options.dim;
    const out = table.length === size ? table : new Float32Array(size);
    table = pe.sinusoidal({ ...options, out }).data;
    most = amplitude(pe);
    encoded = JSON.stringify(options);
    return true;
  }

  function choose(index: number, lane: number): void {
    batch(() => {
      selection.position.value = Math.max(0, Math.min(state.length.value - 1, index));
      selection.lane.value = Math.max(0, Math.min(state.dim.value - 1, lane));
      keepInSight(selection.position.value, selection.lane.value);
    });
  }

  function point(event: PointerEvent): void {
    if (event.pointerType === "touch" && event.type === "pointermove" && event.buttons === 0) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const { left, right, top, bottom } = visible();
    const at = (share: number, first: number, end: number) =>
      Math.max(first, Math.min(end - 1, first + Math.floor(share * (end - first))));
    choose(
      at((event.clientX - box.left) / box.width, left, right),
      at((event.clientY - box.top) / box.height, top, bottom),
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
    encode();
    const { index, position, lane, wave, above, below } = chosenCell();
    const { factor, times } = factors();
    const formula = `${factor}${wave}(${times}${plain(position)} / ${plain(state.base.value)}^(${above}/${below})) = `;
    return `PE(${plain(position)}, ${lane}) = ${wave ? formula : ""}${single(table[index * state.dim.value + lane])}`;
  }

  function controls() {
    const words = texts[context.language()];
    return html`<div class="controls">
      ${rowSlider(state.length, words.length, { scale: "log" })} ${rowSlider(state.dim, words.dim, { scale: "log" })}
      ${rowSlider(state.base, words.base, { scale: "log", span: [1, 1e6] })}
      <div class="choice-row" @change=${followPreset}>
        ${choices(state.preset, words.preset, [
          ["paper", words.thePaper],
          ["tensor2tensor", "tensor2tensor"],
          ["whisper", "Whisper"],
          ["diffusers", "diffusers"],
          ["ggml", "ggml"],
          ["mlx", "MLX"],
        ])}
      </div>
      <div class="choice-row">
        ${choices(
          state.order,
          words.order,
          [
            ["interleaved", words.interleaved],
            ["split", words.split],
            ["cosines-first", words.cosinesFirst],
          ],
          convention().order,
        )}
        ${choices(page.palette, words.palette, [
          ["PuOr", words.puor],
          ["RdBu", words.rdbu],
        ])}
      </div>
      <details>
        <summary>${words.advanced}</summary>
        <div class="controls">${stage >= lastStage ? closer?.options() : nothing}</div>
      </details>
    </div>`;
  }

  function fetchCloser(): void {
    const canvas = element.querySelector<HTMLCanvasElement>(".heat-canvas");
    if (closer || fetching || problem || !canvas) return;
    fetching = true;
    import("./closer")
      .then(
        (module) => {
          program = module;
          closer = module.closer({
            pe,
            canvas,
            table: () => ({ data: table, most }),
            choose,
            markDirty: () => frames.request(),
          });
        },
        (error) => {
          problem = String(error);
        },
      )
      .finally(() => {
        fetching = false;
        frames.requestUnseen();
      });
  }

  /** The words below it come last. */
  function unfold(): void {
    if (!program || more) return;
    if (stage === lastStage) more = program;
    else {
      stage++;
      frames.requestUnseen();
    }
  }

  /** What is below the picture; until it is fetched, its place. */
  function below() {
    const { zoom, readout, cells } = reading;
    const again = () => {
      problem = "";
      fetchCloser();
    };
    if (problem) return lost(problem, again);
    return html`${zoom}
      <div class=${cells === nothing ? "reading waiting" : "reading"}>
        ${readout}
        <div class="lens-box">${cells}</div>
      </div>`;
  }

  const read = (): Reading => ({
    zoom: closer?.zoom() ?? nothing,
    readout: closer && stage > 0 ? closer.readout() : nothing,
    cells: closer && stage > 1 ? closer.cells(width > 760 ? width * 0.58 : width) : nothing,
    description: described(),
  });

  let width = 0;
  const paceOf = pacer(() => {
    giveUp();
    frames.request();
  });
  let pace: Pace = { isDrag: false, mayWait: false };
  /** Milliseconds the last whole picture took. */
  let took = 0;
  const isCoarse = () => pace.isDrag && took > slow;
  let reading: Reading = { zoom: nothing, readout: nothing, cells: nothing, description: "" };
  /** What is still to be put in of it on a slow machine: part by part, each in a frame of its own, after a picture. */
  let due: Partial<Reading>[] = [];
  let isTurnOfReading = false;
  /** What is still to be drawn of a picture that is made in parts. */
  let rest: Iterator<void> | undefined;

  /** Draws on, and asks for the next frame: for the next part, or for a table that has changed meanwhile. */
  function drawOn(): void {
    const end = performance.now() + partTime;
    while (rest && performance.now() < end) if (rest.next().done) rest = undefined;
    if (rest) frames.request();
    else follow();
  }

  /** What has changed or been put off meanwhile is for the next frame. */
  function follow(): void {
    if (due.length > 0 || isBehind()) frames.request();
  }

  /** Shows this reading: at once, or on a slow machine bit by bit. */
  function take(next: Reading): void {
    const { zoom, readout, cells, description } = next;
    due = isCoarse() ? [{ zoom, readout }, { cells }, { description }] : [];
    if (!isCoarse()) reading = next;
  }

  function described(): string {
    const options = encodingOptions();
    const view = visible();
    const isWhole = view.right - view.left === options.length && view.bottom - view.top === options.dim;
    return texts[context.language()].describe(options, convention(), isWhole ? undefined : view, sentence());
  }

  /** What was to follow in later frames is left out: all is drawn anew. */
  function giveUp(): void {
    rest = undefined;
    due = [];
    pictured = "";
  }

  function picture(): void {
    const canvas = element.querySelector<HTMLCanvasElement>(".heat-canvas");
    const bar = element.querySelector<HTMLCanvasElement>(".heat-bar");
    if (!canvas || !bar) return;
    const frame = frameFor(width, most);
    const scale = Math.min(3, window.devicePixelRatio || 1);
    const across = Math.max(8, Math.round((frame.across * scale) / (isCoarse() ? 2 : 1)));
    const down = Math.max(1, Math.round(frame.down * scale));
    const view = visible();
    const key = [encoded, across, down, scale, page.palette.value, ...Object.values(view)].join();
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
    if (canvas.width !== across) canvas.width = across;
    if (canvas.height !== down) canvas.height = down;
    const colours = palette(page.palette.value);
    const alternating = convention().order === "interleaved";
    const look = { alternating, isCoarse: isCoarse(), most, palette: colours };
    rest = raster.draw(canvas, table, state.dim.value, view, look);
    if (isCoarse()) frames.request();
    else {
      const begun = performance.now();
      while (!rest.next().done);
      rest = undefined;
      took = performance.now() - begun;
    }
    const scaleColours = new ImageData(1, 256);
    new Uint32Array(scaleColours.data.buffer).set(colours.packed.slice().reverse());
    bar.getContext("2d")?.putImageData(scaleColours, 0, 0);
  }

  function update(): void {
    // The table stays as it is until its picture is there.
    if (rest) {
      drawOn();
      return;
    }
    width = context.width();
    const next = isTurnOfReading || !isBehind() ? due.shift() : undefined;
    isTurnOfReading = !next;
    if (next) {
      reading = { ...reading, ...next };
      follow();
    } else {
      pace = paceOf(encode());
      if (!pace.mayWait) take(read());
    }
    const words = texts[context.language()];
    const frame = frameFor(width, most);
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
            ${axes(frame, visible(), { offset: state.offset.value, most }, chosenCell(), {
              position: words.positionAxis,
              lane: words.laneAxis,
              value: words.valueAxis,
            })}
          </svg>
        </div>
        <p class="live visually-hidden" aria-live="polite"></p>
        ${below()}`,
      element,
    );
    picture();
    unfold();
    closer?.drawn(frame);
    stopWaiting ??= whenNear(element.querySelector(".reading") as Element, fetchCloser);
  }

  addEventListener("beforeprint", fetchCloser);
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
      giveUp();
      update();
      while (rest) drawOn();
      if (!closer) throw new Error(problem || "too early");
      return closer.svg(element);
    },
    describe() {
      return pace.isDrag ? reading.description : described();
    },
    destroy() {
      clearTimeout(announce);
      stopWaiting?.();
      removeEventListener("beforeprint", fetchCloser);
      closer?.destroy();
    },
  };
}

/** An implementation's own order and exponent hold when it is chosen. */
function followPreset(): void {
  batch(() => {
    state.order.value = "";
    state.exponent.value = "";
    state.exponentShift.value = "";
  });
}

export const panel: PanelModule = {
  uses: [
    state.length,
    state.dim,
    state.base,
    state.preset,
    state.order,
    state.exponent,
    state.exponentShift,
    state.timeScale,
    state.offset,
    page.palette,
    selection.position,
    selection.lane,
    state.firstColumn,
    state.lastColumn,
    state.firstLane,
    state.lastLane,
    state.lens,
  ],
  texts: {
    en: { ...en, outro: () => more?.texts.en.outro() },
    zh: { ...zh, outro: () => more?.texts.zh.outro() },
  },
  mount,
};
