import { expect, redrawn, showTable, test, widen, words } from "../fixtures.mjs";
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
  await press(page, "#similar-curve", "ArrowLeft");
  await holds(page, 3, 10);
  await expect(page.locator("#similar-curve")).toHaveAttribute("aria-valuetext", /^PE\(3\) · PE\(10\) = /);
  expect(number(await words(page.locator("#similarity [data-drift]")))).toBeLessThan(1e-5);
  await open("#sn=6&sd=3");
  await showTable(page, "similarity");
  const lines = await page
    .locator("#similarity .data-table tbody tr")
    .evaluateAll((all) => all.map((line) => [...line.cells].map((cell) => cell.textContent)));
  expect(lines.length).toBe(6);
  for (const [p, line] of lines.entries())
    for (const [q, text] of line.slice(1).entries()) near(number(text), byDistance(q - p, 6, 10000), 1e-5);
});

test("p plays past the last one, and the curve over the distance stays", async ({ open }) => {
  const page = await open("#sn=30&sd=8&p=28&q=3");
  const curve = () => page.locator("#similar-curve .curve-1 path").last().getAttribute("d");
  const before = await curve();
  for (const p of ["29", "0"]) {
    await page.click('#similarity [data-player="forward"]');
    await expect(page.locator("#similar-p")).toHaveValue(p);
  }
  await redrawn(page);
  expect(await curve()).toBe(before);
});

test("one sign has one kind of colours; parts stand where they fit", async ({ open }) => {
  const page = await open("#sn=30&sd=64&p=7&q=3");
  const bar = () => page.locator("#similar-matrix defs ~ text").allTextContents();
  await expect.poll(bar).toEqual(["64", "32", "0"]);
  await expect(page.locator("#similarity-caption")).toRead(/^The darker, the larger/);
  // One pair alone: its cosine goes below zero.
  await page.fill("#row-similarPairs", "1");
  await expect.poll(bar).toEqual(["1", "0", "−1"]);
  await expect(page.locator("#similarity-caption")).toRead(/orange or red negative/);
  for (const width of [360, 1280]) {
    await widen(page, width);
    const [matrix, curve] = await page
      .locator("#similarity .plane-box")
      .evaluateAll((all) => all.map((box) => box.getBoundingClientRect().top));
    expect(Math.abs(matrix - curve) < 1, `${width} px`).toBe(width === 1280);
  }
});
