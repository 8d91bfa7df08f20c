import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, savedText, settled, words } from "./browser.mjs";

// The matrix of relative positions, against the papers' formulas in JavaScript's doubles.

const { onPage } = pageTests();
const number = (text) => Number(text.replaceAll("−", "-"));
const value = async (page) => number(await words(page.locator('#relative [data-value="value"]')));
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
  assert.ok(i < size && j < size);
  await page.mouse.click(box.x + corner.x + (j - column + 0.5) * marked, box.y + corner.y + (i - row + 0.5) * marked);
  await settled(page);
}

test("ALiBi: a click marks the diagonal, whose numbers are all equal", () =>
  onPage({ hash: "#rn=10&heads=6&head=5", ready: "relative" }, async (page) => {
    await page.locator("#relative-matrix").scrollIntoViewIfNeeded();
    for (const [i, j] of [
      [8, 2],
      [1, 6],
      [3, 3],
    ]) {
      await click(page, 10, i, j);
      // The fifth of six heads: the first of those that eight heads have beside the four.
      assert.equal(await value(page), six(-(2 ** -1) * Math.abs(j - i)) || 0);
      const on = 10 - Math.abs(j - i);
      assert.equal(await page.locator("#relative-matrix .marked-cell").count(), on);
      assert.equal(await read(page, "diagonal"), `${on}, ${on}`);
    }
    assert.equal(await read(page, "unequal"), "0");
    assert.equal(await read(page, "pairs"), "100, 19");
  }));

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
  test(`T5's buckets, ${direction}, over a whole matrix`, () =>
    onPage({ hash: `#rel=t5&rn=24&buckets=12&far=20&t5=${direction}`, ready: "relative" }, async (page) => {
      const [, ...lines] = (await savedText(page, "relative", "csv")).trim().split("\r\n");
      assert.equal(lines.length, 24);
      lines.forEach((line, i) => {
        const [, ...cells] = line.split(",").map(Number);
        assert.deepEqual(
          cells,
          cells.map((_, j) => t5Bucket(j - i, 12, 20, direction === "both")),
        );
      });
    }));
}

test("offsets, clipped offsets and KERPLE by the keyboard", () =>
  onPage({ hash: "#rel=offset&rn=9&p=2&q=2&rk=2&r1=0.7&r2=1.5", ready: "relative" }, async (page) => {
    const matrix = page.locator("#relative-matrix");
    await matrix.focus();
    for (const key of ["End", "ArrowDown", "ArrowDown", "ArrowLeft"]) await page.keyboard.press(key);
    await settled(page);
    assert.equal(await value(page), 7 - 4);
    assert.match(await words(page.locator("#relative .equation")), /^j − i = 7 − 4 = 3$/);
    await page.check('#relative input[value="clip"]', { force: true });
    await settled(page);
    assert.equal(await value(page), 2);
    assert.match(await words(page.locator("#relative .equation")), /^max\(−2, min\(2, 3\)\) = 2$/);
    await page.check('#relative input[value="kerple"]', { force: true });
    await settled(page);
    assert.equal(await value(page), six(-Math.fround(0.7) * Math.log(1 + 1.5 * 3)));
    await page.check('#relative input[value="power"]', { force: true });
    await settled(page);
    assert.equal(await value(page), six(-Math.fround(0.7) * 3 ** 1.5));
    await page.waitForFunction(() =>
      /^i = 4, j = 7/.test(document.querySelector("#relative .matrix-plot [aria-live]").textContent),
    );
  }));

test("learned biases are edited by keys and boxes; far offsets share the last", () =>
  onPage({ hash: "#rel=learned&rn=12&p=11&q=1", ready: "relative" }, async (page) => {
    const boxes = page.locator("#relative .biases input");
    assert.equal(await boxes.count(), 15);
    const before = Number(await boxes.nth(0).inputValue());
    assert.equal(await value(page), six(before));
    await page.locator("#relative-matrix").focus();
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await page.keyboard.press("-");
    await settled(page);
    assert.equal(await value(page), six(before + 0.1));
    assert.equal(Number(await boxes.nth(0).inputValue()), Number((before + 0.1).toPrecision(6)));
    await boxes.nth(0).fill("2.25");
    await settled(page);
    assert.equal(await value(page), 2.25);
    await page.locator("#relative-matrix").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.equal(await value(page), 2.25);
    assert.match(await words(page.locator("#relative .equation")), /b\[−7\]/);
  }));

/** The colours of the matrix's cells, as many as differ, and what its legend says. */
const colours = (page) =>
  page.locator("#relative-matrix").evaluate((drawing) => ({
    cells: [...drawing.querySelectorAll('[shape-rendering="crispEdges"] path')].map((path) =>
      path.getAttribute("fill"),
    ),
    steps: Number(drawing.querySelector("[data-steps]")?.dataset.steps ?? 0),
    stops: [...drawing.querySelectorAll("stop")].map((stop) => stop.getAttribute("stop-color")),
    values: [...drawing.querySelectorAll("linearGradient ~ text, defs ~ text")].map(({ textContent }) => textContent),
  }));

test("T5's buckets are names: a colour and a step of the legend each, and a line that jumps", () =>
  onPage({ hash: "#rel=t5&rn=12", ready: "relative" }, async (page) => {
    const buckets = new Set(
      Array.from({ length: 144 }, (_, at) => t5Bucket((at % 12) - Math.floor(at / 12), 8, 16, true)),
    );
    const { cells, steps, stops } = await colours(page);
    assert.equal(new Set(cells).size, buckets.size);
    assert.equal(steps, buckets.size);
    assert.deepEqual(stops, []);
    const line = await page.locator("#relative-curve .curve path").last().getAttribute("d");
    assert.ok((line.match(/V/g) ?? []).length >= 22, line);
    assert.match(await words(page.locator("#relative-caption")), new RegExp(`${buckets.size} buckets`));
  }));

test("the whole colour bar is used: one sign from zero on, two signs to both sides", () =>
  onPage({ hash: "#rel=alibi&rn=9", ready: "relative" }, async (page) => {
    const alibi = await colours(page);
    assert.deepEqual(alibi.values, ["0", "−2", "−4"]);
    assert.equal(alibi.cells.includes(alibi.stops[0]), true);
    assert.equal(alibi.cells.includes(alibi.stops.at(-1)), true);
    await page.check('#relative input[value="offset"]', { force: true });
    await settled(page);
    assert.deepEqual((await colours(page)).values, ["8", "0", "−8"]);
  }));
