import { expect, link, test } from "../fixtures.mjs";
import { panels } from "../panels/states.mjs";

// The contents: what is found in them, by keys alone and in both languages.

test.use({ view: { ready: "#contents .unfold" } });
const field = "#contents input";
const status = (page) => page.locator("#contents [role=status]");
const found = (page, kind) => page.locator(`#contents [aria-labelledby="found-${kind}"] a`);
/** The figures that links lead to. */
const figures = (links) =>
  links.evaluateAll((all) => all.map(({ hash }) => new URLSearchParams(hash.slice(1)).get("at")));

/** Types a query and waits until the status speaks of it. */
async function search(page, query) {
  await page.fill(field, "");
  await expect(status(page)).toHaveText("");
  await page.fill(field, query);
  await expect(status(page), query).not.toHaveText("");
}

test("a shortcut fetches the search, arrows lead to results, Enter to the figure", async ({ open }) => {
  const asked = [];
  const page = await open({ route: (target) => target.on("request", (request) => asked.push(request.url())) });
  await page.waitForLoadState("networkidle");
  expect(asked.filter((url) => /(search|entries)/.test(url))).toEqual([]);
  await page.keyboard.press("Control+k");
  await expect(page.locator(field)).toBeFocused();
  await expect(page.locator(field)).toHaveAttribute("title", /Ctrl/);
  await search(page, "perplex");
  expect(asked.filter((url) => /search-/.test(url)).length).toBe(1);
  await expect(status(page)).toHaveText("3 results");
  await expect(page.locator("#contents .found a").first()).toRead(/^perplexity ?Between how many equally likely/);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  await expect.poll(() => page.evaluate(() => document.activeElement.textContent)).toMatch(/Extrapolation measured/);
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "Escape"]) await page.keyboard.press(key);
  await expect(page.locator(field)).toHaveValue("");
  await search(page, "rope_theta");
  await page.keyboard.press("Enter");
  await expect(page.locator("#waves-title")).toBeFocused();
  await expect.poll(() => link(page)).toMatchObject({ at: "waves" });
});

/** What readers type, and a figure that answers it, or "" where any result will do. */
const QUERIES = {
  "": "theta base 10000 cosine concatenate Llama NoPE 词嵌入 长度外推 why FIRE layout 移植 为什么是_10000 基数 ROPÉ",
  mix: "why_add 为什么不拼接",
  waves: "why_10000",
  rope: "learned_W_q not_values",
  choose: "怎么选 哪个好 which",
  context: "上下文窗口 位置内插",
  derive: "苏剑林 推导",
  problem: "attention_is_all_you_need",
  patches: "2D 二维",
  config: "bug",
};

test("what readers type is found: parts of words, without case or accents, in both languages", async ({ page }) => {
  await page.keyboard.press("Control+k");
  for (const [figure, queries] of Object.entries(QUERIES))
    for (const query of queries.split(" ").map((each) => each.replaceAll("_", " "))) {
      await search(page, query);
      await expect(status(page), query).toRead(/^[1-9]/);
      if (figure) expect(await figures(found(page, "figure")), query).toContain(figure);
    }
  await search(page, "posts");
  await expect(found(page, "page")).toHaveAttribute("href", /checked\.html/);
  // Most terms have this letter: every one leads to a figure.
  await search(page, "e");
  for (const id of await figures(found(page, "term"))) expect(Object.keys(panels), id).toContain(id);
  await search(page, "zebra");
  await expect(status(page)).toHaveText("Nothing found.");
  await page.click('[data-choice="zh"]');
  await search(page, "困惑");
  await expect(status(page)).toHaveText("找到 3 条");
  await search(page, "derived");
  await expect(page.locator("#contents .found")).toRead(/推导 RoPE/);
});
