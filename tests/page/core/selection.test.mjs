import { expect, redrawn, test } from "../fixtures.mjs";

// A selection in one figure is one in the others: a position (a column, a word, a moment of the clock, a query),
// a second position, a pair of dimensions.

/** Where each figure shows its chosen position, and how many positions it has by default. */
const POSITIONS = {
  "#heat-column": 128,
  "#waves-position": 100,
  "#sum-word": 6,
  "#similar-p": 64,
};

/** Scrolls to the chosen position of a figure, since it is not drawn out of sight, and waits until it is this one. */
async function says(page, selector, expected) {
  const place = page.locator(selector).first();
  await place.scrollIntoViewIfNeeded();
  // A matrix adds the formula after a colon.
  const said = () =>
    place.evaluate((element) => element.value ?? element.dataset.spoken?.split(":")[0] ?? element.textContent);
  for (let frames = 0; frames < 30 && (await said()) !== expected; frames++) await redrawn(page);
  await expect.poll(said, selector).toBe(expected);
}

test("a position chosen in any figure is chosen in all, as far as they go @all", async ({ page }) => {
  for (const [chooser, at] of [
    ["#heat-column", 2],
    ["#waves-position", 4],
    ["#sum-word", 0],
    ["#similar-p", 40],
  ]) {
    await page.fill(chooser, String(at));
    for (const [selector, count] of Object.entries(POSITIONS))
      await says(page, selector, String(Math.min(at, count - 1)));
    await says(page, "#relative-matrix", `i = ${Math.min(at, 11)}, j = 10`);
  }
});

test("the second position is the same for products and for biases", async ({ page }) => {
  await page.focus("#relative-matrix");
  await page.keyboard.press("ArrowLeft");
  await says(page, "#similar-q", "9");
});

test("a pair of dimensions is the same for clocks and planes, and for rules and configs", async ({ page }) => {
  await page.fill("#pairs-pair", "4");
  await says(page, '#waves [data-value="pair"]', "4");
  await page.fill("#context-pair", "33");
  await says(page, "#config-pair", "33");
});

test("a position that one figure does not have is kept for those that do @all", async ({ open }) => {
  const page = await open("#n=2048&d=64&p=1500");
  await says(page, "#sum-word", "5");
  await says(page, "#heat-column", "1500");
  await page.fill("#sum-word", "2");
  await says(page, "#heat-column", "2");
});
