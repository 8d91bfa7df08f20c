import { expect, openSettings, test, widen, words } from "../fixtures.mjs";
import { press } from "./numbers.mjs";
import { PAGES, panelsOf } from "./states.mjs";

// How figures are laid out: a sentence, the picture, a few controls, and further settings that are folded; and the
// reader's words beside what is drawn of their positions.

/** Tells of itself what it is. */
const OWN_WAY = ["problem", "lab", "config"];

test("every figure: a paragraph before the picture and no formula, few controls, the rest folded", async ({ open }) => {
  for (const path of PAGES) {
    const page = await open({ path });
    for (const panel of panelsOf(path).filter((each) => !OWN_WAY.includes(each))) {
      const seen = await page.locator(`#${panel}`).evaluate((section) => {
        const [intro] = section.querySelectorAll(".prose");
        const body = section.querySelector(".panel-body");
        const controls = [...body.querySelectorAll(".control, .choices")];
        return {
          paragraphs: intro.querySelectorAll("p").length,
          formulas: intro.querySelectorAll(".formula").length,
          open: body.querySelectorAll(".more-settings[open]").length,
          controls: controls.filter((each) => !each.closest("details, .readout")).length,
        };
      });
      expect([seen.paragraphs, seen.formulas, seen.open], panel).toEqual([1, 0, 0]);
      expect(seen.controls, `${panel} has ${seen.controls} controls`).toBeLessThanOrEqual(3);
    }
  }
});

for (const [lang, title, none] of [
  ["en", "More settings (changed)", { shift: "none" }],
  ["zh", "更多设置（已改动）", { shift: "不转" }],
])
  test(`settings that a link changes are unfolded and marked; a slider says none: ${lang}`, async ({ open }) => {
    const page = await open({ hash: `#lang=${lang}&wdim=16` });
    const settings = page.locator("#waves .more-settings");
    const isOpen = () => settings.evaluate(({ open }) => open);
    const summary = settings.locator("summary");
    await expect.poll(isOpen).toBe(true);
    await expect(summary).toHaveText(title);
    await summary.click();
    await press(page, ".waves-field", "ArrowRight");
    await expect.poll(isOpen, "folded again by the reader").toBe(false);
    await expect(summary).toHaveText(title);
    await openSettings(page, "waves");
    await page.fill("#row-waveDim", "32");
    await expect(summary).toHaveText(title.replace(/ ?[(（].*/, ""));
    await expect.poll(isOpen, "not folded while the reader is in it").toBe(true);
    for (const [name, word] of Object.entries(none)) {
      const range = page.locator(`.control:has(#row-${name}) [type="range"]`);
      await expect(range, name).toHaveAttribute("aria-valuetext", word);
      await page.locator(`#row-${name}`).scrollIntoViewIfNeeded();
      await page.fill(`#row-${name}`, "2");
      await expect(range, name).toHaveAttribute("aria-valuetext", "2°");
    }
  });

test("the chosen position is named by its word in clocks, matrices, arrows and sliders", async ({ open }) => {
  const page = await open("#p=1&q=4&rn=12&t5=both");
  await page.waitForSelector(".sentence-words button");
  const seen = (selector) => page.locator(selector).allTextContents();
  const named = async () => ({
    clock: new Set(await seen("#waves .cursor-word text")),
    similarity: await seen("#similar-matrix .chosen-name"),
    relative: await seen("#relative-matrix .chosen-name"),
    arrows: await seen("#rope .rope-plane .chosen-arrow .arrow text"),
    slider: [await words(page.locator('label[for="similar-p"]'))],
  });
  await expect.poll(named).toEqual({
    clock: new Set(["cat"]),
    similarity: ["cat", "the"],
    relative: ["cat", "the"],
    arrows: ["Q1′ cat", "K1′ cat"],
    slider: ["p · cat"],
  });
  // Chosen in a figure, it is chosen in all others: here by the tip of an arrow.
  await page.locator("#rope").scrollIntoViewIfNeeded();
  await page.locator('[data-handle="Q0′"]').click();
  await expect(page.locator('#sentence [aria-pressed="true"]')).toHaveText(["The"]);
});

test("matrix and arrows have the sentence's words, as far as they fit", async ({ open }) => {
  const page = await open("#rn=8&text=Dogs%20chase");
  const axis = await page.locator("#relative-matrix .axis text:not(.axis-name)").allTextContents();
  const columns = ["Dogs", "chase", "2", "3", "4", "5", "6", "7"];
  expect(axis.slice(0, 16)).toEqual([...columns, ...columns]);
  await page.locator("#rope .rope-plane").scrollIntoViewIfNeeded();
  const names = page.locator("#rope .rope-plane .arrow.after text");
  await expect(names).toHaveText(["Q0′ Dogs", "K0′ Dogs", "Q1′ chase", "K1′ chase", "Q2′", "K2′"]);
  // On a phone the words would lie over other names; sliders and tables have them.
  await widen(page, 360);
  await page.locator("#rope .rope-plane").scrollIntoViewIfNeeded(); // what is out of sight is drawn when it comes
  await expect(names).toHaveText(["Q0′", "K0′", "Q1′", "K1′", "Q2′", "K2′"]);
});
