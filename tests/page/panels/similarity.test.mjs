import { expect, redrawn, showTable, test, widen, words } from "../fixtures.mjs";
import { value as amount, near, number } from "./numbers.mjs";

// Products of codes, against sums of cosines of the distance in doubles.

test.use({ view: { ready: "similarity", kept: true } });

const byDistance = (distance, dim, base) =>
  Array.from({ length: dim / 2 }, (_, i) => Math.cos(distance / base ** ((2 * i) / dim))).reduce((a, b) => a + b);

async function holds(page, p, q, dim = 32, base = 500) {
  await redrawn(page);
  await expect(page.locator("#similarity .equation")).toRead(new RegExp(`^PE\\(${p}\\) · PE\\(${q}\\) = `));
  const value = await amount(page, "[data-product]");
  near(value, byDistance(q - p, dim, base), 1e-5 * dim);
  expect(value).toBe(Number(value.toPrecision(6)));
}

test("the product of two codes by keys, by pointer, by slider and in the table", async ({ open }) => {
  const page = await open("#sn=40&sd=16&sb=500&p=5&q=9");
  await holds(page, 5, 9);
  const matrix = page.locator("#similar-matrix");
  await matrix.focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await holds(page, 7, 10);
  await page.keyboard.press("End");
  await holds(page, 7, 39);
  await page.keyboard.press("Control+Home");
  await holds(page, 0, 39);
  await expect(page.locator("#similar-matrix + [aria-live]").first()).toRead(/^PE\(0\) · PE\(39\) =/);

  // The pointer over the first and the last cell: the cells' own outline gives their place.
  const cells = await page.locator("#similar-matrix > g").first().boundingBox();
  const point = (q, p) =>
    page.mouse.move(cells.x + (cells.width * (q + 0.5)) / 40, cells.y + (cells.height * (p + 0.5)) / 40);
  await point(0, 39);
  await holds(page, 39, 0);
  await point(20, 3);
  await holds(page, 3, 20);

  await page.fill("#similar-q", "11");
  await holds(page, 3, 11);
  await page.locator("#similar-curve").press("ArrowLeft");
  await holds(page, 3, 10);
  await expect(page.locator("#similar-curve")).toHaveAttribute("aria-valuetext", /^PE\(3\) · PE\(10\) = /);
  expect(number(await words(page.locator("#similarity [data-drift]")))).toBeLessThan(1e-5);
  await open("#sn=6&sd=3");
  await showTable(page, "similarity");
  await expect(page.locator("#similarity .data-table tbody tr")).toHaveCount(6);
  const lines = await page
    .locator("#similarity .data-table tbody tr")
    .evaluateAll((all) => all.map((line) => [...line.cells].map((cell) => cell.textContent)));
  for (const [p, line] of lines.entries())
    for (const [q, text] of line.slice(1).entries()) near(number(text), byDistance(q - p, 6, 10000), 1e-5);
});

test("p slides, plays and steps; the curve over the distance stays @all", async ({ open }) => {
  const page = await open("#sn=30&sd=8&p=28&q=3");
  const curve = () => page.locator("#similar-curve .curve-1 path").last().getAttribute("d");
  const before = await curve();
  await page.click('#similarity [data-player="forward"]');
  await holds(page, 29, 3, 16, 10000);
  await page.click('#similarity [data-player="forward"]');
  await holds(page, 0, 3, 16, 10000);
  await page.click('#similarity [data-player="play"]');
  await expect(page.locator("#similar-p")).toHaveValue("2");
  await page.click('#similarity [data-player="pause"]');
  const stopped = await page.inputValue("#similar-p");
  await page.waitForTimeout(1300);
  await expect(page.locator("#similar-p")).toHaveValue(stopped);
  await expect.poll(curve).toBe(before);
});

test("row p is marked, sliders are above the curve, one sign has one kind of colours; parts stand where they fit", async ({
  open,
}) => {
  const page = await open("#sn=30&sd=64&p=7&q=3");
  const marked = page.locator("#similar-matrix .marked[data-row]");
  await expect(marked).toHaveAttribute("data-row", "7");
  await page.fill("#similar-p", "12");
  await expect(marked).toHaveAttribute("data-row", "12");
  const tops = await page.evaluate(() =>
    ["#similar-p", ".player", "#similar-q", "#similar-curve"].map(
      (part) => document.querySelector(`#similarity ${part}`).getBoundingClientRect().top,
    ),
  );
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  const bar = () => page.locator("#similar-matrix defs ~ text").allTextContents();
  await expect.poll(bar).toEqual(["64", "32", "0"]);
  await expect(page.locator("#similarity-caption")).toRead(/^The darker, the larger/);
  // One pair alone: its cosine goes below zero.
  await page.fill("#row-similarPairs", "1");
  await expect.poll(bar).toEqual(["1", "0", "−1"]);
  await expect(page.locator("#similarity-caption")).toRead(/orange or red negative/);
  for (const [width, isBeside] of [
    [360, false],
    [1280, true],
  ]) {
    await widen(page, width);
    const [matrix, curve] = await page
      .locator("#similarity .plane-box")
      .evaluateAll((all) => all.map((box) => box.getBoundingClientRect().toJSON()));
    expect([Math.abs(matrix.y - curve.y) < 1, curve.y >= matrix.y + matrix.height]).toEqual([isBeside, !isBeside]);
  }
});
