import { expect, words } from "../fixtures.mjs";

/** Tests of figures share this: numbers as the page writes them, as JavaScript has them. */

export const number = (text) => Number(text.replaceAll("−", "-").replace("°", ""));

/** All numbers that elements have as their values: more digits than they show. */
export const exact = (page, selector) =>
  page.locator(`${selector} data`).evaluateAll((all) => all.map((each) => Number(each.value)));

export async function value(page, selector) {
  const text = await words(page.locator(selector));
  const [known] = await exact(page, selector);
  return known ?? number(text);
}

/** The numbers of a vector in brackets, as in "[0.1, −0.2, …]". */
export const vector = (text) =>
  (text.match(/\[(.*?)\]/)?.[1] ?? "")
    .replace(", …", "")
    .split(",")
    .map((part) => number(part.trim()));

/** A matrix by its rows. */
export const rows = (data, width) =>
  Array.from({ length: data.length / width }, (_, row) => Array.from(data.slice(row * width, (row + 1) * width)));

/** Numbers as they are shown with so many digits. */
export const shown = (values, digits) => values.map((value) => Number(value.toFixed(digits)) || 0);

/** A number differs from another by so much at most. */
export const near = (actual, expected, most = 2e-6) =>
  expect(Math.abs(actual - expected), `${actual}, expected ${expected}`).toBeLessThanOrEqual(most);

/** A number differs from another by such a part of it at most. */
export const nearRatio = (actual, expected, most = 6e-6) =>
  expect(Math.abs(actual / expected - 1), `${actual}, expected ${expected}`).toBeLessThanOrEqual(most);
