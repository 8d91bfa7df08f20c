import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, settled, words } from "./browser.mjs";

// The contents: what is found in them, by keys alone and in both languages, and which figures the reader has been at.

const { onPage } = pageTests();
const opened = (options, check) =>
  onPage({ ready: "problem", ...options }, async (page) => {
    await page.waitForSelector("#contents .unfold", { state: "attached" });
    await check(page);
  });
const field = "#contents input";
const status = (page) => page.locator("#contents [role=status]");

/** Types a query and waits until the status speaks of it. */
async function search(page, query) {
  await page.fill(field, query);
  await page.waitForFunction(() => document.querySelector("#contents [role=status]").textContent.trim());
}
/** How many links of a kind are found. */
const count = (page, kind) => page.locator(`#contents [aria-labelledby="found-${kind}"] a`).count();

test("a shortcut leads to the field, arrow keys to what is found, Enter to the figure; Escape clears", () =>
  opened({}, async (page) => {
    await page.keyboard.press("Control+k");
    assert.ok(await page.locator(field).evaluate((it) => it === document.activeElement));
    assert.equal(await page.inputValue(field), "");
    assert.match(await page.getAttribute(field, "title"), /Ctrl/);
    await search(page, "perplex");
    assert.equal(await words(status(page)), "2 results");
    assert.match(await words(page.locator("#contents .found a").first()), /^perplexity ?How many equally likely/);
    assert.match(await words(page.locator("#contents .found a").last()), /^Learn it, then stretch it/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.match(await page.evaluate(() => document.activeElement.textContent), /Learn it/);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    assert.equal(await page.inputValue(field), "");
    assert.ok(await page.locator("#contents .part-title").first().isVisible());
    await search(page, "base θ");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "decay-title");
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("at") === "decay");
  }));

test("case and accents make no difference, parts of words are enough, and what is not there is told", () =>
  opened({}, async (page) => {
    await page.keyboard.press("Control+k");
    for (const query of ["ROPÉ", "rope"]) {
      await search(page, query);
      assert.ok((await count(page, "figure")) >= 4, query);
      assert.ok((await count(page, "term")) >= 2, query);
    }
    await search(page, "旋转位置");
    assert.match(await words(page.locator("#contents .found")), /RoPE/);
    await search(page, "five posts");
    assert.match(await page.locator("#contents .found a").getAttribute("href"), /checked\.html/);
    await search(page, "zebra");
    assert.equal(await words(status(page)), "Nothing found.");
    assert.equal(await page.locator("#contents .found a").count(), 0);
  }));

test("in Chinese: a part of a word, without spaces, and English names as well", () =>
  opened({ locale: "zh-CN" }, async (page) => {
    await page.keyboard.press("Control+k");
    await search(page, "困惑");
    assert.equal(await words(status(page)), "找到 2 条");
    assert.match(await words(page.locator("#contents .found")), /困惑度.*越低越好/);
    await search(page, "stays the same");
    assert.match(await words(page.locator("#contents .found")), /一起平移，得分不变/);
    await search(page, "斑马");
    assert.equal(await words(status(page)), "没有找到。");
  }));

test("what is needed to search is fetched when the field gets the focus, not before", async () => {
  const asked = [];
  const route = (target) => target.on("request", (request) => asked.push(request.url()));
  await opened({ route }, async (page) => {
    await page.waitForLoadState("networkidle");
    assert.deepEqual(
      asked.filter((url) => /(search|entries)/.test(url)),
      [],
    );
    await page.keyboard.press("Control+k");
    await search(page, "token");
    assert.equal(asked.filter((url) => /search-/.test(url)).length, 1);
  });
});

test("every term leads to a figure that is there", () =>
  opened({}, async (page) => {
    const sections = await page.locator("main section").evaluateAll((all) => all.map(({ id }) => id));
    await page.keyboard.press("Control+k");
    const links = new Map();
    // Letters of which each term has one.
    for (const letter of ["a", "e", "o", "p"]) {
      await search(page, letter);
      const found = await page
        .locator('#contents [aria-labelledby="found-term"] a')
        .evaluateAll((all) => all.map((link) => [link.textContent, new URLSearchParams(link.hash.slice(1)).get("at")]));
      for (const [name, at] of found) links.set(name, at);
    }
    assert.ok(links.size >= 28, `${links.size} terms`);
    for (const at of links.values()) assert.ok(sections.includes(at), at);
  }));

test("figures that the reader has been at are marked, not by colour alone, and the contents do not move for it", () =>
  opened({ width: 1600 }, async (page) => {
    const seen = () =>
      page
        .locator("#contents a:has(.seen)")
        .evaluateAll((all) => all.map((link) => new URLSearchParams(link.hash.slice(1)).get("at")));
    const size = () => page.locator("#contents .list").boundingBox();
    const here = (id) => page.waitForSelector(`#contents a[aria-current][href*="at=${id}"]`);
    const go = (id) => page.evaluate((to) => document.getElementById(to).scrollIntoView({ behavior: "instant" }), id);
    assert.deepEqual(await seen(), []);
    const before = await size();
    await here("problem");
    await go("heatmap");
    await here("heatmap");
    assert.deepEqual(await seen(), ["problem"]);
    await page.waitForSelector("#heatmap .tools");
    await go("problem");
    await here("problem");
    await settled(page);
    assert.deepEqual(await seen(), ["heatmap"]);
    const after = await size();
    assert.deepEqual([after.width, after.height], [before.width, before.height]);
    assert.match(await words(page.locator("#contents a:has(.seen)")), /✓ ?\(seen\)$/);
  }));
