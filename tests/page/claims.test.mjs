import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, unfold } from "./browser.mjs";

// From what a figure says of a post to that statement, and back.

const { onPage } = pageTests("/some/folder/");

/** Where figures name a post, and what that leads to; names of choices, of numbers and in drawings stand by themselves. */
function mentions() {
  const names = /[Pp]ost\s+[A-E]\b|帖子\s*[A-E]/;
  const found = [];
  for (const section of document.querySelectorAll("main section")) {
    const texts = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement, data } = texts.currentNode;
      if (!names.test(data) || parentElement.closest("label, th, dt, svg, figcaption, .plane-box h3")) continue;
      found.push({ figure: section.id, words: data.trim(), href: parentElement.closest("a")?.href ?? "" });
    }
    for (const link of section.querySelectorAll('a[href*="claim="]'))
      found.push({ figure: section.id, words: link.textContent.trim(), href: link.href });
  }
  return found;
}

/** The figures that each statement leads to. */
const figuresOf = (rows) =>
  Object.fromEntries(
    rows.map((row) => [
      row.id,
      [...row.querySelectorAll(".tools a")].map((link) =>
        new URLSearchParams(new URL(link.href).hash.slice(1)).get("at"),
      ),
    ]),
  );

for (const [language, source] of [
  ["en", "C"],
  ["zh", "E"],
])
  test(`what figures say of posts leads to statements that lead back: ${language}`, async () => {
    let found;
    await onPage({ hash: `#lang=${language}&theme=dark&source=${source}` }, async (page) => {
      await unfold(page);
      await page.waitForFunction(() => document.querySelector("#heatmap .prose:last-child p"));
      found = await page.evaluate(mentions);
    });
    assert.ok(found.length > 20, `${found.length}`);
    assert.deepEqual(new Set(found.map(({ figure }) => figure)).size, 8);
    let leads;
    await onPage({ hash: `checked.html#lang=${language}`, ready: false }, async (page) => {
      await page.waitForSelector("#E5 .tools a");
      leads = await page.locator("article.claim").evaluateAll(figuresOf);
    });
    for (const { figure, words, href } of found) {
      assert.match(href, /\/some\/folder\/checked\.html#/, `${figure}: ${words}`);
      const link = new URLSearchParams(new URL(href).hash.slice(1));
      assert.deepEqual([link.get("lang"), link.get("theme"), link.get("at")], [language, "dark", null]);
      assert.ok(leads[link.get("claim")]?.includes(figure), `${figure}: ${words}: ${link.get("claim")}`);
      const [, post] = words.match(/(?:[Pp]ost|帖子)\s*([A-E])\b/) ?? [];
      if (post) assert.equal(post, link.get("claim")[0], words);
    }
  });

test("pressed, it shows the statement, and its figure is one press away", () =>
  onPage({ hash: "#lang=zh", ready: "absolute" }, async (page) => {
    await page.click('#absolute a[href*="claim=C6"]');
    await page.waitForURL("**/checked.html#*");
    await page.waitForSelector("#C6 .verdict");
    await page.waitForFunction(() => Math.abs(document.getElementById("C6").getBoundingClientRect().top) < 200);
    assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN");
    await page.click('#C6 a[href*="at=absolute"]');
    await page.waitForSelector("#absolute .tools");
    await page.waitForFunction(() => document.activeElement.id === "absolute-title");
  }));
