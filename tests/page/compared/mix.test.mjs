import { expect, redrawn, test, words } from "../fixtures.mjs";
import { number } from "../panels/numbers.mjs";

// Adding against concatenating: the parts of a score, and the numbers of the matrices.

test.use({ view: { ready: "mix" } });

/** The bars' numbers, with nothing for a part that is not there. */
const bars = async (page) =>
  (await page.locator("#mix .mix-bars g text:last-of-type").allTextContents()).map((text) => text.trim());

test("positions as the formula has them; a concatenation has no mixed parts, and wider matrices", async ({ page }) => {
  const score = async () => number(await words(page.locator("#mix [data-score]")));
  const added = await bars(page);
  // Positions 1 and 10, with 16 dimensions.
  const expected = Array.from({ length: 8 }, (_, i) => Math.cos(9 * 10000 ** (-i / 8))).reduce((a, b) => a + b);
  expect(Math.abs(number(added[3]) - expected)).toBeLessThan(1e-3);
  const total = added.map(number).reduce((a, b) => a + b);
  expect(Math.abs((await score()) - total)).toBeLessThan(3e-3);
  await expect(page.locator("#mix [data-parameters]")).toHaveText(String(3 * 16 * 16));
  await page.locator('#mix input[value="concatenate"]').check({ force: true });
  await redrawn(page);
  expect(await bars(page)).toEqual([added[0], "–", "–", added[3]]);
  expect(Math.abs((await score()) - number(added[0]) - number(added[3]))).toBeLessThan(2e-3);
  await expect(page.locator("#mix [data-parameters]")).toHaveText(String(3 * 16 * 32));
});

test("the more dimensions, the less words and positions mix", async ({ page }) => {
  const shares = [];
  for (const pairs of ["2", "16", "128"]) {
    await page.fill("#row-mixPairs", pairs);
    await redrawn(page);
    shares.push(Number((await words(page.locator("#mix figcaption"))).match(/is ([\d.]+) times/)[1]));
  }
  expect(shares).toEqual([...shares].sort((a, b) => b - a));
  expect(shares[2]).toBeLessThan(0.2 * shares[0]);
});
