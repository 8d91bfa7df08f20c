import { html, render } from "lit-html";
import { coded } from "../../code/figure";
import { fixed, matrixLines, plain } from "../../core/format";
import { page, reader, selection } from "../../core/page-state";
import type { Context, Panel, PanelModule } from "../../core/panel";
import { axes, layoutFor, rowsIn } from "./axes";
import { computationOf } from "./computation";
import { controls, settings } from "./controls";
import { encodingOf } from "./encoding";
import { Picture } from "./picture";
import { point, press } from "./pointing";
import type * as Readout from "./readout";
import { state } from "./state";
import { Table } from "./table";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

const texts = { en, zh };
/** The chosen cell in numbers, and the text below the figure. */
let later: typeof Readout;

function mount(element: HTMLElement, { pe, language, width }: Context): Panel {
  const encoding = encodingOf(pe);
  const { options, plan, cell } = encoding;
  const table = new Table(pe, encoding);
  const canvas = document.createElement("canvas");
  const bar = document.createElement("canvas");
  const picture = new Picture(canvas, bar, table, encoding);

  /** Describes the chosen cell, with the formula in one line. */
  function sentence(): string {
    table.make();
    const { dim, base } = options.value;
    const { index, position, dimension, wave, above, below } = cell.value;
    const { factor, times } = encoding.factors();
    const formula = `${factor}${wave}(${times}${plain(position)} / ${plain(base)}^(${above}/${below})) = `;
    return `PE(${plain(position)}, ${dimension}) = ${wave ? formula : ""}${fixed(table.data[index * dim + dimension], 3)}`;
  }

  let rows: readonly number[] = [];
  const pointed = (event: PointerEvent) => point(event, rows);
  canvas.className = "heat-canvas";
  canvas.tabIndex = 0;
  canvas.role = "application";
  canvas.addEventListener("pointermove", pointed);
  canvas.addEventListener("pointerdown", pointed);
  canvas.addEventListener("keydown", (event) => press(event, cell.value, sentence));
  bar.className = "heat-bar";
  bar.ariaHidden = "true";

  return {
    update() {
      table.make();
      const words = texts[language()];
      const layout = layoutFor(width(), table.most);
      rows = rowsIn(layout, plan.value);
      canvas.ariaLabel = words.canvas;
      canvas.ariaRoleDescription = words.roledescription;
      picture.draw(layout);
      render(
        html`<div class="heat">
            ${canvas} ${bar}
            <svg
              class="heat-axes"
              aria-hidden="true"
              width=${layout.width}
              height=${layout.height}
              viewBox="0 0 ${layout.width} ${layout.height}"
            >
              ${axes(layout, rows, { ...options.value, most: table.most }, cell.value, {
                position: words.positionAxis,
                // Two rows of one picture that are not neighbours: sines are drawn above cosines.
                dimension: rows[1] > rows[0] + 1 ? words.orders.split : words.dimAxis,
                value: words.valueAxis,
              })}
            </svg>
          </div>
          <p class="live visually-hidden" aria-live="polite"></p>
          ${controls(words)}
          <div class="heat-numbers">${later.readout(pe, encoding, table)}</div>
          ${settings(words, encoding, later.options(encoding))}`,
        element,
      );
    },
    rows() {
      table.make();
      const { dim, offset } = options.value;
      return matrixLines("position", table.data, dim, offset);
    },
    drawing: () => later.drawing(element),
    code: coded(() => {
      table.make();
      return computationOf(encoding, table.data);
    }),
    describe() {
      const shown = { ...options.value, preset: state.preset.value };
      return texts[language()].describe(shown, plan.value, sentence());
    },
  };
}

export const panel: PanelModule = {
  uses: [...Object.values(state), page.palette, reader.sentence, selection.position, selection.dimension],
  texts: {
    en: { ...en, outro: () => later.texts.en.outro() },
    zh: { ...zh, outro: () => later.texts.zh.outro() },
  },
  parts: async () => {
    later = await import("./readout");
  },
  mount,
};
