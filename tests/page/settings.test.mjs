import assert from "node:assert/strict";
import { test } from "node:test";
import { openSettings, pageTests, settled, words } from "./browser.mjs";
import { panels } from "./every-panel.mjs";

// How figures are laid out: a sentence, the picture, a few controls, and further settings that are folded; and the
// reader's words beside what is drawn of their positions.

const { onPage } = pageTests();

/** Those with more than three controls that are not folded: an arrow for each token. */
const LARGE = { rope: 4 };

/** Tells of itself what it is. */
const OWN_WAY = ["problem", "lab", "config"];
const FIGURES = Object.keys(panels).filter((panel) => !OWN_WAY.includes(panel));

test("every figure: a paragraph before the picture and no formula, few controls, the rest folded", () =>
  onPage({}, async (page) => {
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
      assert.deepEqual([seen.paragraphs, seen.formulas, seen.open], [1, 0, 0], panel);
      assert.ok(seen.controls <= (LARGE[panel] ?? 3), `${panel} has ${seen.controls} controls`);
    }
  }));

for (const [lang, title] of [
  ["en", "More settings (changed)"],
  ["zh", "更多设置 (已改动)"],
])
  test(`settings that a link changes are unfolded and told, and stay as the reader leaves them: ${lang}`, () =>
    onPage({ hash: `#lang=${lang}&wdim=32`, ready: "waves" }, async (page) => {
      const settings = page.locator("#waves .more-settings");
      const isOpen = () => settings.evaluate(({ open }) => open);
      const summary = settings.locator("summary");
      assert.equal(await isOpen(), true);
      assert.equal(await words(summary), title);
      await summary.click();
      await page.locator(".waves-field").focus();
      await page.keyboard.press("ArrowRight");
      await settled(page);
      assert.equal(await isOpen(), false, "folded again by the reader");
      assert.equal(await words(summary), title);
      await openSettings(page, "waves");
      await page.fill("#row-waveDim", "16");
      await settled(page);
      assert.equal(await words(summary), title.replace(/ \(.*/, ""));
      assert.equal(await isOpen(), true, "not folded while the reader is in it");
    }));

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
  test(`the reader's words stand above the heatmap's columns, side by side, and the chosen one stands out: ${width} px`, () =>
    onPage({ hash: "#p=2", ready: "heatmap", width }, async (page) => {
      const shown = await above(page);
      assert.deepEqual(
        shown.map(({ text }) => text),
        ["The", "cat", "sat", "on", "the", "mat"],
      );
      assert.deepEqual(
        shown.filter(({ isChosen }) => isChosen).map(({ text }) => text),
        ["sat"],
      );
      for (const [at, word] of shown.entries()) if (at > 0) assert.ok(word.left > shown[at - 1].right, word.text);
      assert.ok(shown.at(-1).right < width);
      // Each line begins at the middle of its column.
      const canvas = await page.locator(".heat-canvas").evaluate(({ style }) => [style.left, style.width]);
      const [left, across] = canvas.map(Number.parseFloat);
      for (const [at, { x }] of shown.entries()) assert.ok(Math.abs(x - left - ((at + 0.5) / 128) * across) < 0.01);
      assert.match(await words(page.locator("#heatmap [data-word]").last()), /sat/);
    }));

test("zoomed in, a word stands above its own column; of many words as many as have room", () =>
  onPage({ hash: "#c1=2&c2=7", ready: "heatmap" }, async (page) => {
    const shown = await above(page);
    assert.deepEqual(
      shown.map(({ text }) => text),
      ["sat", "on", "the", "mat"],
    );
    const left = await page.locator(".heat-axes").evaluate((axes) => axes.getBoundingClientRect().left);
    for (const word of shown) assert.ok(Math.abs((word.left + word.right) / 2 - left - word.x) < 1, word.text);
    await page.evaluate(() => {
      location.hash = `#text=${encodeURIComponent("a very long sentence ".repeat(6))}`;
    });
    await page.waitForFunction(() => document.querySelectorAll("#heatmap .column-word").length > 6);
    await page.setViewportSize({ width: 360, height: 800 });
    await settled(page);
    const few = await above(page);
    assert.ok(few.length > 2 && few.length < 10, `${few.length} words`);
    assert.ok(few.at(-1).right < 360);
  }));

test("the matrix of relative positions has the words, and numbers behind the last one", () =>
  onPage({ hash: "#rn=8&text=Dogs%20chase%20cats", ready: "relative" }, async (page) => {
    const named = await page.locator("#relative-matrix .axis text:not(.axis-name)").allTextContents();
    const names = ["Dogs", "chase", "cats", "3", "4", "5", "6", "7"];
    assert.deepEqual(named.slice(0, 16), [...names, ...names]);
  }));

test("what is chosen is named by its word: at the clock's cursor, in both matrices, at RoPE's arrows and at sliders", () =>
  onPage({ hash: "#p=1&q=4&rn=12" }, async (page) => {
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
    assert.deepEqual(await named(), {
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
      await settled(page);
    }
    assert.deepEqual(await page.locator('#sentence [aria-pressed="true"]').allInnerTexts(), ["The"]);
    assert.deepEqual(await named(), {
      clock: new Set(["The"]),
      similarity: ["The", "the"],
      relative: ["The", "the"],
      arrows: ["Q0′ The", "K0′ The"],
      mrope: ["The"],
      slider: "p · The",
    });
  }));

test("RoPE's three tokens are the sentence's first words, in arrows, tables and sliders; without words they are numbers", () =>
  onPage({ hash: "#text=Dogs%20chase", ready: "rope", width: 360 }, async (page) => {
    assert.deepEqual(await page.locator("#rope .arrow.after text").allTextContents(), [
      "Q0′ Dogs",
      "K0′ Dogs",
      "Q1′ chase",
      "K1′ chase",
      "Q2′",
      "K2′",
    ]);
    assert.equal(await words(page.locator('label[for="angle-1"]')), "1 chase");
    assert.equal(await words(page.locator('label[for="angle-2"]')), "Token 2");
    assert.deepEqual(
      (await page.locator('[data-attention="rotated"] tbody th').allTextContents()).map((name) => name.trim()),
      ["Q0 Dogs", "Q1 chase", "Q2"],
    );
    // Nothing sticks out of the plane, nor a table of the page.
    const out = await page.evaluate(() => {
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
    assert.deepEqual(out, [0, 0]);
  }));

test("the config figure speaks of dimensions, whatever the library calls them", () =>
  onPage({ hash: "#model=phi3", ready: "config" }, async (page) => {
    const said = (await page.locator("#config .findings li").allTextContents()).join(" ");
    assert.match(said, /dimension/);
    assert.doesNotMatch(said, /\blanes?\b/i);
  }));
