import { axeFaults, excess, expect, inBothThemes, LOCALES, openMenu, redrawn, tabTo, test } from "../fixtures.mjs";
import { panels } from "../panels/states.mjs";

// The one menu below each figure: files, code, frame and link.

const tools = ["csv", "svg", "png", "code", "embed", "link"];

test("below a figure are its menu and its table, and its reset once there is something to reset @all", async ({
  page,
}) => {
  for (const id of Object.keys(panels)) {
    const row = page.locator(`#${id} figure > .tools button`);
    const names = await row.evaluateAll((all) => all.map(({ dataset }) => dataset.tool));
    expect(names, id).toEqual(["menu", "table"]);
    await expect(row.first(), id).toHaveAttribute("aria-expanded", "false");
  }
  await expect(page.locator(".menu")).toHaveCount(0);
  await page.fill("#row-length", "60");
  await page.click('#heatmap [data-tool="reset"]');
  await expect(page.locator("#row-length")).toHaveValue("128");
  await expect(page.locator('#heatmap [data-tool="reset"]')).toHaveCount(0);
});

test("by keys alone: open, one button after another, and close, with what it unfolded", async ({ open }) => {
  const page = await open({ ready: "rope" });
  const button = page.locator('#rope [data-tool="menu"]');
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(button).toHaveAttribute("aria-expanded", "true");
  const found = await page
    .locator("#rope .menu button")
    .evaluateAll((all) => all.map((each) => each.getAttribute("data-tool")));
  expect(found).toEqual(tools);
  for (const tool of tools) await tabTo(page, `#rope [data-tool="${tool}"]`);
  await tabTo(page, '#rope [data-tool="embed"]', "Shift+Tab");
  await page.keyboard.press("Space");
  await page.waitForSelector("#rope-frame");
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await expect(page.locator("#rope .menu, #rope-frame")).toHaveCount(0);
});

test("a link that may not be copied is in the address bar, and the button says so", async ({ open }) => {
  const page = await open({ hash: "#n=50", ready: "heatmap", fresh: true });
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  });
  await openMenu(page, "heatmap");
  await page.click('#heatmap [data-tool="link"]');
  await expect(page.locator('#heatmap .menu [role="status"]')).toRead(/address bar/);
  await expect(page).toHaveURL(/at=heatmap/);
});

for (const locale of LOCALES)
  test(`a menu fits 320 px, its buttons are large enough, axe finds nothing, and paper has none: ${locale} @all`, async ({
    open,
  }) => {
    const page = await open({ locale, width: 320, ready: "rope" });
    await openMenu(page, "rope");
    await redrawn(page);
    expect(await excess(page)).toBeLessThanOrEqual(0);
    const sizes = await page
      .locator("#rope figure :is(.tools, .menu) button")
      .evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect()).map(({ width, height }) => [width, height]),
      );
    expect(sizes.length).toBe(2 + tools.length);
    for (const size of sizes.flat()) expect(size).toBeGreaterThanOrEqual(24);
    await inBothThemes(page, async (theme) => expect(await axeFaults(page, "#rope figure"), theme).toEqual([]));
    await page.emulateMedia({ media: "print" });
    await expect(page.locator("#rope .menu")).toBeHidden();
  });
