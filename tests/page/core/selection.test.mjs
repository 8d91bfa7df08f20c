import { expect, redrawn, test } from "../fixtures.mjs";

// A selection in one figure is one in the others: a position (a column, a word, a moment of the clock, a query),
// a second position, a pair of dimensions.

/** Where each figure shows its chosen position, and how many positions it has by default. */
const POSITIONS = { "#heat-column": 128, "#waves-position": 100, "#sum-word": 6, "#similar-p": 64 };

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

test("a position, a second one and a pair chosen in any figure are chosen in all, as far as they go @all", async ({
  open,
}) => {
  const page = await open("#p=90");
  await says(page, "#sum-word", "5");
  await says(page, "#heat-column", "90");
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
  await page.locator("#relative-matrix").press("ArrowLeft");
  await says(page, "#similar-q", "9");
  await page.fill("#pairs-pair", "4");
  await says(page, '#waves [data-value="pair"]', "4");
  await page.fill("#context-pair", "33");
  await says(page, "#config-pair", "33");
});
