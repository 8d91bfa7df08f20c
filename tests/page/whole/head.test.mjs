import { readFileSync } from "node:fs";
import { excess, expect, fromMenu, test } from "../fixtures.mjs";

// The pages are read without their scripts, too: by readers, search engines and those with whom a link is shared.

const read = (file) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");

test("every page has a title and a description for previews", () => {
  for (const name of ["index", "more", "tools", "checked"]) {
    const html = read(`build/page/${name}.html`);
    const [, title] = html.match(/<title>(.+?)<\/title>/);
    const [, description] = html.match(/<meta name="description" content="(.+?)"/);
    const meta = Object.fromEntries(
      [...html.matchAll(/<meta property="(.+?)" content="(.+?)"/g)].map(([, key, value]) => [key, value]),
    );
    expect(meta["og:title"]).toBe(title);
    expect(meta["og:description"]).toBe(description);
    expect(description).toMatch(/[\u4e00-\u9fff]/u);
    expect(meta["og:type"]).toBe("website");
    expect(meta["og:locale:alternate"]).toBe("zh_CN");
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image"');
  }
});

test("without JavaScript a reader is told what it is about in both languages, and sees a figure", async ({ open }) => {
  // Its scripts are refused, which counts as trouble.
  const page = await open({ mayFail: true, javaScriptEnabled: false, ready: false, width: 360 });
  await expect(page.locator("noscript h1")).toRead(/came first/);
  await expect(page.locator("noscript [lang=zh]")).toRead(/词的先后.*需要启用 JavaScript/);
  const { width, height } = await page.getByAltText(/sine waves/).boundingBox();
  expect(width > 250 && width <= 328, `${width} x ${height}`).toBeTruthy();
  expect(await excess(page)).toBeLessThanOrEqual(0);
});

test("a figure's copied link leads to it as it was, the footer to the papers", async ({ open }) => {
  const page = await open({
    hash: "#wn=50",
    locale: "zh-CN",
    ready: "waves",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await fromMenu(page, "waves", "link");
  await page.waitForSelector('#waves [data-tool="link"]:has-text("已复制")');
  const { pathname, hash } = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(pathname).toBe(new URL(page.url()).pathname);
  expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toEqual({ at: "waves", lang: "zh", wn: "50" });
  await page.waitForSelector("footer li a", { state: "attached" });
  const addresses = await page.locator("footer li a").evaluateAll((all) => all.map(({ href }) => href));
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const address of addresses)
    expect(address).toMatch(/^https:\/\/(?:arxiv\.org\/abs\/\d{4}\.\d{5}|kexue\.fm\/archives\/\d{4})$/);
  expect(addresses.length).toBe(19);
});

// How to cite the package: an entry for BibTeX, of the facts in CITATION.cff.
test("how to cite it is in the footer, with the package's facts, and copied as shown", async ({ open }) => {
  const page = await open({ locale: "zh-CN", ready: "problem", permissions: ["clipboard-read", "clipboard-write"] });
  const fold = page.locator("footer .cite summary");
  await expect(fold).toHaveText("引用 posenc");
  await expect(page.locator("#citation")).toBeHidden();
  await fold.press("Enter");
  await page.locator('[data-copy="citation"]').press("Enter");
  await expect(page.locator('[data-copy="citation"]')).toRead(/已复制/);
  const entry = await page.evaluate(() => navigator.clipboard.readText());
  expect(entry).toBe(await page.textContent("#citation"));
  const fields = [...entry.matchAll(/^ {2}(\w+) = \{(.*)\},?$/gm)].map(([, name, value]) => [name, value]);
  const { abstract, ...facts } = Object.fromEntries(fields);
  const { name, version, license } = JSON.parse(read("package.json"));
  expect(facts).toEqual({ author: "{The posenc authors}", title: name, version, license });
  for (const fact of ["The posenc authors", `version: ${version}`, `license: ${license}`, `abstract: ${abstract}`])
    expect(read("CITATION.cff"), fact).toContain(fact);
});
