import { expect, redrawn, showTable, test } from "../fixtures.mjs";
import { value as amount, near, number, press } from "./numbers.mjs";

// Products of codes, against sums of cosines of the distance in doubles.

test.use({ view: { ready: "similarity", kept: true } });

const byDistance = (distance, dim, base) =>
  Array.from({ length: dim / 2 }, (_, i) => Math.cos(distance / base ** ((2 * i) / dim))).reduce((a, b) => a + b);

async function holds(page, p, q) {
  await redrawn(page);
  await expect(page.locator("#similarity .equation")).toRead(new RegExp(`^PE\\(${p}\\) · PE\\(${q}\\) = `));
  const value = await amount(page, "[data-product]");
  near(value, byDistance(q - p, 32, 500), 1e-5 * 32);
  expect(value).toBe(Number(value.toPrecision(6)));
  await expect(page.locator("#similar-matrix .marked[data-row]")).toHaveAttribute("data-row", String(p));
}

test("the product of two codes by keys, by pointer, by slider and in the table", async ({ open }) => {
  const page = await open("#sn=40&sd=16&sb=500&p=5&q=9");
  await holds(page, 5, 9);
  await press(page, "#similar-matrix", "ArrowDown", "ArrowDown", "ArrowRight");
  await holds(page, 7, 10);
  await press(page, "#similar-matrix", "End", "Control+Home");
  await holds(page, 0, 39);
  await expect(page.locator("#similar-matrix + [aria-live]").first()).toRead(/^PE\(0\) · PE\(39\) =/);
  // The cells' own outline gives the place of one.
  const cells = await page.locator("#similar-matrix > g").first().boundingBox();
  await page.mouse.move(cells.x + (cells.width * 20.5) / 40, cells.y + (cells.height * 3.5) / 40);
  await holds(page, 3, 20);
  await page.fill("#similar-q", "11");
  await holds(page, 3, 11);
  await press(page, "#similar-curve", "ArrowLeft");
  await holds(page, 3, 10);
  await page.click('#similarity [data-player="forward"]');
  await holds(page, 4, 10);
  await page.fill("#similar-p", "3");
  await expect(page.locator("#similar-curve")).toHaveAttribute("aria-valuetext", /^PE\(3\) · PE\(10\) = /);
  await open("#sn=6&sd=3");
  await showTable(page, "similarity");
  const lines = await page
    .locator("#similarity .data-table tbody tr")
    .evaluateAll((all) => all.map((line) => [...line.cells].map((cell) => cell.textContent)));
  expect(lines.length).toBe(6);
  for (const [p, line] of lines.entries())
    for (const [q, text] of line.slice(1).entries()) near(number(text), byDistance(q - p, 6, 10000), 1e-5);
  // Products of one sign have one kind of colours; one pair alone goes below zero.
  for (const [pairs, bar, says] of [
    ["64", ["64", "32", "0"], /^The darker, the larger/],
    ["1", ["1", "0", "−1"], /orange negative/],
  ]) {
    await page.fill("#row-similarPairs", pairs);
    await expect(page.locator("#similar-matrix defs ~ text")).toHaveText(bar);
    await expect(page.locator("#similarity-caption")).toRead(says);
  }
});
