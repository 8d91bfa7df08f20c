import { html, type TemplateResult } from "lit-html";
import { fixed, plain, significant } from "../core/format";

/** A number with few digits in view: those that are known are the element's value, and are seen where it is pointed at. */
const numeral = (short: string, known: string): TemplateResult =>
  html`<data value=${known.replace("−", "-")} title=${known}>${short}</data>`;

/** A number in view has three decimals, and six that are known. */
export const rounded = (value: number, known = fixed(value, 6)): TemplateResult => numeral(fixed(value, 3), known);

/** Writes a number of any size with three digits, and all that are before the point. */
export const short = (value: number): string =>
  Math.abs(value) < 100 ? significant(value, 3) : plain(Math.round(value));

/** Such a number, with six digits that are known. */
export const shortened = (value: number, known = significant(value, 6)): TemplateResult => numeral(short(value), known);
