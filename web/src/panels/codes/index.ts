import { html } from "lit-html";
import { rowSlider } from "../../controls";
import { figure } from "../../core/figure";
import { exactly, rows, significant } from "../../core/format";
import { drawing } from "./drawing";
import { codeNames, model } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

export const panel = figure({
  uses: Object.values(state),
  texts: { en, zh },
  model,
  draw: (words, shown, { width }) => html`<div class="controls">${rowSlider(state.codesLength, words.length)}</div>
    ${drawing(shown, width, words)}`,
  *rows({ codes, length }) {
    yield ["code", "position", "size", "step", ...Array.from({ length: codes.waves.table.shape[1] }, (_, at) => at)];
    for (const name of codeNames) {
      const { table, lengths, steps } = codes[name];
      for (const [position, code] of rows(table.data, table.shape[1]).entries())
        yield [name, position, lengths[position], position < length - 1 ? steps[position] : "", ...code.map(exactly)];
    }
  },
  drawing: ".codes-picture",
  describe: (words, { length, codes }) => words.describe(length - 1, significant(codes.waves.steps[0], 3)),
});
