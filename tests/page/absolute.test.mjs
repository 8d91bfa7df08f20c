import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, settled, words } from "./browser.mjs";

// Absolute positions and relative offsets of two sentences with the same words.

const { onPage } = pageTests();
const onPanel = (hash, check) => onPage({ hash, ready: "absolute" }, check);
const number = (text) => Number(text.replaceAll("−", "-"));
const table = (page, name) =>
  page
    .locator(`#absolute .${name} tbody tr`)
    .evaluateAll((all) => all.map((line) => [...line.cells].slice(0, 3).map((cell) => cell.textContent.trim())));

/** The product of the codes of two positions, from sums of cosines in doubles. */
function product(distance) {
  let sum = 0;
  for (let i = 0; i < 32; i++) sum += Math.cos(distance / 10000 ** ((2 * i) / 64));
  return sum;
}

test("document 002's sentences: positions 5 6 7 1 2 3, four of five offsets the same", () =>
  onPanel("", async (page) => {
    assert.deepEqual(await table(page, "absolute"), [
      ["The", "1", "5"],
      ["cat", "2", "6"],
      ["sat", "3", "7"],
      ["on", "4", "1"],
      ["the", "5", "2"],
      ["mat", "6", "3"],
    ]);
    assert.deepEqual(
      (await table(page, "relative")).map((line) => line[2]),
      ["+1", "+1", "−6", "+1", "+1"],
    );
    assert.match(await words(page.locator("#absolute-caption")), /0 of 6 words.* 4 of 5 pairs/);
    assert.equal(await page.locator("#absolute .tie").count(), 6);
  }));

test("a pair by keys, by pointer and by slider: its offsets and products of codes", () =>
  onPanel("#p=0", async (page) => {
    const lines = async () => {
      await settled(page);
      return page.locator("#absolute [data-line]").allInnerTexts();
    };
    await page.locator("#absolute .ties").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const [one, other] = await lines();
    assert.match(one, /^sat → on: 4 − 3 = \+1; PE\(3\) · PE\(4\) = /);
    assert.match(other, /^sat → on: 1 − 7 = −6; PE\(7\) · PE\(1\) = /);
    assert.ok(Math.abs(number(one.split(" = ").at(-1)) - product(1)) < 1e-4, one);
    assert.ok(Math.abs(number(other.split(" = ").at(-1)) - product(6)) < 1e-4, other);
    assert.match(await page.locator("#absolute .ties").getAttribute("aria-valuetext"), /^sat → on: 4 − 3/);
    const words = page.locator("#absolute .token text").filter({ hasText: /^mat$/ }).first();
    await words.scrollIntoViewIfNeeded();
    const box = await words.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match((await lines())[0], /^the → mat: 6 − 5 = \+1/);
    await page.fill("#absolute-pair", "0");
    assert.match((await lines())[1], /^The → cat: 6 − 5 = \+1/);
  }));

test("other sentences, Chinese too; a missing word is reported", () =>
  onPanel("", async (page) => {
    await page.fill("#row-absoluteFirst", "我爱你");
    await page.fill("#row-absoluteSecond", "你，爱我");
    await settled(page);
    assert.deepEqual(await table(page, "absolute"), [
      ["我", "1", "4"],
      ["爱", "2", "3"],
      ["你", "3", "1"],
    ]);
    assert.deepEqual(
      (await table(page, "relative")).map((line) => line[2]),
      ["−1", "−2"],
    );
    await page.fill("#row-absoluteSecond", "我爱她");
    await settled(page);
    assert.deepEqual((await table(page, "absolute"))[2], ["你", "3", "–"]);
    await page.fill("#row-absoluteFirst", "我");
    await settled(page);
    assert.equal(await page.locator("#absolute table").count(), 0);
  }));
