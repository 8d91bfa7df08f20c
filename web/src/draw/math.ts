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
          : /^[，。；：、？;:?]$/.test(String(part))
            ? mathml`<mtext>${part}</mtext>`
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

/**
 * Browsers break lines between formulas, not within one: a new one begins after a comma, or else before a relation. The
 * sentence's punctuation is a formula's last part, or it could begin a line.
 */
function pieces(parts: readonly Part[]): Part[][] {
  const isList = parts.includes(", ");
  const all: Part[][] = [[]];
  for (const part of parts) {
    if (!isList && /^[=≠→←]$/.test(String(part))) all.push([]);
    all.at(-1)?.push(part);
    if (part === ", ") all.push([]);
  }
  return all.filter((piece) => piece.length > 0);
}

export const math = (...parts: Part[]) => html`${pieces(parts).map((piece) => html`<math>${piece.map(wrap)}</math>`)}`;
export const display = (...parts: Part[]) =>
  html`<div class="formula"><math display="block">${parts.map(wrap)}</math></div>`;
