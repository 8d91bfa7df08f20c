import { html, type TemplateResult } from "lit-html";
import { fixed } from "../core/format";

/** A number in view has three decimals; its six are the element's value, and are seen where it is pointed at. */
export function rounded(value: number): TemplateResult {
  const six = fixed(value, 6);
  return html`<data value=${six.replace("−", "-")} title=${six}>${fixed(value, 3)}</data>`;
}

/** A vector of such numbers. */
export const roundedVector = (values: Iterable<number>): TemplateResult =>
  html`[${[...values].map((value, at) => html`${at > 0 ? ", " : ""}${rounded(value)}`)}]`;
