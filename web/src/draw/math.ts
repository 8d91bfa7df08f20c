import { html, mathml, type TemplateResult } from "lit-html";

/** Short names for MathML, so that formulas in the texts read like formulas. */
export type Part = TemplateResult | string | number;

const wrap = (part: Part) =>
  typeof part === "object"
    ? part
    : /^[\d.,]+$/.test(String(part))
      ? mathml`<mn>${part}</mn>`
      : /^(sin|cos)$/.test(String(part))
        ? mathml`<mspace width="0.17em"/><mi>${part}</mi><mspace width="0.17em"/>`
        : /^[\p{L}]+$/u.test(String(part))
          ? mathml`<mi>${part}</mi>`
          : mathml`<mo stretchy="false">${part}</mo>`;

export const row = (...parts: Part[]) => mathml`<mrow>${parts.map(wrap)}</mrow>`;
export const frac = (above: Part, below: Part) =>
  mathml`<mfrac><mrow>${wrap(above)}</mrow><mrow>${wrap(below)}</mrow></mfrac>`;
export const sup = (base: Part, above: Part) =>
  mathml`<msup><mrow>${wrap(base)}</mrow><mrow>${wrap(above)}</mrow></msup>`;
export const sub = (base: Part, below: Part) =>
  mathml`<msub><mrow>${wrap(base)}</mrow><mrow>${wrap(below)}</mrow></msub>`;
export const sqrt = (inner: Part) => mathml`<msqrt>${wrap(inner)}</msqrt>`;
export const bold = (name: string) => mathml`<mi mathvariant="bold">${name}</mi>`;

export const math = (...parts: Part[]) => html`<math>${parts.map(wrap)}</math>`;
export const display = (...parts: Part[]) =>
  html`<div class="formula"><math display="block">${parts.map(wrap)}</math></div>`;
