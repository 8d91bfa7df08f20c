import { html, render } from "lit-html";
import { coded } from "../../code/figure";
import { exactly, fixed, plain } from "../../core/format";
import { page, reader, selection } from "../../core/page-state";
import type { Context, Panel, PanelModule } from "../../core/panel";
import { axes, layoutFor, rowsIn } from "./axes";
import { Below, outro } from "./below";
import { computationOf } from "./computation";
import { controls, settings } from "./controls";
import { encodingOf } from "./encoding";
import { Picture } from "./picture";
import { point, press } from "./pointing";
import { state } from "./state";
import { Table } from "./table";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { visible } from "./view";
import "./style.css";

const texts = { en, zh };

function mount(element: HTMLElement, { pe, frames, language, width }: Context): Panel {
  const encoding = encodingOf(pe);
  const { options, plan, cell } = encoding;
  const table = new Table(pe, encoding);
  const picture = new Picture(table, encoding);
  const below = new Below(element, encoding, table, frames, pe);

  /** Describes the chosen cell, with the formula in one line. */
  function sentence(): string {
    table.make();
    const { dim, base } = options.value;
    const { index, position, dimension, wave, above, below } = cell.value;
    const { factor, times } = encoding.factors();
    const formula = `${factor}${wave}(${times}${plain(position)} / ${plain(base)}^(${above}/${below})) = `;
    return `PE(${plain(position)}, ${dimension}) = ${wave ? formula : ""}${fixed(table.data[index * dim + dimension], 3)}`;
  }

  function described(): string {
    const { length, dim } = options.value;
    const view = visible();
    const isWhole = view.right - view.left === length && view.bottom - view.top === dim;
    const shown = { ...options.value, preset: state.preset.value };
    return texts[language()].describe(shown, plan.value, isWhole ? undefined : view, sentence());
  }

  function draw(): void {
    const words = texts[language()];
    const layout = layoutFor(width(), table.most);
    const rows = rowsIn(layout, visible(), plan.value);
    const pointed = (event: PointerEvent) => point(event, rows);
    render(
      html`<div class="heat">
          <canvas
            class="heat-canvas"
            tabindex="0"
            role="application"
            aria-roledescription=${words.roledescription}
            aria-label=${words.canvas}
            @pointermove=${pointed}
            @pointerdown=${pointed}
            @keydown=${(event: KeyboardEvent) => press(event, cell.value, element.querySelector(".live"), sentence)}
          ></canvas>
          <canvas class="heat-bar" width="1" height="256" aria-hidden="true"></canvas>
          <svg
            class="heat-axes"
            aria-hidden="true"
            width=${layout.width}
            height=${layout.height}
            viewBox="0 0 ${layout.width} ${layout.height}"
          >
            ${axes(layout, visible(), rows, { offset: options.value.offset, most: table.most }, cell.value, {
              position: words.positionAxis,
              // Two rows of one picture that are not neighbours: sines are drawn above cosines.
              dimension: rows[1] > rows[0] + 1 ? words.orders.split : words.dimAxis,
              value: words.valueAxis,
            })}
          </svg>
        </div>
        <p class="live visually-hidden" aria-live="polite"></p>
        <div class="heat-tools">${below.zoom}</div>
        ${controls(words)} ${below.content} ${settings(words, encoding, below.options)}`,
      element,
    );
    const canvas = (name: string) => element.querySelector(name) as HTMLCanvasElement;
    const work = picture.draw(canvas(".heat-canvas"), canvas(".heat-bar"), layout, frames.pace.isHurried);
    if (work) frames.first(work);
    below.drawn(layout);
  }

  function update(): void {
    const { mayWait } = frames.changed(table.make());
    if (!mayWait) frames.later(below.updates(width(), described()), draw);
    draw();
  }

  return {
    update,
    *rows() {
      table.make();
      const { length, dim, offset } = options.value;
      const header = ["position", ...Array.from({ length: dim }, (_, dimension) => dimension)];
      yield header;
      for (let index = 0; index < length; index++)
        yield [offset + index, ...Array.from(table.data.subarray(index * dim, (index + 1) * dim), exactly)];
    },
    svg() {
      frames.cancel();
      update();
      frames.finish();
      return below.svg();
    },
    code: coded(() => {
      table.make();
      return computationOf(encoding, table.data);
    }),
    describe: () => (frames.pace.isDrag ? below.description : described()),
    destroy: () => below.destroy(),
  };
}

export const panel: PanelModule = {
  uses: [...Object.values(state), page.palette, reader.sentence, selection.position, selection.dimension],
  texts: {
    en: { ...en, outro: () => outro("en") },
    zh: { ...zh, outro: () => outro("zh") },
  },
  mount,
};
