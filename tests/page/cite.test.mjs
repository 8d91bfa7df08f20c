import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pageTests, words } from "./browser.mjs";

// How to cite the package: an entry for BibTeX, of the facts in CITATION.cff.

const { onPage } = pageTests();
const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

for (const [locale, says] of [
  ["en-GB", "Cite posenc"],
  ["zh-CN", "引用 posenc"],
])
  test(`folded in the footer, with the package's facts, and copied as it is shown: ${locale}`, () =>
    onPage({ locale, ready: "problem", permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      const fold = page.locator("footer .cite summary");
      assert.equal(await words(fold), says);
      assert.equal(await page.locator("#citation").isVisible(), false);
      await fold.focus();
      await page.keyboard.press("Enter");
      await page.focus('[data-copy="citation"]');
      await page.keyboard.press("Enter");
      await page.waitForFunction(() =>
        /Copied|已复制/.test(document.querySelector('[data-copy="citation"]').textContent),
      );
      const entry = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(entry, await page.textContent("#citation"));
      const [, kind, key] = entry.match(/^@(\w+)\{(\w+),\n/);
      assert.deepEqual([kind, key], ["software", "posenc"]);
      const fields = Object.fromEntries(
        [...entry.matchAll(/^ {2}(\w+) = \{(.*)\},?$/gm)].map(([, name, value]) => [name, value]),
      );
      const { name, version, license } = JSON.parse(read("package.json"));
      assert.deepEqual(
        { ...fields, abstract: undefined },
        { author: "{The posenc authors}", title: name, version, license, abstract: undefined },
      );
      for (const fact of [
        "The posenc authors",
        `version: ${version}`,
        `license: ${license}`,
        `abstract: ${fields.abstract}`,
      ])
        assert.ok(read("CITATION.cff").includes(fact), fact);
    }));
