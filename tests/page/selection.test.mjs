import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, settled } from "./browser.mjs";

// What is selected in one figure is selected in the others: a position (a column, a word, a moment of the clock, a query),
// a second position, a pair of dimensions.

const { onPage } = pageTests();

/** Where each figure says which position it has chosen, and how many it has with the page's defaults. */
const POSITIONS = {
  "#heat-column": 128,
  "#waves-position": 100,
  "#order-word": 6,
  "#sum-word": 6,
  "#similar-p": 64,
  "#absolute-pair": 5,
};

/** Goes where a figure says what it has chosen, and waits until it says this: out of sight it is not drawn. */
async function says(page, selector, expected) {
  const place = page.locator(selector).first();
  await place.scrollIntoViewIfNeeded();
  // A matrix says the formula too, after a colon.
  const said = () =>
    place.evaluate((element) => element.value ?? element.dataset.spoken?.split(":")[0] ?? element.textContent);
  for (let frames = 0; frames < 30 && (await said()) !== expected; frames++) await settled(page);
  assert.equal(await said(), expected, selector);
}

test("a position chosen in any figure is chosen in all, as far as they go", () =>
  onPage({}, async (page) => {
    for (const [chooser, at] of [
      ["#heat-column", 2],
      ["#waves-position", 4],
      ["#order-word", 1],
      ["#sum-word", 0],
      ["#similar-p", 40],
      ["#absolute-pair", 3],
    ]) {
      await page.fill(chooser, String(at));
      for (const [selector, count] of Object.entries(POSITIONS))
        await says(page, selector, String(Math.min(at, count - 1)));
      await says(page, "#relative-matrix", `i = ${Math.min(at, 11)}, j = 10`);
    }
  }));

test("the second position is the same for products and for biases", () =>
  onPage({}, async (page) => {
    await page.focus("#relative-matrix");
    await page.keyboard.press("ArrowLeft");
    await says(page, "#similar-q", "9");
  }));

test("a pair of dimensions is the same for clocks and planes, and for rules and configs", () =>
  onPage({}, async (page) => {
    await page.fill("#pairs-pair", "4");
    await says(page, '#waves [data-value="pair"]', "4");
    await page.fill("#context-pair", "33");
    await says(page, "#config-pair", "33");
  }));

test("a position that one figure does not have is kept for those that do", () =>
  onPage({ hash: "#n=2048&d=64&p=1500" }, async (page) => {
    await says(page, "#sum-word", "5");
    await says(page, "#heat-column", "1500");
    await page.fill("#sum-word", "2");
    await says(page, "#heat-column", "2");
  }));
