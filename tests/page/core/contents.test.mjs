import { expect, link, redrawn, scrollTo, test } from "../fixtures.mjs";

// The contents: what is found in them, by keys alone and in both languages, and which figures the reader has been at.

test.use({ view: { ready: "#contents .unfold" } });
const field = "#contents input";
const status = (page) => page.locator("#contents [role=status]");

/** Types a query and waits until the status speaks of it. */
async function search(page, query) {
  await page.fill(field, query);
  await expect(status(page)).not.toHaveText("");
}
/** How many links of a kind are found. */
const count = (page, kind) => page.locator(`#contents [aria-labelledby="found-${kind}"] a`).count();

test("a shortcut leads to the field, arrows to results, Enter to the figure; Escape clears", async ({ page }) => {
  await page.keyboard.press("Control+k");
  await expect(page.locator(field)).toBeFocused();
  await expect(page.locator(field)).toHaveValue("");
  await expect(page.locator(field)).toHaveAttribute("title", /Ctrl/);
  await search(page, "perplex");
  await expect(status(page)).toHaveText("2 results");
  await expect(page.locator("#contents .found a").first()).toRead(/^perplexity ?How many equally likely/);
  await expect(page.locator("#contents .found a").last()).toRead(/^Extrapolation measured/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.evaluate(() => document.activeElement.textContent)).toMatch(/Extrapolation measured/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Escape");
  await expect(page.locator(field)).toHaveValue("");
  await expect(page.locator("#contents .part-title").first()).toBeVisible();
  await search(page, "rope_theta");
  await page.keyboard.press("Enter");
  await expect(page.locator("#waves-title")).toBeFocused();
  await expect.poll(() => link(page)).toMatchObject({ at: "waves" });
});

/** The figures that are found, by their links. */
const figures = (page) =>
  page
    .locator('#contents [aria-labelledby="found-figure"] a')
    .evaluateAll((all) => all.map((link) => new URLSearchParams(link.hash.slice(1)).get("at")));

/** What readers type, and a figure that answers it, or "" where any result will do. */
const QUERIES = {
  "": "theta base 10000 cosine concatenate value extrapolation Llama NoPE 词嵌入 注意力分数 长度外推 相对位置编码 why FoX FIRE Shaw layout GPT-2 移植 为什么用正弦 为什么是_10000 投影矩阵 不旋转值 long_context",
  mix: "why_add 为什么不拼接",
  codes: "why_sines",
  waves: "why_10000",
  rope: "learned_W_q not_values",
  context: "training_length",
  models: "what_KV_cache_holds Llama_3",
  patches: "2D 二维",
  config: "bug",
  pairs: "布局",
};

test("what readers type is found: parts of words, without case or accents, in both languages", async ({ page }) => {
  await page.keyboard.press("Control+k");
  for (const [figure, queries] of Object.entries(QUERIES))
    for (const query of queries.split(" ").map((each) => each.replaceAll("_", " "))) {
      await page.fill(field, query);
      await expect(status(page), query).toRead(/^[1-9]/);
      if (figure) await expect.poll(() => figures(page), query).toContain(figure);
      await page.fill(field, "");
      await expect(status(page)).toHaveText("");
    }
  for (const query of ["ROPÉ", "rope"]) {
    await search(page, query);
    expect(await count(page, "figure"), query).toBeGreaterThanOrEqual(4);
    expect(await count(page, "term"), query).toBeGreaterThanOrEqual(2);
  }
  for (const [query, other] of [
    ["five posts", /checked\.html/],
    ["bugs", /tools\.html/],
  ]) {
    await search(page, query);
    await expect(page.locator('#contents [aria-labelledby="found-page"] a')).toHaveAttribute("href", other);
  }
  await search(page, "zebra");
  await expect(status(page)).toHaveText("Nothing found.");
  await expect(page.locator("#contents .found a")).toHaveCount(0);
});

test("in Chinese: a part of a word, without spaces, and English names as well", async ({ open }) => {
  const page = await open({ locale: "zh-CN" });
  await page.keyboard.press("Control+k");
  await search(page, "困惑");
  await expect(status(page)).toHaveText("找到 2 条");
  await expect(page.locator("#contents .found")).toRead(/困惑度.*越低越好/);
  await search(page, "turn instead");
  await expect(page.locator("#contents .found")).toRead(/不加，而转/);
  await search(page, "斑马");
  await expect(status(page)).toHaveText("没有找到。");
});

test("what is needed to search is fetched when the field gets the focus, not before", async ({ open }) => {
  const asked = [];
  const route = (target) => target.on("request", (request) => asked.push(request.url()));
  const page = await open({ route });
  await page.waitForLoadState("networkidle");
  expect(asked.filter((url) => /(search|entries)/.test(url))).toEqual([]);
  await page.keyboard.press("Control+k");
  await search(page, "token");
  expect(asked.filter((url) => /search-/.test(url)).length).toBe(1);
});

test("every term leads to a figure that is there", async ({ page }) => {
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
  expect(links.size).toBeGreaterThanOrEqual(28);
  for (const at of links.values()) expect(sections, at).toContain(at);
});

test("visited figures are marked, not by colour alone, and nothing moves", async ({ open }) => {
  const page = await open({ width: 1600 });
  const seen = () =>
    page
      .locator("#contents a:has(.seen)")
      .evaluateAll((all) => all.map((link) => new URLSearchParams(link.hash.slice(1)).get("at")));
  const size = () => page.locator("#contents .list").boundingBox();
  const here = (id) => page.waitForSelector(`#contents a[aria-current][href*="at=${id}"]`);
  const go = (id) => scrollTo(page, id);
  await expect.poll(seen).toEqual([]);
  const before = await size();
  await here("problem");
  await go("heatmap");
  await here("heatmap");
  await expect.poll(seen).toEqual(["problem"]);
  await page.waitForSelector("#heatmap .tools");
  await go("problem");
  await here("problem");
  await redrawn(page);
  await expect.poll(seen).toEqual(["heatmap"]);
  const after = await size();
  expect([after.width, after.height]).toEqual([before.width, before.height]);
  await expect(page.locator("#contents a:has(.seen)")).toRead(/✓ ?\(seen\)$/);
});
