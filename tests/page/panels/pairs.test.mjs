import { expect, openSettings, redrawn, test } from "../fixtures.mjs";
import { near, value } from "./numbers.mjs";

// Pairs of dimensions, rotated, against the formulas in doubles.

test.use({ view: { ready: "pairs" } });

async function checkPair(page, { pair, position, count = 6, dimension = 5, base = 10000 }) {
  const angle = position * base ** (-pair / count);
  near((await value(page, "[data-degrees]")) / ((angle * 180) / Math.PI), 1, 1e-5);
  near(await value(page, '[data-dimension="0"]'), dimension * (Math.cos(angle) - Math.sin(angle)));
  near(await value(page, '[data-dimension="1"]'), dimension * (Math.sin(angle) + Math.cos(angle)));
}

test("post C's twelve dimensions in six planes, read by keys", async ({ page }) => {
  await expect(page.locator(".pair-plane")).toHaveCount(6);
  await expect(page.locator(".pair-arrow[data-arrow]")).toHaveCount(30);
  await checkPair(page, { pair: 1, position: 5 });
  await page.locator("#pairs .pick").focus();
  for (const [key, pair, position] of [
    ["ArrowRight", 2, 5],
    ["ArrowDown", 2, 10],
    ["ArrowDown", 2, 10],
    ["ArrowLeft", 1, 10],
    ["Home", 0, 10],
    ["ArrowUp", 0, 5],
    ["End", 5, 5],
  ]) {
    await page.keyboard.press(key);
    await redrawn(page);
    await checkPair(page, { pair, position });
  }
  const titles = await page.locator(".pair-title").allTextContents();
  expect(titles[5]).toMatch(/10 and 11/);
  await openSettings(page, "pairs");
  await page.locator('#pairs input[value="half"]').check();
  await redrawn(page);
  expect((await page.locator(".pair-title").allTextContents())[5]).toMatch(/5 and 11/);
  await checkPair(page, { pair: 5, position: 5 });
});

test("the position is chosen by a chip", async ({ page }) => {
  const chips = page.locator("#pairs .position-chips label");
  expect((await chips.allTextContents()).map((text) => Number(text))).toEqual([0, 1, 2, 5, 10]);
  await expect(chips.nth(3).locator("input")).toBeChecked();
  await checkPair(page, { pair: 1, position: 5 });
  await chips.nth(4).click();
  await redrawn(page);
  await checkPair(page, { pair: 1, position: 10 });
  await page.locator("#pairs .pick").press("ArrowUp");
  await page.locator("#pairs .pick").press("ArrowUp");
  await redrawn(page);
  await expect(chips.nth(2).locator("input")).toBeChecked();
  await checkPair(page, { pair: 1, position: 2 });
});

test("positions, count, value and base can be edited, and arrows have their angles", async ({ open }) => {
  const page = await open("#rp=8&ones=-2.5&rb=500&at5=0,1,2,1000000,-3");
  const expected = { count: 8, dimension: -2.5, base: 500 };
  await expect(page.locator(".pair-plane")).toHaveCount(8);
  await checkPair(page, { ...expected, pair: 1, position: 1000000 });
  await openSettings(page, "pairs");
  await page.locator("#pairs .matrix input").nth(3).fill("7.5");
  await redrawn(page);
  await checkPair(page, { ...expected, pair: 1, position: 7.5 });
  const end = await page
    .locator('[data-arrow="1-3"]')
    .evaluate((line) => [line.x2.baseVal.value, -line.y2.baseVal.value]);
  const angle = 7.5 * 500 ** (-1 / 8) + Math.PI / 4 + Math.PI;
  near(Math.cos(Math.atan2(end[1], end[0]) - angle), 1, 1e-6);
  await page.locator('#pairs [data-tool="post-pairs"]').click();
  await redrawn(page);
  await checkPair(page, { pair: 1, position: 5 });
});
