import { expect, follow, linkWritten, openSettings, redrawn, test, widen, words } from "../fixtures.mjs";
import { panels } from "./states.mjs";

// How figures are laid out: a sentence, the picture, a few controls, and further settings that are folded; and the
// reader's words beside what is drawn of their positions.

test("sliders say none where 0 means none, and the number elsewhere @all", async ({ open }) => {
  for (const [locale, none] of [
    ["en-GB", { shift: "none", slide: "none", textBefore: "none", textAfter: "none" }],
    ["zh-CN", { shift: "不转", slide: "不平移", textBefore: "无", textAfter: "无" }],
  ]) {
    const page = await open({ locale, hash: "#before=0&after=0" });
    for (const [name, word] of Object.entries(none)) {
      const range = page.locator(`.control:has(#row-${name}) [type="range"]`);
      await expect(range, name).toHaveAttribute("aria-valuetext", word);
      await page.locator(`#row-${name}`).scrollIntoViewIfNeeded();
      await page.fill(`#row-${name}`, "2");
      await expect(range, name).toHaveAttribute("aria-valuetext", name === "shift" ? "2°" : "2");
    }
  }
});

/** Those with more than three controls that are not folded: an arrow for each token, and the values. */
const LARGE = { rope: 5 };

/** Tells of itself what it is. */
const OWN_WAY = ["problem", "lab", "config"];

const FIGURES = Object.keys(panels).filter((panel) => !OWN_WAY.includes(panel));

test("every figure: a paragraph before the picture and no formula, few controls, the rest folded", async ({ page }) => {
  for (const panel of FIGURES) {
    const seen = await page.evaluate((id) => {
      const section = document.getElementById(id);
      const [intro] = section.querySelectorAll(".prose");
      const body = section.querySelector(".panel-body");
      const controls = [...body.querySelectorAll(".control, .choices")].filter(
        (each) => !each.closest("details, .readout, .heat-numbers"),
      );
      const settings = body.querySelectorAll(".more-settings");
      return {
        paragraphs: intro.querySelectorAll("p").length,
        formulas: intro.querySelectorAll(".formula").length,
        controls: controls.length,
        open: [...settings].filter(({ open }) => open).length,
      };
    }, panel);
    expect([seen.paragraphs, seen.formulas, seen.open], panel).toEqual([1, 0, 0]);
    expect(seen.controls, `${panel} has ${seen.controls} controls`).toBeLessThanOrEqual(LARGE[panel] ?? 3);
  }
});

for (const [lang, title] of [
  ["en", "More settings (changed)"],
  ["zh", "更多设置 (已改动)"],
])
  test(`settings that a link changes are unfolded and marked until the reader folds them: ${lang}`, async ({
    open,
  }) => {
    const page = await open({ hash: `#lang=${lang}&wdim=32`, ready: "waves" });
    const settings = page.locator("#waves .more-settings");
    const isOpen = () => settings.evaluate(({ open }) => open);
    const summary = settings.locator("summary");
    await expect.poll(isOpen).toBe(true);
    await expect(summary).toHaveText(title);
    await summary.click();
    await page.locator(".waves-field").focus();
    await page.keyboard.press("ArrowRight");
    await redrawn(page);
    await expect.poll(isOpen, "folded again by the reader").toBe(false);
    await expect(summary).toHaveText(title);
    await openSettings(page, "waves");
    await page.fill("#row-waveDim", "16");
    await expect(summary).toHaveText(title.replace(/ \(.*/, ""));
    await expect.poll(isOpen, "not folded while the reader is in it").toBe(true);
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

for (const width of [360, 1280])
  test(`words above the heatmap's columns do not overlap, and the chosen one is bold: ${width} px @all`, async ({
    open,
  }) => {
    const page = await open({ hash: "#p=2", ready: "heatmap", width });
    const shown = await above(page);
    expect(shown.map(({ text }) => text)).toEqual(["The", "cat", "sat", "on", "the", "mat"]);
    expect(shown.filter(({ isChosen }) => isChosen).map(({ text }) => text)).toEqual(["sat"]);
    for (const [at, word] of shown.entries())
      if (at > 0) expect(word.left, word.text).toBeGreaterThan(shown[at - 1].right);
    expect(shown.at(-1).right).toBeLessThan(width);
    // Each line begins at the middle of its column.
    const canvas = await page.locator(".heat-canvas").evaluate(({ style }) => [style.left, style.width]);
    const [left, across] = canvas.map(Number.parseFloat);
    for (const [at, { x }] of shown.entries())
      expect(Math.abs(x - left - ((at + 0.5) / 128) * across)).toBeLessThan(0.01);
    await expect(page.locator("#heatmap [data-word]").last()).toRead(/sat/);
  });

test("where there is room, a word is above its own column; of many words as many as fit @all", async ({ open }) => {
  const page = await open({ hash: "#n=6", ready: "heatmap" });
  const shown = await above(page);
  expect(shown.map(({ text }) => text)).toEqual(["The", "cat", "sat", "on", "the", "mat"]);
  const left = await page.locator(".heat-axes").evaluate((axes) => axes.getBoundingClientRect().left);
  for (const word of shown) expect(Math.abs((word.left + word.right) / 2 - left - word.x), word.text).toBeLessThan(1);
  await follow(page, `#text=${encodeURIComponent("a very long sentence ".repeat(6))}`);
  await page.waitForFunction(() => document.querySelectorAll("#heatmap .column-word").length > 6);
  await linkWritten(page);
  await page.setViewportSize({ width: 360, height: 800 });
  const few = async () => (await above(page)).length;
  await expect.poll(few).toBeLessThan(10);
  expect(await few()).toBeGreaterThan(2);
  expect((await above(page)).at(-1).right).toBeLessThan(360);
});

test("the matrix of relative positions has the words, and numbers behind the last one", async ({ open }) => {
  const page = await open({ hash: "#rn=8&text=Dogs%20chase%20cats", ready: "relative" });
  const named = await page.locator("#relative-matrix .axis text:not(.axis-name)").allTextContents();
  const names = ["Dogs", "chase", "cats", "3", "4", "5", "6", "7"];
  expect(named.slice(0, 16)).toEqual([...names, ...names]);
});

test("the chosen position is named by its word in clocks, matrices, arrows and sliders @all", async ({ open }) => {
  const page = await open("#p=1&q=4&rn=12");
  await page.waitForSelector(".sentence-words button");
  const seen = (selector) => page.locator(selector).allTextContents();
  const named = async () => ({
    clock: new Set(await seen("#waves .cursor-word text")),
    similarity: await seen("#similar-matrix .chosen-name"),
    relative: await seen("#relative-matrix .chosen-name"),
    arrows: await seen("#rope .chosen-arrow .arrow text"),
    mrope: await seen("#mrope .token-word.chosen"),
    slider: await words(page.locator('label[for="similar-p"]')),
  });
  await expect.poll(named).toEqual({
    clock: new Set(["cat"]),
    similarity: ["cat", "the"],
    relative: ["cat", "the"],
    arrows: ["Q1′ cat", "K1′ cat"],
    mrope: ["cat"],
    slider: "p · cat",
  });
  // Chosen in a figure, it is chosen in all others: here by the tip of an arrow.
  await page.locator("#rope").scrollIntoViewIfNeeded();
  await page.locator('[data-handle="Q0′"]').click();
  for (const panel of ["waves", "similarity", "relative", "mrope"]) {
    await page.locator(`#${panel}`).scrollIntoViewIfNeeded();
    await redrawn(page);
  }
  await expect(page.locator('#sentence [aria-pressed="true"]')).toHaveText(["The"]);
  await expect.poll(named).toEqual({
    clock: new Set(["The"]),
    similarity: ["The", "the"],
    relative: ["The", "the"],
    arrows: ["Q0′ The", "K0′ The"],
    mrope: ["The"],
    slider: "p · The",
  });
});

test("RoPE's three tokens are the sentence's first words, or numbers without words", async ({ open }) => {
  const page = await open({ hash: "#text=Dogs%20chase", ready: "rope" });
  const names = page.locator("#rope .arrow.after text");
  await expect(names).toHaveText(["Q0′ Dogs", "K0′ Dogs", "Q1′ chase", "K1′ chase", "Q2′", "K2′"]);
  await expect(page.locator('label[for="angle-1"]')).toHaveText("1 chase");
  await expect(page.locator('label[for="angle-2"]')).toHaveText("Token 2");
  expect(
    (await page.locator('[data-attention="rotated"] tbody th').allTextContents()).map((name) => name.trim()),
  ).toEqual(["Q0 Dogs", "Q1 chase", "Q2"]);
  // Nothing sticks out of the plane, nor a table of the page.
  const out = () =>
    page.evaluate(() => {
      const plane = document.querySelector(".rope-plane").getBoundingClientRect();
      const boxes = [...document.querySelectorAll("#rope .arrow.after text")].map((text) =>
        text.getBoundingClientRect(),
      );
      const tables = [...document.querySelectorAll("#rope .tables table")].map((table) =>
        table.getBoundingClientRect(),
      );
      return [
        boxes.filter(({ left, right }) => left < plane.left - 1 || right > plane.right + 1).length,
        tables.filter(({ right }) => right > innerWidth).length,
      ];
    });
  expect(await out()).toEqual([0, 0]);
  // On a phone the words would lie over other names; sliders and tables have them.
  await widen(page, 360);
  await page.locator("#rope .rope-plane").scrollIntoViewIfNeeded(); // what is out of sight is drawn when it comes
  await expect(names).toHaveText(["Q0′", "K0′", "Q1′", "K1′", "Q2′", "K2′"]);
  expect(await out()).toEqual([0, 0]);
});

test("the config figure speaks of dimensions, whatever the library calls them", async ({ open }) => {
  const page = await open({ hash: "#model=phi3", ready: "config" });
  const said = (await page.locator("#config .findings li").allTextContents()).join(" ");
  expect(said).toMatch(/dimension/);
  expect(said).not.toMatch(/\blanes?\b/i);
});
