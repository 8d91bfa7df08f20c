import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { pageTests, settled, words } from "./browser.mjs";

// Terms in the figures' texts: what they are is told on hover, focus and tap, as WCAG 1.4.13 asks for it.

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { onPage } = pageTests();

const tip = (page) => page.locator("#term-tip");
const told = (page) => page.waitForSelector("#term-tip");
const gone = (page) => page.waitForSelector("#term-tip", { state: "detached" });
const term = (page, name) => page.locator(`#rope [data-term="${name}"]`);

/** Where a term and what is said of it are. */
async function boxes(page, name) {
  const [word, said] = await Promise.all([term(page, name).boundingBox(), tip(page).boundingBox()]);
  return { word, said };
}

test("on hover: it stays while the pointer is on it, and goes when the pointer has gone", () =>
  onPage({ ready: "rope" }, async (page) => {
    await term(page, "key").hover();
    await told(page);
    assert.match(await words(tip(page)), /^The vector by which a token is found/);
    const { word, said } = await boxes(page, "key");
    assert.ok(said.y >= word.y + word.height || said.y + said.height <= word.y, "it covers the term");
    await page.mouse.move(said.x + said.width / 2, said.y + said.height / 2, { steps: 8 });
    // Longer than it stays without the pointer.
    await page.waitForTimeout(800);
    assert.equal(await tip(page).count(), 1);
    await page.locator("#rope .rope-plane").hover();
    await gone(page);
  }));

test("on focus: a screen reader hears it, Escape dismisses it and leaves the focus, Tab goes on", () =>
  onPage({ ready: "rope" }, async (page) => {
    // What comes before it: the heading's own link.
    await page.locator("#rope .prose a").first().focus();
    await page.keyboard.press("Tab");
    await told(page);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.term), "key");
    assert.equal(await term(page, "key").getAttribute("aria-describedby"), "term-tip");
    assert.equal(await tip(page).getAttribute("role"), "tooltip");
    await page.keyboard.press("Escape");
    await gone(page);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.term), "key");
    assert.equal(await term(page, "key").getAttribute("aria-describedby"), null);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await told(page);
    await page.keyboard.press("Tab");
    await gone(page);
  }));

test("by a tap, at 320 px: within the screen, and gone with a tap elsewhere", () =>
  onPage({ ready: "rope", width: 320, hash: "#lang=zh", hasTouch: true }, async (page) => {
    for (const name of ["key", "rope"]) {
      await term(page, name).tap();
      await told(page);
      const { word, said } = await boxes(page, name);
      assert.ok(said.x >= 0 && said.x + said.width <= 320, `${name}: from ${said.x}, ${said.width} wide`);
      assert.ok(said.y >= word.y + word.height || said.y + said.height <= word.y, `${name}: covered`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      await page.locator("#rope-title").tap();
      await gone(page);
    }
  }));

for (const lang of ["en", "zh"])
  test(`every figure marks three terms at most, none twice, all of them explained: ${lang}`, () =>
    onPage({ hash: `#lang=${lang}` }, async (page) => {
      const figures = await page
        .locator("main section")
        .evaluateAll((all) =>
          all.map((section) => [section.id, [...section.querySelectorAll(".term")].map(({ dataset }) => dataset.term)]),
        );
      const terms = figures.flatMap(([, all]) => all);
      assert.ok(new Set(terms).size >= 20, `${new Set(terms).size} terms`);
      for (const [id, all] of figures) {
        assert.ok(all.length <= 3, `${id}: ${all}`);
        assert.equal(new Set(all).size, all.length, `${id}: ${all}`);
      }
      // What the other language says of a term is not said in this one.
      const seen = new Set();
      for (const [id, all] of figures)
        for (const name of all.filter((each) => !seen.has(each))) {
          seen.add(name);
          await page.locator(`#${id} [data-term="${name}"]`).evaluate((word) => word.focus());
          await page.waitForFunction(
            ([section, each]) =>
              document.querySelector(`#${section} [data-term="${each}"]`).hasAttribute("aria-describedby"),
            [id, name],
          );
          const said = await words(tip(page));
          assert.ok(said.length > 10, name);
          assert.equal(/\p{sc=Han}/u.test(said), lang === "zh", `${name}: ${said}`);
        }
    }));

test("axe finds nothing while it is open, in both themes and languages; nothing on the page moves for it", () =>
  onPage({ ready: "rope" }, async (page) => {
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    for (const [lang, theme] of [
      ["en", "light"],
      ["zh", "dark"],
    ]) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#lang=${lang}&theme=${theme}`);
      await page.waitForFunction((name) => document.documentElement.lang.startsWith(name), lang);
      await settled(page);
      const before = await height();
      await term(page, "rope").focus();
      await told(page);
      assert.equal(await height(), before);
      await page.evaluate(`${axe};0`);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`),
        [],
        lang,
      );
      await page.keyboard.press("Escape");
      await gone(page);
    }
  }));
