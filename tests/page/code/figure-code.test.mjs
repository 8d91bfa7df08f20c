import { axeFaults, excess, expect, fromMenu, inBothThemes, LOCALES, redrawn, tabTo, test } from "../fixtures.mjs";

// The code of figures: that of the settings chosen, in two languages, to be copied. tests/interop/figure-code.test.mjs
// runs it.

const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

/** Unfolds the code of a figure; the program that writes it is fetched with the first. */
async function openCode(page, id) {
  await fromMenu(page, id, "code");
  await page.waitForSelector(`#${id}-code`);
}

test("a figure's code is that of its settings, in one of two languages in all figures", async ({ open }) => {
  const page = await open();
  for (const id of ["waves", "relative"]) await openCode(page, id);
  const code = page.locator("#waves-code");
  for (const [language, pattern] of Object.entries({
    pytorch: /import torch.*base\*\*-power.*sinusoid\(\[1\], 32, 10000\.0\).*assert torch\.allclose/s,
    javascript: /import \{ load \} from "posenc";.*pe\.sinusoidal\(\{ positions: \[1\], dim: 32 \}\)/s,
  })) {
    await page.locator(`#waves [name="row-code-waves"][value="${language}"]`).check({ force: true });
    await expect(code, language).toHaveText(pattern);
  }
  await expect(page.locator("#relative-code")).toHaveText(/pe\.alibi\(\{ queries: 20, keys: 20, heads: 8 \}\)/);
  await page.fill("#waves-position", "17");
  await expect(code).toHaveText(/positions: \[17\], dim: 32/);
  await fromMenu(page, "waves", "code");
  await expect(code).toHaveCount(0);
});

test("by keys alone: open, choose a language, read and copy what is shown", async ({ open }) => {
  const page = await open({ ready: "rope", ...clipboard });
  await page.locator('#rope [data-tool="menu"]').press("Enter");
  await page.waitForSelector("#rope .menu");
  await tabTo(page, '#rope [data-tool="code"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector("#rope-code");
  await expect(page.locator('#rope [data-tool="code"]')).toHaveAttribute("aria-expanded", "true");
  await tabTo(page, '[name="row-code-rope"]');
  await page.keyboard.press("ArrowRight");
  await redrawn(page);
  await expect(page.locator("#rope-code")).toHaveText(/from "posenc/);
  await tabTo(page, "#rope-code");
  await tabTo(page, '[data-copy="rope-code"]');
  await page.keyboard.press("Enter");
  await expect(page.locator('[data-copy="rope-code"]')).toRead(/Copied/);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await page.textContent("#rope-code"));
});

for (const locale of LOCALES)
  test(`code is accessible and no page gets wider than 360 px: ${locale} @all`, async ({ open }) => {
    const page = await open({ locale, width: 360 });
    const press = (tool) => page.locator(`[data-tool="${tool}"]`).evaluateAll((all) => all.map((each) => each.click()));
    const count = (await press("menu")).length;
    await expect(page.locator(".menu")).toHaveCount(count);
    const codes = (await press("code")).length;
    expect(codes).toBeGreaterThan(7);
    await expect(page.locator(".figure-code")).toHaveCount(codes);
    await redrawn(page);
    expect(await excess(page)).toBeLessThanOrEqual(0);
    await inBothThemes(page, async (theme) => expect(await axeFaults(page, ".figure-code"), theme).toEqual([]));
    await expect(page.locator("#rope .figure-code .note")).toRead(locale === "zh-CN" ? /当前设置/ : /current settings/);
  });
