import { axeFaults, excess, expect, inBothThemes, LOCALES, openMenu, redrawn, tabTo, test } from "../fixtures.mjs";
import { panelsOf } from "../panels/states.mjs";

// The one menu below each figure: files, code, frame and link.

const tools = ["csv", "svg", "png", "code", "embed", "link"];
const named = (buttons) => buttons.evaluateAll((all) => all.map(({ dataset }) => dataset.tool));

test("below a figure are its menu, its table, and a reset if there is what to reset @all", async ({ page }) => {
  for (const id of panelsOf(""))
    expect(await named(page.locator(`#${id} figure > .tools button`)), id).toEqual(["menu", "table"]);
  await expect(page.locator(".menu")).toHaveCount(0);
  await page.fill("#row-codesLength", "20");
  await page.click('#codes [data-tool="reset"]');
  await expect(page.locator("#row-codesLength")).toHaveValue("16");
  await expect(page.locator('#codes [data-tool="reset"]')).toHaveCount(0);
});

test("by keys alone: open, one button after another, and close, with what it unfolded", async ({ open }) => {
  const page = await open({ ready: "rope", fresh: true });
  const button = page.locator('#rope [data-tool="menu"]');
  await button.press("Enter");
  await expect(button).toHaveAttribute("aria-expanded", "true");
  expect(await named(page.locator("#rope .menu button"))).toEqual(tools);
  for (const tool of tools) await tabTo(page, `#rope [data-tool="${tool}"]`);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  });
  await page.keyboard.press("Enter");
  await expect(page.locator('#rope .menu [role="status"]')).toRead(/address bar/);
  await expect(page).toHaveURL(/at=rope/);
  await tabTo(page, '#rope [data-tool="embed"]', "Shift+Tab");
  await page.keyboard.press("Space");
  await page.waitForSelector("#rope-frame");
  await button.press("Enter");
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await expect(page.locator("#rope .menu, #rope-frame")).toHaveCount(0);
});

for (const locale of LOCALES)
  test(`a menu fits 320 px, without faults, and paper has none: ${locale} @all`, async ({ open }) => {
    const page = await open({ locale, width: 320, ready: "rope" });
    await openMenu(page, "rope");
    await redrawn(page);
    expect(await excess(page)).toBeLessThanOrEqual(0);
    const buttons = page.locator("#rope figure > :is(.tools, .menu) button");
    await expect(buttons).toHaveCount(2 + tools.length);
    for (const button of await buttons.all()) {
      const { width, height } = await button.boundingBox();
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    }
    await inBothThemes(page, async (theme) => expect(await axeFaults(page, "#rope figure"), theme).toEqual([]));
    await page.emulateMedia({ media: "print" });
    await expect(page.locator("#rope .menu")).toBeHidden();
  });
