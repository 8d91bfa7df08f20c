import { expect, redrawn, showTable, test, words } from "../fixtures.mjs";
import { value as amount, number } from "./numbers.mjs";

// Products of codes, against sums of cosines of the distance in doubles.

test.use({ view: { ready: "similarity" } });

function byDistance(distance, dim, base) {
  let sum = 0;
  for (let i = 0; i < dim / 2; i++) sum += Math.cos(distance / base ** ((2 * i) / dim));
  return sum;
}

async function holds(page, p, q, dim, base) {
  await redrawn(page);
  const text = await words(page.locator("#similarity .equation"));
  expect(text.startsWith(`PE(${p}) · PE(${q}) = `), text).toBeTruthy();
  const value = await amount(page, "[data-product]");
  const expected = byDistance(q - p, dim, base);
  expect(Math.abs(value - expected), `${value}, expected ${expected}`).toBeLessThan(1e-5 * dim);
  expect(value).toBe(Number(value.toPrecision(6)));
}

test("the product of two codes by keys, by pointer and by slider", async ({ open }) => {
  const page = await open("#sn=40&sd=16&sb=500&p=5&q=9");
  await holds(page, 5, 9, 32, 500);
  await page.locator("#similar-matrix").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await holds(page, 7, 10, 32, 500);
  await page.keyboard.press("End");
  await holds(page, 7, 39, 32, 500);
  await page.keyboard.press("Control+Home");
  await holds(page, 0, 39, 32, 500);
  await expect(page.locator("#similar-matrix + [aria-live]").first()).toRead(/^PE\(0\) · PE\(39\) =/);

  // The pointer over the first and the last cell: the cells' own outline gives their place.
  const cells = await page.locator("#similar-matrix > g").first().boundingBox();
  const at = (part) => cells.x + cells.width * part;
  await page.mouse.move(at(0.5 / 40), cells.y + cells.height * (39.5 / 40));
  await holds(page, 39, 0, 32, 500);
  await page.mouse.move(at(20.5 / 40), cells.y + cells.height * (3.5 / 40));
  await holds(page, 3, 20, 32, 500);

  await page.fill("#similar-q", "11");
  await holds(page, 3, 11, 32, 500);
  await page.locator("#similar-curve").focus();
  await page.keyboard.press("ArrowLeft");
  await holds(page, 3, 10, 32, 500);
  await expect(page.locator("#similar-curve")).toHaveAttribute("aria-valuetext", /^PE\(3\) · PE\(10\) = /);
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
  await redrawn(page);
  const stopped = await page.inputValue("#similar-p");
  await page.waitForTimeout(1300);
  await expect(page.locator("#similar-p")).toHaveValue(stopped);
  await expect.poll(curve).toBe(before);
  const drift = number(await words(page.locator("#similarity [data-drift]")));
  expect(drift).toBeLessThan(1e-5);
});

test("the table of products is the matrix", async ({ open }) => {
  const page = await open("#sn=6&sd=3");
  await showTable(page, "similarity");
  const lines = await page
    .locator("#similarity .data-table tbody tr")
    .evaluateAll((all) => all.map((line) => [...line.cells].map((cell) => cell.textContent)));
  expect(lines.length).toBe(6);
  lines.forEach((line, p) => {
    line.slice(1).forEach((text, q) => {
      expect(Math.abs(number(text) - byDistance(q - p, 6, 10000)), text).toBeLessThan(1e-5);
    });
  });
});

test("row p is marked, sliders are above the curve, one sign has one kind of colours", async ({ open }) => {
  const page = await open("#sn=30&sd=64&p=7&q=3");
  const marked = async () => Number(await page.locator("#similar-matrix .marked[data-row]").getAttribute("data-row"));
  await expect.poll(marked).toBe(7);
  await page.fill("#similar-p", "12");
  await redrawn(page);
  await expect.poll(marked).toBe(12);
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
});

for (const [width, isBeside] of [
  [1280, true],
  [360, false],
])
  test(`matrix and curve are side by side where both fit: ${width} px @all`, async ({ open }) => {
    const page = await open({ width });
    const [matrix, curve] = await page
      .locator("#similarity .plane-box")
      .evaluateAll((all) => all.map((box) => box.getBoundingClientRect()));
    expect(Math.abs(matrix.y - curve.y) < 1).toBe(isBeside);
    expect(curve.y >= matrix.y + matrix.height).toBe(!isBeside);
  });
