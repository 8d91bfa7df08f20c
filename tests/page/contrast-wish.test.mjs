import assert from "node:assert/strict";
import { test } from "node:test";
import { inBothThemes, pageTests, settled } from "./browser.mjs";
import { unseenControls, unseenMarks } from "./contrast.mjs";

// Readers who ask for more contrast, and those whose system chooses the colours.

const { onPage } = pageTests();

const colours = (page) =>
  page.evaluate(() => {
    const style = getComputedStyle(document.body);
    return [style.color, style.backgroundColor];
  });

test("who asks for more contrast gets black and white, and wider focus rings", () =>
  onPage({ contrast: "more", ready: false }, async (page) => {
    await page.waitForLoadState("networkidle");
    await inBothThemes(page, async (theme) => {
      const expected = ["rgb(0, 0, 0)", "rgb(255, 255, 255)"];
      assert.deepEqual(await colours(page), theme === "light" ? expected : expected.reverse());
    });
    await page.keyboard.press("Tab");
    await settled(page);
    const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineWidth);
    assert.equal(ring, "4px");
  }));

test("with colours of the system, what is chosen still differs from what is not", () =>
  onPage({ forcedColors: "active", ready: false }, async (page) => {
    await page.waitForLoadState("networkidle");
    const outlines = await page
      .locator('[data-choice="auto"], [data-choice="dark"]')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).outlineStyle));
    assert.deepEqual(outlines, ["solid", "none"]);
  }));

for (const wish of [{ contrast: "more" }, { forcedColors: "active" }])
  test(`controls, marks of drawings and the focus can be seen in both themes: ${JSON.stringify(wish)}`, () =>
    onPage({ ...wish }, async (page) => {
      await inBothThemes(page, async (theme) => {
        assert.deepEqual(await unseenControls(page), [], theme);
        assert.deepEqual(await unseenMarks(page), [], theme);
      });
      await page.keyboard.press("Tab");
      await settled(page);
      assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "solid");
    }));
