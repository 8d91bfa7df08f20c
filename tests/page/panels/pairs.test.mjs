import { expect, openSettings, redrawn, test } from "../fixtures.mjs";
import { named, near, nearRatio, press, value } from "./numbers.mjs";

// Pairs of dimensions, rotated, against the formulas in doubles.

test.use({ view: { ready: "pairs", kept: true } });

async function checkPair(page, { pair, position, count = 6, base = 10000 }) {
  await redrawn(page);
  const angle = position * base ** (-pair / count);
  nearRatio(await value(page, "[data-degrees]"), (angle * 180) / Math.PI, 1e-5);
}

test("post C's twelve dimensions in six planes, read by keys, by chips and by layouts", async ({ open }) => {
  const page = await open();
  await expect(page.locator(".pair-plane")).toHaveCount(6);
  await expect(page.locator(".pair-arrow[data-arrow]")).toHaveCount(30);
  await checkPair(page, { pair: 1, position: 5 });
  for (const [keys, pair, position] of [
    [["ArrowRight", "ArrowDown", "ArrowDown"], 2, 10],
    [["Home", "ArrowUp"], 0, 5],
    [["End"], 5, 5],
  ]) {
    await press(page, "#pairs .pick", ...keys);
    await checkPair(page, { pair, position });
  }
  const chips = page.locator("#pairs .position-chips label");
  expect((await chips.allTextContents()).map((text) => Number(text))).toEqual([0, 1, 2, 5, 10]);
  await chips.nth(2).click();
  await checkPair(page, { pair: 5, position: 2 });
  const title = page.locator(".pair-title").nth(5);
  await expect(title).toHaveText(/10 and 11/);
  await openSettings(page, "pairs");
  await page.locator('#pairs input[value="half"]').check();
  await expect(title).toHaveText(/5 and 11/);
  await checkPair(page, { pair: 5, position: 2 });
  await named(page, "pairs", {
    pairCount: "Pairs, d/2 | 维度对数 d/2",
    pairValue: "Value of every dimension | 每一维的值",
    pairBase: "Base b | 底数 b",
  });
});

test("positions, count, value and base can be edited, and arrows have their angles", async ({ open }) => {
  const page = await open("#rp=8&ones=-2.5&rb=500&at5=0,1,2,1000000,-3");
  const expected = { count: 8, base: 500, pair: 1 };
  await checkPair(page, { ...expected, position: 1000000 });
  await openSettings(page, "pairs");
  await page.locator("#pairs .matrix input").nth(3).fill("7.5");
  await checkPair(page, { ...expected, position: 7.5 });
  const [x, y] = await page
    .locator('[data-arrow="1-3"]')
    .evaluate((line) => [line.x2.baseVal.value, -line.y2.baseVal.value]);
  near(Math.cos(Math.atan2(y, x) - (7.5 * 500 ** (-1 / 8) + Math.PI / 4 + Math.PI)), 1, 1e-6);
  await page.locator('#pairs [data-tool="reset"]').click();
  await checkPair(page, { pair: 1, position: 5 });
});
