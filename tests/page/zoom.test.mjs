import assert from "node:assert/strict";
import { test } from "node:test";
import { allDrawn, pageTests, settled, unfold, widen } from "./browser.mjs";
import { cut, scrolledFormulas, tooWide } from "./fits.mjs";

// Readers who enlarge: at 200 and 400 % a window of 1280 px has room for 640 and 320, and WCAG 1.4.12 lets them space text.

const { onPage } = pageTests();

const PAGES = [
  ["figures", "", true],
  ["statements", "checked.html", "article:last-of-type .tools"],
  ["tools: an answer", "tools.html", "#result .verdict"],
  ["tools: a form", "tools.html#sample=own&expect=plan", "[data-run]"],
];

/** As much space as readers may ask for. The page's policy forbids added styles, but not those of its own scripts. */
const space = (page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }`);
    document.adoptedStyleSheets.push(sheet);
  });

for (const locale of ["en-GB", "zh-CN"])
  for (const [name, hash, ready] of PAGES)
    for (const width of [640, 320])
      test(`${width} px, then with text spaced out, nothing is cut: ${name}, ${locale}`, () =>
        onPage({ locale, hash, width, ready: ready === true }, async (page) => {
          if (ready !== true) await page.waitForSelector(ready);
          await unfold(page);
          const fits = async (what) => {
            assert.deepEqual(await tooWide(page), [], what);
            assert.deepEqual(await cut(page), [], what);
          };
          await fits("enlarged");
          assert.deepEqual(await scrolledFormulas(page), []);
          await space(page);
          await settled(page);
          await fits("spaced");
        }));

test("a window that grows narrower is not scrolled sideways, though figures out of sight are still wide", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    await allDrawn(page, "precision");
    await widen(page, 320);
    assert.ok(await page.evaluate(() => document.querySelector(".heat-canvas").clientWidth > innerWidth));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  }));

test("what is cut is detected", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    await page.evaluate(() => {
      const button = document.querySelector("#heatmap .tools button");
      button.style.cssText = "width: 10px; padding: 0; white-space: nowrap";
    });
    assert.equal((await cut(page)).length, 1);
  }));
