import { expect, test, unfold } from "../fixtures.mjs";

// Where figures mention a post, a link leads to that statement, and one leads back.

/** Finds where figures name a post, and their links; names of choices and numbers, and those in drawings, have none. */
function mentions() {
  const names = /[Pp]ost\s+[A-E]\b|博文\s*[A-E]/;
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

for (const language of ["en", "zh"])
  test(`mentions of posts in figures lead to statements that lead back: ${language} @all`, async ({ open }) => {
    const page = await open(`#lang=${language}&theme=dark`);
    await unfold(page);
    const found = await page.evaluate(mentions);
    expect(new Set(found.map(({ figure }) => figure))).toEqual(new Set(["similarity", "pairs", "rope"]));
    const checked = await open({ path: "checked.html", hash: `#lang=${language}`, ready: "#E5 .tools a" });
    const figuresOf = (id) =>
      checked
        .locator(`#${id} .tools a`)
        .evaluateAll((all) => all.map(({ hash }) => new URLSearchParams(hash.slice(1)).get("at")));
    for (const { figure, words, href } of found) {
      expect(href, `${figure}: ${words}`).toMatch(/\/some\/folder\/checked\.html#/);
      const { claim, ...rest } = Object.fromEntries(new URLSearchParams(new URL(href).hash.slice(1)));
      expect(rest).toMatchObject({ lang: language, theme: "dark" });
      expect(rest.at).toBe(undefined);
      expect(await figuresOf(claim), `${figure}: ${words}: ${claim}`).toContain(figure);
      const [, post] = words.match(/(?:[Pp]ost|博文)\s*([A-E])\b/) ?? [];
      if (post) expect(post, words).toBe(claim[0]);
    }
    // Pressed, one shows its statement, from which the figure is one press away.
    await page.click('#pairs a[href*="claim=C12"]');
    await page.waitForSelector("#C12 .verdict");
    await page.waitForFunction(() => Math.abs(document.getElementById("C12").getBoundingClientRect().top) < 200);
    await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${language}`));
    await page.click('#C12 a[href*="at=pairs"]');
    await page.waitForSelector("#pairs .tools");
    await expect(page.locator("#pairs-title")).toBeFocused();
  });
