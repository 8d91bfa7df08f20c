import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { inBothThemes, pageTests, settled, words } from "./browser.mjs";

// The code of figures: that of the settings chosen, in four languages, to be copied. tests/interop/figure-code.test.mjs
// runs it.

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { onPage } = pageTests();

/** Unfolds the code of a figure; the program that writes it is fetched with the first. */
async function openCode(page, id) {
  await page.click(`#${id} [data-tool="code"]`);
  await page.waitForSelector(`#${id}-code`);
}

/** Has the code in a language, in all figures. */
async function choose(page, id, language) {
  await page.locator(`#${id} [name="row-code-${id}"][value="${language}"]`).check({ force: true });
}

test("a figure's code is that of its settings, in four languages, and folds away", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    await openCode(page, "heatmap");
    const says = {
      pytorch: /import torch.*base\*\*-power.*sinusoid\(list\(range\(128\)\), 128, 10000\.0\).*assert torch\.allclose/s,
      jax: /import jax\.numpy as jnp.*assert jnp\.allclose/s,
      cpp: /#include "posenc\/sinusoidal\/sinusoidal\.hpp".*Positions::range\(128\), .*\.dim = 128/s,
      javascript: /import \{ load \} from "posenc";.*pe\.sinusoidal\(\{ length: 128, dim: 128 \}\)/s,
    };
    for (const [language, pattern] of Object.entries(says)) {
      await choose(page, "heatmap", language);
      await settled(page);
      assert.match(await page.textContent("#heatmap-code"), pattern, language);
    }
    await page.fill('#heatmap input[type="number"]', "17");
    await settled(page);
    assert.match(await page.textContent("#heatmap-code"), /length: 17, dim: 128/);
    await page.click('#heatmap [data-tool="code"]');
    assert.equal(await page.locator("#heatmap-code").count(), 0);
  }));

test("the language of code is the same in all figures, and what is copied is what is shown", () =>
  onPage({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    for (const id of ["rope", "relative"]) await openCode(page, id);
    await choose(page, "rope", "javascript");
    await settled(page);
    const shown = await page.textContent("#relative-code");
    assert.match(shown, /pe\.alibi\(\{ queries: 12, keys: 12, heads: 8 \}\)/);
    await page.click('[data-copy="relative-code"]');
    assert.match(await words(page.locator('[data-copy="relative-code"]')), /Copied/);
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown);
  }));

test("by keys alone: open, choose a language, read and copy", () =>
  onPage({ ready: "rope", permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await page.focus('#rope [data-tool="code"]');
    await page.keyboard.press("Enter");
    await page.waitForSelector("#rope-code");
    assert.equal(await page.getAttribute('#rope [data-tool="code"]', "aria-expanded"), "true");
    const tabTo = async (selector) => {
      for (let step = 0; step < 8; step++) {
        if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`${selector} is not reached`);
    };
    await tabTo('[name="row-code-rope"]');
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.match(await page.textContent("#rope-code"), /jnp/);
    await tabTo("#rope-code");
    await tabTo('[data-copy="rope-code"]');
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /Copied/.test(document.querySelector('[data-copy="rope-code"]').textContent));
  }));

for (const locale of ["en-GB", "zh-CN"])
  test(`code is accessible and no page gets wider than 360 px: ${locale}`, () =>
    onPage({ locale, width: 360 }, async (page) => {
      const all = page.locator('[data-tool="code"]');
      assert.ok((await all.count()) > 12);
      for (const button of await all.all()) await button.evaluate((element) => element.click());
      await page.waitForFunction(
        () =>
          document.querySelectorAll(".figure-code").length === document.querySelectorAll('[data-tool="code"]').length,
      );
      await settled(page);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
      await page.evaluate(`${axe};0`);
      await inBothThemes(page, async (theme) => {
        const { violations } = await page.evaluate(() =>
          window.axe.run({ include: [".figure-code"] }, { resultTypes: ["violations"] }),
        );
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`),
          [],
          theme,
        );
      });
      assert.match(
        await words(page.locator("#rope .figure-code .note")),
        locale === "zh-CN" ? /当前设置/ : /current settings/,
      );
    }));
