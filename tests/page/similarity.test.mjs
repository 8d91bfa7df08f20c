import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, settled, showTable, words } from "./browser.mjs";

// Products of codes, against sums of cosines of the distance in doubles.

const { onPage } = pageTests();
const onPanel = (hash, check) => onPage({ hash, ready: "similarity" }, check);
const number = (text) => Number(text.replaceAll("−", "-"));

function byDistance(distance, dim, base) {
  let sum = 0;
  for (let i = 0; i < dim / 2; i++) sum += Math.cos(distance / base ** ((2 * i) / dim));
  return sum;
}

async function holds(page, p, q, dim, base) {
  await settled(page);
  const text = await words(page.locator("#similarity .equation"));
  assert.ok(text.startsWith(`PE(${p}) · PE(${q}) = `), text);
  const value = number(await words(page.locator("[data-product]")));
  const expected = byDistance(q - p, dim, base);
  assert.ok(Math.abs(value - expected) < 1e-5 * dim, `${value}, expected ${expected}`);
  assert.equal(value, Number(value.toPrecision(6)));
}

test("the product of two codes by keys, by pointer and by slider", () =>
  onPanel("#sn=40&sd=16&sb=500&p=5&q=9", async (page) => {
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
    await page.waitForFunction(() =>
      document.querySelector("#similar-matrix + [aria-live]").textContent.startsWith("PE(0) · PE(39) = "),
    );

    // The pointer over the first and the last cell: the cells' own outline says where they are drawn.
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
    assert.match(await page.locator("#similar-curve").getAttribute("aria-valuetext"), /^PE\(3\) · PE\(10\) = /);
  }));

test("p slides, plays and steps; the curve over the distance stays", () =>
  onPanel("#sn=30&sd=8&p=28&q=3", async (page) => {
    const curve = () => page.locator("#similar-curve .curve-1 path").last().getAttribute("d");
    const before = await curve();
    await page.click('#similarity [data-player="forward"]');
    await holds(page, 29, 3, 16, 10000);
    await page.click('#similarity [data-player="forward"]');
    await holds(page, 0, 3, 16, 10000);
    await page.click('#similarity [data-player="play"]');
    await page.waitForFunction(() => document.querySelector("#similar-p").value === "2");
    await page.click('#similarity [data-player="pause"]');
    await settled(page);
    const stopped = await page.inputValue("#similar-p");
    await page.waitForTimeout(1300);
    assert.equal(await page.inputValue("#similar-p"), stopped);
    assert.equal(await curve(), before);
    const drift = number(await words(page.locator("#similarity [data-drift]")));
    assert.ok(drift < 1e-5, `drift ${drift}`);
  }));

test("the table of products is the matrix", () =>
  onPanel("#sn=6&sd=3", async (page) => {
    await showTable(page, "similarity");
    const lines = await page
      .locator("#similarity .data-table tbody tr")
      .evaluateAll((all) => all.map((line) => [...line.cells].map((cell) => cell.textContent)));
    assert.equal(lines.length, 6);
    lines.forEach((line, p) => {
      line.slice(1).forEach((text, q) => {
        assert.ok(Math.abs(number(text) - byDistance(q - p, 6, 10000)) < 1e-5, text);
      });
    });
  }));

test("row p is marked, p and q are above the curve, and colours are of one kind where no product is negative", () =>
  onPanel("#sn=30&sd=64&p=7&q=3", async (page) => {
    const marked = async () => Number(await page.locator("#similar-matrix .marked[data-row]").getAttribute("data-row"));
    assert.equal(await marked(), 7);
    await page.fill("#similar-p", "12");
    await settled(page);
    assert.equal(await marked(), 12);
    const tops = await page.evaluate(() =>
      ["#similar-p", ".player", "#similar-q", "#similar-curve"].map(
        (part) => document.querySelector(`#similarity ${part}`).getBoundingClientRect().top,
      ),
    );
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => a - b),
    );
    const bar = () => page.locator("#similar-matrix defs ~ text").allTextContents();
    assert.deepEqual(await bar(), ["64", "32", "0"]);
    assert.match(await words(page.locator("#similarity-caption")), /^The darker, the larger/);
    // One pair alone: its cosine goes below zero.
    await page.fill("#row-similarPairs", "1");
    await settled(page);
    assert.deepEqual(await bar(), ["1", "0", "−1"]);
    assert.match(await words(page.locator("#similarity-caption")), /orange or red negative/);
  }));

for (const [width, isBeside] of [
  [1280, true],
  [360, false],
])
  test(`matrix and curve stand side by side where there is room: ${width} px`, () =>
    onPage({ ready: "similarity", width }, async (page) => {
      const [matrix, curve] = await page
        .locator("#similarity .plane-box")
        .evaluateAll((all) => all.map((box) => box.getBoundingClientRect()));
      assert.equal(Math.abs(matrix.y - curve.y) < 1, isBeside);
      assert.equal(curve.y >= matrix.y + matrix.height, !isBeside);
    }));
