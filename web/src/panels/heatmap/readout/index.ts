import { html, nothing, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import { choices, rowSlider, slider } from "../../../controls";
import { wavelength } from "../../../core/arithmetic";
import { plain, single } from "../../../core/format";
import { type Language, language } from "../../../core/i18n";
import { selection } from "../../../core/page-state";
import { labelOf } from "../../../core/words";
import { rounded, shortened } from "../../../draw/rounded";
import type { Encoding } from "../encoding";
import { choose } from "../pointing";
import { state } from "../state";
import type { Table } from "../table";
import { en } from "./text.en";
import { zh } from "./text.zh";

/* What is fetched beside the picture: the text below the figure, the chosen cell in numbers, and options that few need. */

export { drawing } from "./drawing";

export const texts: Readonly<Record<Language, typeof en>> = { en, zh };

export function options({ plan }: Encoding): TemplateResult {
  const text = texts[language.value];
  const { exponent, shift } = plan.value;
  return html`${rowSlider(state.offset, text.offset, { span: [-4096, 4096], step: 1 })}
    ${rowSlider(state.timeScale, text.timeScale, { scale: "log" })}
    ${choices(state.exponent, text.exponent, text.exponents, exponent)}
    ${exponent === "half" ? choices(state.exponentShift, "s", { 0: "0", 1: "1" }, String(shift) as "0" | "1") : nothing}
    <p class="hint">${text.hint}</p>`;
}

/** The chosen cell: its formula, its value, and the wave behind it. */
export function readout(pe: Posenc, encoding: Encoding, table: Table): TemplateResult {
  const text = texts[language.value];
  const { length, dim, base } = encoding.options.value;
  const { scale, exponent, shift } = encoding.plan.value;
  const { index, position, dimension, wave, frequency, above, below } = encoding.cell.value;
  // The frequency in radians per position, the wavelength in positions.
  const omega = pe.frequencies({ dim, base, scale, exponent, shift }).data[frequency];
  const lambda = wavelength(omega);
  const { factor, times } = encoding.factors();
  const formula = html`${factor}${wave}(${times}${plain(position)} /
    ${plain(base)}<sup>${above}/${below}</sup>) =`;
  const word = labelOf(index);
  const number = table.data[index * dim + dimension];
  const value = html`<output data-value>${rounded(number, single(number))}</output>`;
  return html`<div class="readout">
    <p class="equation">PE(${plain(position)}, ${dimension}) = ${wave ? formula : ""} ${value}</p>
    <dl>
      <div><dt>${text.position}</dt><dd>${plain(position)}${word === undefined ? "" : html` · <span data-word>${word}</span>`}</dd></div>
      <div><dt>${text.dimension}</dt><dd>${dimension} (${wave ? `${wave}, i = ${frequency}` : text.empty})</dd></div>
      <div><dt>${text.omega}</dt><dd data-omega>${wave ? shortened(omega) : "–"}</dd></div>
      <div><dt>${text.lambda}</dt><dd data-lambda>${wave ? shortened(lambda) : "–"}</dd></div>
    </dl>
    ${slider({
      id: "heat-column",
      label: text.index,
      value: index,
      limits: { ...selection.position.limits, max: length - 1 },
      set: (next) => choose(next, dimension),
    })}
    ${slider({
      id: "heat-dimension",
      label: text.dimension,
      value: dimension,
      limits: { ...selection.dimension.limits, max: dim - 1 },
      set: (next) => choose(index, next),
    })}
  </div>`;
}
