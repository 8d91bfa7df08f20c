import { readFileSync } from "node:fs";
import { expect, test } from "../fixtures.mjs";

// How to cite the package: an entry for BibTeX, of the facts in CITATION.cff.

const read = (file) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");

for (const [locale, says] of [
  ["en-GB", "Cite posenc"],
  ["zh-CN", "引用 posenc"],
])
  test(`folded in the footer, with the package's facts, and copied as it is shown: ${locale}`, async ({ open }) => {
    const page = await open({ locale, ready: "problem", permissions: ["clipboard-read", "clipboard-write"] });
    const fold = page.locator("footer .cite summary");
    await expect(fold).toHaveText(says);
    await expect(page.locator("#citation")).toBeHidden();
    await fold.press("Enter");
    await page.locator('[data-copy="citation"]').press("Enter");
    await expect(page.locator('[data-copy="citation"]')).toRead(/Copied|已复制/);
    const entry = await page.evaluate(() => navigator.clipboard.readText());
    expect(entry).toBe(await page.textContent("#citation"));
    expect(entry).toMatch(/^@software\{posenc,\n/);
    const fields = [...entry.matchAll(/^ {2}(\w+) = \{(.*)\},?$/gm)].map(([, name, value]) => [name, value]);
    const { abstract, ...facts } = Object.fromEntries(fields);
    const { name, version, license } = JSON.parse(read("package.json"));
    expect(facts).toEqual({ author: "{The posenc authors}", title: name, version, license });
    for (const fact of [
      facts.author.slice(1, -1),
      `version: ${version}`,
      `license: ${license}`,
      `abstract: ${abstract}`,
    ])
      expect(read("CITATION.cff"), fact).toContain(fact);
  });
