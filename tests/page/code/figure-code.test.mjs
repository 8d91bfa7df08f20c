import { axeFaults, excess, expect, fromMenu, inBothThemes, LOCALES, redrawn, tabTo, test } from "../fixtures.mjs";

// The code of figures: that of the settings chosen, in three languages, to be copied. tests/interop/figure-code.test.mjs
// runs it.

/** Unfolds the code of a figure; the program that writes it is fetched with the first. */
async function openCode(page, id) {
  await fromMenu(page, id, "code");
  await page.waitForSelector(`#${id}-code`);
}

/** Has the code in a language, in all figures. */
async function choose(page, id, language) {
  await page.locator(`#${id} [name="row-code-${id}"][value="${language}"]`).check({ force: true });
}

test("a figure's code is that of its settings, in three languages, and folds away", async ({ open }) => {
  const page = await open({ ready: "heatmap" });
  await openCode(page, "heatmap");
  const says = {
    pytorch: /import torch.*base\*\*-power.*sinusoid\(list\(range\(128\)\), 128, 10000\.0\).*assert torch\.allclose/s,
    cpp: /#include "posenc\/sinusoidal\/sinusoidal\.hpp".*Positions::range\(128\), .*\.dim = 128/s,
    javascript: /import \{ load \} from "posenc";.*pe\.sinusoidal\(\{ length: 128, dim: 128 \}\)/s,
  };
  for (const [language, pattern] of Object.entries(says)) {
    await choose(page, "heatmap", language);
    await expect(page.locator("#heatmap-code"), language).toHaveText(pattern);
  }
  await page.fill('#heatmap input[type="number"]', "17");
  await expect(page.locator("#heatmap-code")).toHaveText(/length: 17, dim: 128/);
  await fromMenu(page, "heatmap", "code");
  await expect(page.locator("#heatmap-code")).toHaveCount(0);
});

test("the language of code is the same in all figures, and what is copied is what is shown @all", async ({ open }) => {
  const page = await open({ permissions: ["clipboard-read", "clipboard-write"] });
  for (const id of ["rope", "relative"]) await openCode(page, id);
  await choose(page, "rope", "javascript");
  await redrawn(page);
  const shown = await page.textContent("#relative-code");
  expect(shown).toMatch(/pe\.alibi\(\{ queries: 12, keys: 12, heads: 8 \}\)/);
  await page.click('[data-copy="relative-code"]');
  await expect(page.locator('[data-copy="relative-code"]')).toRead(/Copied/);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
});

test("by keys alone: open, choose a language, read and copy", async ({ open }) => {
  const page = await open({ ready: "rope", permissions: ["clipboard-read", "clipboard-write"] });
  await page.focus('#rope [data-tool="menu"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector("#rope .menu");
  await tabTo(page, '#rope [data-tool="code"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector("#rope-code");
  await expect(page.locator('#rope [data-tool="code"]')).toHaveAttribute("aria-expanded", "true");
  await tabTo(page, '[name="row-code-rope"]');
  await page.keyboard.press("ArrowRight");
  await redrawn(page);
  await expect(page.locator("#rope-code")).toHaveText(/posenc::/);
  await tabTo(page, "#rope-code");
  await tabTo(page, '[data-copy="rope-code"]');
  await page.keyboard.press("Enter");
  await expect(page.locator('[data-copy="rope-code"]')).toRead(/Copied/);
});

for (const locale of LOCALES)
  test(`code is accessible and no page gets wider than 360 px: ${locale} @all`, async ({ open }) => {
    const page = await open({ locale, width: 360 });
    const menus = page.locator('[data-tool="menu"]');
    for (const button of await menus.all()) await button.evaluate((element) => element.click());
    await expect(page.locator(".menu")).toHaveCount(await menus.count());
    const all = page.locator('[data-tool="code"]');
    expect(await all.count()).toBeGreaterThan(12);
    for (const button of await all.all()) await button.evaluate((element) => element.click());
    await page.waitForFunction(
      () => document.querySelectorAll(".figure-code").length === document.querySelectorAll('[data-tool="code"]').length,
    );
    await redrawn(page);
    expect(await excess(page)).toBeLessThanOrEqual(0);
    await inBothThemes(page, async (theme) => expect(await axeFaults(page, ".figure-code"), theme).toEqual([]));
    await expect(page.locator("#rope .figure-code .note")).toRead(locale === "zh-CN" ? /当前设置/ : /current settings/);
  });
