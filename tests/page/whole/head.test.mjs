import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { excess, expect, fromMenu, test } from "../fixtures.mjs";

// The pages are read without their scripts, too: by readers, search engines and those with whom a link is shared.

const built = fileURLToPath(new URL("../../../build/page/", import.meta.url));

test("every page has a title and a description for previews", () => {
  for (const name of ["index", "checked", "tools"]) {
    const html = readFileSync(`${built}${name}.html`, "utf8");
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
  const { width, height } = await page.getByAltText(/Sine waves/).boundingBox();
  expect(width > 250 && width <= 328, `${width} x ${height}`).toBeTruthy();
  expect(await excess(page)).toBeLessThanOrEqual(0);
});

test("a figure's copied link leads to it as it was, in its language; the footer leads to the papers", async ({
  open,
}) => {
  const page = await open({
    hash: "#n=50",
    locale: "zh-CN",
    ready: "heatmap",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await fromMenu(page, "heatmap", "link");
  await page.waitForSelector('#heatmap [data-tool="link"]:has-text("已复制")');
  const { pathname, hash } = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(pathname).toBe(new URL(page.url()).pathname);
  expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toEqual({ at: "heatmap", lang: "zh", n: "50" });
  await page.waitForSelector("footer li a");
  const addresses = await page.locator("footer li a").evaluateAll((all) => all.map(({ href }) => href));
  expect(new Set(addresses).size).toBe(7);
  for (const address of addresses) expect(address).toMatch(/^https:\/\/arxiv\.org\/abs\/\d{4}\.\d{5}$/);
});
