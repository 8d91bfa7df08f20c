import { expect, inBothThemes, redrawn, test } from "../fixtures.mjs";
import { unseenControls, unseenMarks } from "./contrast.mjs";

// Readers who ask for more contrast, and those whose system chooses the colours.

const colours = (page) =>
  page.evaluate(() => {
    const style = getComputedStyle(document.body);
    return [style.color, style.backgroundColor];
  });

test("who asks for more contrast gets black and white, and wider focus rings @all", async ({ open }) => {
  const page = await open({ contrast: "more", ready: false });
  await inBothThemes(page, async (theme) => {
    const expected = ["rgb(0, 0, 0)", "rgb(255, 255, 255)"];
    await expect.poll(() => colours(page)).toEqual(theme === "light" ? expected : expected.reverse());
  });
  await page.keyboard.press("Tab");
  await redrawn(page);
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineWidth);
  expect(ring).toBe("4px");
});

test("with colours of the system, what is chosen still differs from what is not @all", async ({ open }) => {
  const page = await open({ forcedColors: "active", ready: false });
  const choices = page.locator('[data-choice="auto"], [data-choice="dark"]');
  const outlines = () => choices.evaluateAll((all) => all.map((each) => getComputedStyle(each).outlineStyle));
  // The rules for these readers are fetched after the page.
  await expect.poll(outlines).toEqual(["solid", "none"]);
});

for (const wish of [{ contrast: "more" }, { forcedColors: "active" }])
  test(`controls, marks and focus are visible in both themes: ${JSON.stringify(wish)} @all`, async ({ open }) => {
    const page = await open({ ...wish });
    await inBothThemes(page, async (theme) => {
      await expect.poll(() => unseenControls(page), theme).toEqual([]);
      await expect.poll(() => unseenMarks(page), theme).toEqual([]);
    });
    await page.keyboard.press("Tab");
    await redrawn(page);
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle)).toBe("solid");
  });
