import { expect, follow, linkWritten, openSettings, redrawn, test, widen, words } from "../fixtures.mjs";
import { press } from "./numbers.mjs";
import { panels } from "./states.mjs";

// How figures are laid out: a sentence, the picture, a few controls, and further settings that are folded; and the
// reader's words beside what is drawn of their positions.

/** Those with more than three controls that are not folded: an arrow for each token, and the values. */
const LARGE = { rope: 5 };

/** Tells of itself what it is. */
const OWN_WAY = ["problem", "lab", "config"];

test("every figure: a paragraph before the picture and no formula, few controls, the rest folded", async ({ page }) => {
  for (const panel of Object.keys(panels).filter((each) => !OWN_WAY.includes(each))) {
    const seen = await page.locator(`#${panel}`).evaluate((section) => {
      const [intro] = section.querySelectorAll(".prose");
      const body = section.querySelector(".panel-body");
      const controls = [...body.querySelectorAll(".control, .choices")];
      return {
        paragraphs: intro.querySelectorAll("p").length,
        formulas: intro.querySelectorAll(".formula").length,
        open: body.querySelectorAll(".more-settings[open]").length,
        controls: controls.filter((each) => !each.closest("details, .readout, .heat-numbers")).length,
      };
    });
    expect([seen.paragraphs, seen.formulas, seen.open], panel).toEqual([1, 0, 0]);
    expect(seen.controls, `${panel} has ${seen.controls} controls`).toBeLessThanOrEqual(LARGE[panel] ?? 3);
  }
});

for (const [lang, title, none] of [
  ["en", "More settings (changed)", { shift: "none", slide: "none" }],
  ["zh", "更多设置 (已改动)", { shift: "不转", slide: "不平移" }],
])
  test(`settings that a link changes are unfolded and marked, until the reader folds them; a slider says none: ${lang}`, async ({
    open,
  }) => {
    const page = await open({ hash: `#lang=${lang}&wdim=32` });
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
    await page.fill("#row-waveDim", "16");
    await expect(summary).toHaveText(title.replace(/ \(.*/, ""));
    await expect.poll(isOpen, "not folded while the reader is in it").toBe(true);
    for (const [name, word] of Object.entries(none)) {
      const range = page.locator(`.control:has(#row-${name}) [type="range"]`);
      await expect(range, name).toHaveAttribute("aria-valuetext", word);
      await page.locator(`#row-${name}`).scrollIntoViewIfNeeded();
      await page.fill(`#row-${name}`, "2");
      await expect(range, name).toHaveAttribute("aria-valuetext", name === "shift" ? "2°" : "2");
    }
  });

/** The words above the heatmap: which, where, and where their lines end. */
const above = (page) =>
  page.locator("#heatmap .column-word").evaluateAll((all) =>
    all.map((word) => {
      const { left, right } = word.querySelector("text").getBoundingClientRect();
      const [x] = word
        .querySelector("path")
        .getAttribute("d")
        .match(/[\d.]+/);
      return { text: word.textContent.trim(), left, right, x: Number(x), isChosen: word.classList.contains("chosen") };
    }),
  );

test("words above the heatmap's columns do not overlap, are above them where there is room, and as many as fit", async ({
  open,
}) => {
  const page = await open({ hash: "#p=2", ready: "heatmap" });
  for (const width of [360, 1280]) {
    await widen(page, width);
    const shown = await above(page);
    expect(shown.map(({ text }) => text)).toEqual(["The", "cat", "sat", "on", "the", "mat"]);
    expect(shown.filter(({ isChosen }) => isChosen).map(({ text }) => text)).toEqual(["sat"]);
    for (const [at, word] of shown.slice(1).entries()) expect(word.left, word.text).toBeGreaterThan(shown[at].right);
    expect(shown.at(-1).right).toBeLessThan(width);
    // Each line begins at the middle of its column.
    const canvas = await page.locator(".heat-canvas").evaluate(({ style }) => [style.left, style.width]);
    const [left, across] = canvas.map(Number.parseFloat);
    for (const [at, { x }] of shown.entries())
      expect(Math.abs(x - left - ((at + 0.5) / 128) * across)).toBeLessThan(0.01);
  }
  await page.fill("#row-length", "6");
  await redrawn(page);
  const left = await page.locator(".heat-axes").evaluate((axes) => axes.getBoundingClientRect().left);
  for (const word of await above(page))
    expect(Math.abs((word.left + word.right) / 2 - left - word.x), word.text).toBeLessThan(1);
  await follow(page, `#text=${encodeURIComponent("a very long sentence ".repeat(6))}`);
  await page.waitForFunction(() => document.querySelectorAll("#heatmap .column-word").length > 6);
  await linkWritten(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await expect.poll(async () => (await above(page)).length).toBeLessThan(10);
  expect((await above(page)).length).toBeGreaterThan(2);
});

test("the chosen position is named by its word in clocks, matrices, arrows and sliders", async ({ open }) => {
  const page = await open("#p=1&q=4&rn=12");
  await page.waitForSelector(".sentence-words button");
  const seen = (selector) => page.locator(selector).allTextContents();
  const named = async () => ({
    clock: new Set(await seen("#waves .cursor-word text")),
    similarity: await seen("#similar-matrix .chosen-name"),
    relative: await seen("#relative-matrix .chosen-name"),
    arrows: await seen("#rope .chosen-arrow .arrow text"),
    mrope: await seen("#mrope .token-word.chosen"),
    slider: [await words(page.locator('label[for="similar-p"]'))],
  });
  const expected = (word, token) => ({
    clock: new Set([word]),
    similarity: [word, "the"],
    relative: [word, "the"],
    arrows: [`Q${token}′ ${word}`, `K${token}′ ${word}`],
    mrope: [word],
    slider: [`p · ${word}`],
  });
  await expect.poll(named).toEqual(expected("cat", 1));
  // Chosen in a figure, it is chosen in all others: here by the tip of an arrow.
  await page.locator("#rope").scrollIntoViewIfNeeded();
  await page.locator('[data-handle="Q0′"]').click();
  for (const panel of ["waves", "similarity", "relative", "mrope"]) {
    await page.locator(`#${panel}`).scrollIntoViewIfNeeded();
    await redrawn(page);
  }
  await expect(page.locator('#sentence [aria-pressed="true"]')).toHaveText(["The"]);
  await expect.poll(named).toEqual(expected("The", 0));
});

test("matrix and arrows have the sentence's first words, numbers behind the last, and arrows' names fit", async ({
  open,
}) => {
  const page = await open("#rn=8&text=Dogs%20chase");
  const axis = await page.locator("#relative-matrix .axis text:not(.axis-name)").allTextContents();
  const columns = ["Dogs", "chase", "2", "3", "4", "5", "6", "7"];
  expect(axis.slice(0, 16)).toEqual([...columns, ...columns]);
  await page.locator("#rope .rope-plane").scrollIntoViewIfNeeded();
  const names = page.locator("#rope .arrow.after text");
  await expect(names).toHaveText(["Q0′ Dogs", "K0′ Dogs", "Q1′ chase", "K1′ chase", "Q2′", "K2′"]);
  await expect(page.locator('label[for="angle-1"]')).toHaveText("1 chase");
  await expect(page.locator('label[for="angle-2"]')).toHaveText("Token 2");
  // Nothing sticks out of the plane.
  const out = async () => {
    const plane = await page.locator(".rope-plane").boundingBox();
    const boxes = await Promise.all((await names.all()).map((name) => name.boundingBox()));
    return boxes.filter(({ x, width }) => x < plane.x - 1 || x + width > plane.x + plane.width + 1).length;
  };
  expect(await out()).toBe(0);
  // On a phone the words would lie over other names; sliders and tables have them.
  await widen(page, 360);
  await page.locator("#rope .rope-plane").scrollIntoViewIfNeeded(); // what is out of sight is drawn when it comes
  await expect(names).toHaveText(["Q0′", "K0′", "Q1′", "K1′", "Q2′", "K2′"]);
  expect(await out()).toBe(0);
});
