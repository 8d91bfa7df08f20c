import { html, type TemplateResult } from "lit-html";
import { fixed, plain, significant } from "../core/format";

/** A number in view has three decimals; its six are the element's value, and are seen where it is pointed at. */
export function rounded(value: number): TemplateResult {
  const six = fixed(value, 6);
  return html`<data value=${six.replace("−", "-")} title=${six}>${fixed(value, 3)}</data>`;
}

/** Rounds a number of any size: three digits, and all that stand before the point. */
export function shortened(value: number): TemplateResult {
  const six = significant(value, 6);
  const short = Math.abs(value) < 100 ? significant(value, 3) : plain(Math.round(value));
  return html`<data value=${six.replace("−", "-")} title=${six}>${short}</data>`;
}

/** A vector of such numbers. */
export const roundedVector = (values: Iterable<number>): TemplateResult =>
  html`[${[...values].map((value, at) => html`${at > 0 ? ", " : ""}${rounded(value)}`)}]`;
