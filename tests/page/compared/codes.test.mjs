import { expect, redrawn, test, words } from "../fixtures.mjs";

// Four codes for a position, in a text of ten words and one of twenty: what fails is said with the numbers of doubles.

test.use({ view: { ready: "codes" } });

const three = (value) => String(Number(value.toPrecision(3)));
const flipped = (p) => [...(p ^ (p + 1)).toString(2)].filter((bit) => bit === "1").length;
const frequencies = Array.from({ length: 6 }, (_, i) => 10000 ** (-i / 6));

test("counting swamps the words, a share depends on the text, bits jump, waves do neither", async ({ page }) => {
  const said = async (rule) => {
    await page.locator(`#codes input[value="${rule}"]`).check({ force: true });
    await redrawn(page);
    return words(page.locator("#codes figcaption"));
  };
  // A word's vector has a square of 1 in each of six pairs.
  expect(await said("count")).toContain(`Position 19 has a code ${three(19 / Math.sqrt(6))} times`);
  expect(await said("share")).toContain(
    `One step is ${three(1 / 9)} in the one text and ${three(1 / 19)} in the other`,
  );
  const flips = Array.from({ length: 19 }, (_, p) => flipped(p));
  const most = Math.max(...flips);
  expect(await said("bits")).toContain(`from 1 to ${three(Math.sqrt(most))}: from ${flips.indexOf(most)} to`);
  const step = Math.sqrt(frequencies.reduce((sum, omega) => sum + 2 - 2 * Math.cos(omega), 0));
  expect(await said("waves")).toContain(`Every step is ${three(step)} and every code ${three(Math.sqrt(6))} long`);
});

test("the code of a position is written out", async ({ open }) => {
  const page = await open("#written=bits&p=6");
  await expect(page.locator("#codes [data-code]")).toHaveText("0, 1, 1, 0, 0, 0, 0");
});
