import { expect, inBothThemes, redrawn, test } from "../fixtures.mjs";
import { unseenControls, unseenMarks } from "./contrast.mjs";

// Readers who ask for more contrast, and those whose system chooses the colours.

for (const wish of [{ contrast: "more" }, { forcedColors: "active" }])
  test(`controls, marks, choices and focus are visible in both themes: ${JSON.stringify(wish)} @all`, async ({
    open,
  }) => {
    const page = await open({ ...wish });
    await inBothThemes(page, async (theme) => {
      await expect.poll(() => unseenControls(page), theme).toEqual([]);
      await expect.poll(() => unseenMarks(page), theme).toEqual([]);
      if (!wish.contrast) return;
      const [dark, light] = ["rgb(0, 0, 0)", "rgb(255, 255, 255)"];
      await expect(page.locator("body")).toHaveCSS("color", theme === "light" ? dark : light);
      await expect(page.locator("body")).toHaveCSS("background-color", theme === "light" ? light : dark);
    });
    await page.keyboard.press("Tab");
    await redrawn(page);
    const focused = page.locator(":focus");
    await expect(focused).toHaveCSS("outline-style", "solid");
    if (wish.contrast) return expect(focused).toHaveCSS("outline-width", "4px");
    // What is chosen still differs from what is not. The rules for these readers are fetched after the page.
    await expect(page.locator('[data-choice="auto"]')).toHaveCSS("outline-style", "solid");
    await expect(page.locator('[data-choice="dark"]')).toHaveCSS("outline-style", "none");
  });
