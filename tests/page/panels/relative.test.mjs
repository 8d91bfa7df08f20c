import { expect, redrawn, savedText, test, words } from "../fixtures.mjs";
import { value as shownNumber } from "./numbers.mjs";

// The matrix of relative positions, against the papers' formulas in JavaScript's doubles.

const value = (page) => shownNumber(page, '#relative [data-value="value"]');
const read = (page, key) => words(page.locator(`#relative [data-value="${key}"]`));
const six = (x) => Number(Math.fround(x).toPrecision(6));

/** Clicks the cell of query i and key j. */
async function click(page, size, i, j) {
  const box = await page.locator("#relative-matrix").boundingBox();
  const marked = await page.locator("#relative-matrix .mark-over").evaluate((rect) => rect.width.baseVal.value);
  const corner = await page.evaluate(() => {
    const { x, y } = document.querySelector("#relative-matrix .mark-over").getBBox();
    return { x, y };
  });
  const at = await page.evaluate(() => document.querySelector("#relative-matrix").dataset.spoken);
  const [, row, column] = at.match(/i = (\d+), j = (\d+)/).map(Number);
  expect(i < size && j < size).toBeTruthy();
  await page.mouse.click(box.x + corner.x + (j - column + 0.5) * marked, box.y + corner.y + (i - row + 0.5) * marked);
  await redrawn(page);
}

test("ALiBi: a click marks the diagonal, whose numbers are all equal", async ({ open }) => {
  // Figures above that are still being drawn would move the cell before it is clicked.
  const page = await open({ hash: "#rn=10&heads=6&head=5", ready: true });
  await page.locator("#relative-matrix").scrollIntoViewIfNeeded();
  for (const [i, j] of [
    [8, 2],
    [1, 6],
    [3, 3],
  ]) {
    await click(page, 10, i, j);
    // The fifth of six heads: the first of those that eight heads have beside the four.
    await expect.poll(() => value(page)).toBe(six(-(2 ** -1) * Math.abs(j - i)) || 0);
    const on = 10 - Math.abs(j - i);
    await expect(page.locator("#relative-matrix .marked-cell")).toHaveCount(on);
    await expect.poll(() => read(page, "diagonal")).toBe(`${on} of ${on}`);
  }
  await expect.poll(() => read(page, "unequal")).toBe("0");
  await expect.poll(() => read(page, "pairs")).toBe("100 pairs, 19 values");
});

/** T5's bucket of key - query, as its paper's code has it. */
function t5Bucket(offset, buckets, far, both) {
  let distance = both ? Math.abs(offset) : Math.max(0, -offset);
  const count = both ? buckets / 2 : buckets;
  const side = both && offset > 0 ? count : 0;
  const near = Math.floor(count / 2);
  if (distance >= near) {
    const grown = near + Math.floor((Math.log(distance / near) / Math.log(far / near)) * (count - near));
    distance = Math.min(grown, count - 1);
  }
  return side + distance;
}

for (const direction of ["both", "past"]) {
  test(`T5's buckets, ${direction}, over a whole matrix`, async ({ open }) => {
    const page = await open({ hash: `#rel=t5&rn=24&buckets=12&far=20&t5=${direction}`, ready: "relative" });
    const [, ...lines] = (await savedText(page, "relative", "csv")).trim().split("\r\n");
    expect(lines.length).toBe(24);
    lines.forEach((line, i) => {
      const [, ...cells] = line.split(",").map(Number);
      expect(cells).toEqual(cells.map((_, j) => t5Bucket(j - i, 12, 20, direction === "both")));
    });
  });
}

test("offsets, clipped offsets and KERPLE by the keyboard", async ({ open }) => {
  const page = await open({ hash: "#rel=offset&rn=9&p=2&q=2&rk=2&r1=0.7&r2=1.5", ready: "relative" });
  const matrix = page.locator("#relative-matrix");
  await matrix.focus();
  for (const key of ["End", "ArrowDown", "ArrowDown", "ArrowLeft"]) await page.keyboard.press(key);
  await expect.poll(() => value(page)).toBe(7 - 4);
  await expect(page.locator("#relative .equation")).toRead(/^j − i = 7 − 4 = 3$/);
  await page.check('#relative input[value="clip"]', { force: true });
  await expect.poll(() => value(page)).toBe(2);
  await expect(page.locator("#relative .equation")).toRead(/^max\(−2, min\(2, 3\)\) = 2$/);
  await page.check('#relative input[value="kerple"]', { force: true });
  await expect.poll(() => value(page)).toBe(six(-Math.fround(0.7) * Math.log(1 + 1.5 * 3)));
  await page.check('#relative input[value="power"]', { force: true });
  await expect.poll(() => value(page)).toBe(six(-Math.fround(0.7) * 3 ** 1.5));
  await expect(page.locator("#relative .matrix-plot [aria-live]").first()).toRead(/^i = 4, j = 7/);
});

test("learned biases are edited by keys and boxes; far offsets share the last", async ({ open }) => {
  const page = await open({ hash: "#rel=learned&rn=12&p=11&q=1", ready: "relative" });
  const boxes = page.locator("#relative .biases input");
  await expect(boxes).toHaveCount(15);
  const before = Number(await boxes.nth(0).inputValue());
  await expect.poll(() => value(page)).toBe(six(before));
  await page.locator("#relative-matrix").focus();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await page.keyboard.press("-");
  await redrawn(page);
  await expect.poll(() => value(page)).toBe(six(before + 0.1));
  expect(Number(await boxes.nth(0).inputValue())).toBe(Number((before + 0.1).toPrecision(6)));
  await boxes.nth(0).fill("2.25");
  await redrawn(page);
  await expect.poll(() => value(page)).toBe(2.25);
  await page.locator("#relative-matrix").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await redrawn(page);
  await expect.poll(() => value(page)).toBe(2.25);
  await expect(page.locator("#relative .equation")).toRead(/b\[−7\]/);
});

/** The colours of the matrix's cells, as many as differ, and its legend. */
const colours = (page) =>
  page.locator("#relative-matrix").evaluate((drawing) => ({
    cells: [...drawing.querySelectorAll('[shape-rendering="crispEdges"] path')].map((path) =>
      path.getAttribute("fill"),
    ),
    steps: Number(drawing.querySelector("[data-steps]")?.dataset.steps ?? 0),
    stops: [...drawing.querySelectorAll("stop")].map((stop) => stop.getAttribute("stop-color")),
    values: [...drawing.querySelectorAll("linearGradient ~ text, defs ~ text")].map(({ textContent }) => textContent),
  }));

test("T5's buckets are names: a colour and a step of the legend each, and a line that jumps", async ({ open }) => {
  const page = await open({ hash: "#rel=t5&rn=12", ready: "relative" });
  const buckets = new Set(
    Array.from({ length: 144 }, (_, at) => t5Bucket((at % 12) - Math.floor(at / 12), 8, 16, true)),
  );
  const { cells, steps, stops } = await colours(page);
  expect(new Set(cells).size).toBe(buckets.size);
  expect(steps).toBe(buckets.size);
  expect(stops).toEqual([]);
  const line = await page.locator("#relative-curve .curve path").last().getAttribute("d");
  expect((line.match(/V/g) ?? []).length, line).toBeGreaterThanOrEqual(22);
  await expect(page.locator("#relative-caption")).toRead(new RegExp(`${buckets.size} buckets`));
});

test("the whole colour bar is used: one sign from zero on, two signs to both sides", async ({ open }) => {
  const page = await open({ hash: "#rel=alibi&rn=9", ready: "relative" });
  const alibi = await colours(page);
  expect(alibi.values).toEqual(["0", "−2", "−4"]);
  expect(alibi.cells.includes(alibi.stops[0])).toBe(true);
  expect(alibi.cells.includes(alibi.stops.at(-1))).toBe(true);
  await page.check('#relative input[value="offset"]', { force: true });
  await redrawn(page);
  expect((await colours(page)).values).toEqual(["8", "0", "−8"]);
});
