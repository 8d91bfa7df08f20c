import { expect, test, unfold } from "../fixtures.mjs";

// Where figures mention a post, a link leads to that statement, and one leads back.

/** Finds where figures name a post, and their links; names of choices and numbers, and those in drawings, have none. */
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
  test(`mentions of posts in figures lead to statements that lead back: ${language} @all`, async ({ open }) => {
    let found;
    {
      const page = await open(`#lang=${language}&theme=dark&source=${source}`);
      await unfold(page);
      await page.waitForSelector("#heatmap .prose:last-child p", { state: "attached" });
      found = await page.evaluate(mentions);
    }
    expect(found.length).toBeGreaterThan(20);
    expect(new Set(found.map(({ figure }) => figure)).size).toEqual(6);
    let leads;
    {
      const page = await open({ hash: `checked.html#lang=${language}`, ready: false });
      await page.waitForSelector("#E5 .tools a");
      leads = await page.locator("article.claim").evaluateAll(figuresOf);
    }
    for (const { figure, words, href } of found) {
      expect(href, `${figure}: ${words}`).toMatch(/\/some\/folder\/checked\.html#/);
      const link = new URLSearchParams(new URL(href).hash.slice(1));
      expect([link.get("lang"), link.get("theme"), link.get("at")]).toEqual([language, "dark", null]);
      expect(leads[link.get("claim")]?.includes(figure), `${figure}: ${words}: ${link.get("claim")}`).toBeTruthy();
      const [, post] = words.match(/(?:[Pp]ost|帖子)\s*([A-E])\b/) ?? [];
      if (post) expect(post, words).toBe(link.get("claim")[0]);
    }
  });

test("pressed, it shows the statement, and its figure is one press away", async ({ open }) => {
  const page = await open({ hash: "#lang=zh", ready: "pairs" });
  await page.click('#pairs a[href*="claim=C12"]');
  await page.waitForURL("**/checked.html#*");
  await page.waitForSelector("#C12 .verdict");
  await page.waitForFunction(() => Math.abs(document.getElementById("C12").getBoundingClientRect().top) < 200);
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await page.click('#C12 a[href*="at=pairs"]');
  await page.waitForSelector("#pairs .tools");
  await expect(page.locator("#pairs-title")).toBeFocused();
});
