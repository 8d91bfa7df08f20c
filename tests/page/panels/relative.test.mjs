import { load } from "../../../dist/full.js";
import { expect, redrawn, savedText, test } from "../fixtures.mjs";
import { named, press, value as shownNumber } from "./numbers.mjs";

// The matrix of relative positions: the library's numbers, against the papers' formulas in JavaScript's doubles.

test.use({ view: { ready: "relative", kept: true } });

const pe = await load();
const matrix = "#relative-matrix";
const is = (page, expected) =>
  expect
    .poll(() => shownNumber(page, '#relative [data-value="value"]'))
    .toBe(Number(Math.fround(expected).toPrecision(6)) || 0);
const choose = (page, value) => page.check(`#relative input[value="${value}"]`, { force: true });

/** Clicks the cell of query i and key j. */
async function click(page, i, j) {
  const chosen = page.locator(`${matrix} .mark-over`);
  const [mark, side] = [await chosen.boundingBox(), Number(await chosen.getAttribute("width"))];
  const spoken = await page.locator(matrix).getAttribute("data-spoken");
  const [, row, column] = spoken.match(/i = (\d+), j = (\d+)/).map(Number);
  // The box has the line around the cell, too.
  const [x, y] = [mark.x + mark.width / 2, mark.y + mark.height / 2];
  await page.mouse.click(x + (j - column) * side, y + (i - row) * side);
  await redrawn(page);
}

test("ALiBi: a click marks the diagonal, whose numbers are all equal", async ({ open }) => {
  const page = await open("#rn=10&heads=6&head=4&t5=both");
  await page.locator(matrix).scrollIntoViewIfNeeded();
  for (const [i, j] of [
    [8, 2],
    [1, 6],
    [3, 3],
  ]) {
    await click(page, i, j);
    // The fifth of six heads: the first of those that eight heads have beside the four.
    await is(page, -(2 ** -1) * Math.abs(j - i));
    const on = 10 - Math.abs(j - i);
    await expect(page.locator(`${matrix} .marked-cell`)).toHaveCount(on);
  }
  await expect(page.locator("#relative-caption")).toRead(/100 pairs of words need 19 numbers/);
  await named(page, "relative", {
    relativeHeads: "Heads | 头数",
    relativeHead: "Head, from 0 | 第几个头（从 0 起）",
  });
  // A decoder's mask leaves the keys after the query out, and their pairs.
  const cells = () =>
    page
      .locator(`${matrix} [shape-rendering] path`)
      .evaluateAll((all) => all.reduce((sum, path) => sum + path.getAttribute("d").split("M").length - 1, 0));
  expect(await cells()).toBe(100);
  await page.check('#relative input[value="past"]', { force: true });
  await expect.poll(cells).toBe(55);
  await expect(page.locator("#relative-caption")).toRead(/55 .* 10 /);
});

/** The colours of the matrix's cells, as many as differ, and its legend. */
const colours = (page) =>
  page.locator(matrix).evaluate((drawing) => {
    const all = (selector, read) => [...drawing.querySelectorAll(selector)].map(read);
    return {
      cells: all('[shape-rendering="crispEdges"] path', (path) => path.getAttribute("fill")),
      steps: Number(drawing.querySelector("[data-steps]")?.dataset.steps ?? 0),
      stops: all("stop", (stop) => stop.getAttribute("stop-color")),
      values: all("linearGradient ~ text, defs ~ text", ({ textContent }) => textContent),
    };
  });

test("T5's buckets are names, a colour and a step each; other numbers use the whole colour bar", async ({ open }) => {
  let page;
  for (const [link, size, buckets, maxDistance, bidirectional] of [
    ["rn=24&buckets=12&far=20", 24, 12, 20, false],
    ["rn=12&buckets=8&far=16&t5=both", 12, 8, 16, true],
  ]) {
    page = await open(`#rel=t5&${link}`);
    const [, ...lines] = (await savedText(page, "relative", "csv")).trim().split("\r\n");
    const values = lines.flatMap((line) => line.split(",").slice(1).map(Number));
    const { data } = pe.t5Buckets({ queries: size, keys: size, buckets, maxDistance, bidirectional });
    expect(values).toEqual([...data]);
    const different = new Set(values).size;
    const { cells, steps, stops } = await colours(page);
    expect([new Set(cells).size, steps, stops.length]).toEqual([different, different, 0]);
  }
  const line = await page.locator("#relative-curve .curve path").last().getAttribute("d");
  expect((line.match(/V/g) ?? []).length, `no jumps: ${line}`).toBeGreaterThanOrEqual(22);
  await open("#rel=alibi&rn=9");
  const { cells, stops, values } = await colours(page);
  expect(values).toEqual(["0", "−2", "−4"]);
  expect(cells.includes(stops[0]) && cells.includes(stops.at(-1))).toBe(true);
  await choose(page, "offset");
  await expect.poll(async () => (await colours(page)).values).toEqual(["8", "0", "−8"]);
});

test("offsets by the keyboard", async ({ open }) => {
  const page = await open("#rel=offset&rn=9&p=2&q=2");
  await press(page, matrix, "End", "ArrowDown", "ArrowDown", "ArrowLeft");
  await is(page, 7 - 4);
  await expect(page.locator("#relative .equation")).toRead(/^j − i = 7 − 4 = 3$/);
  await press(page, matrix, "ArrowLeft");
  await expect(page.locator("#relative .matrix-plot [aria-live]").first()).toRead(/^i = 4, j = 6/);
});
