import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { allDrawn, expect, follow, link, redrawn, test, words } from "../fixtures.mjs";
import { everything } from "../panels/states.mjs";

// State, language and theme: kept in the link, chosen by the browser, safe against bad links.

test.use({ view: { ready: "heatmap" } });

const language = (page) => page.evaluate(() => document.documentElement.lang);

test("the browser's languages choose the page's @all", async ({ open }) => {
  for (const [locale, expected, title] of [
    ["en-GB", "en", /browser/],
    ["zh-CN", "zh-CN", /浏览器/],
    ["zh-TW", "zh-CN", /浏览器/],
    ["de-DE", "en", /browser/],
  ]) {
    const page = await open({ locale });
    await expect.poll(() => language(page)).toBe(expected);
    await expect.poll(() => page.title()).toMatch(title);
  }
});

test("a chosen language and theme stay in the link and win over the browser", async ({ open }) => {
  const page = await open({ locale: "zh-CN" });
  await page.click('[data-choice="en"]');
  await page.click('[data-choice="dark"]');
  await expect.poll(() => link(page)).toEqual({ lang: "en", theme: "dark" });
  await page.reload();
  await allDrawn(page, "heatmap");
  await expect.poll(() => language(page)).toBe("en");
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  expect(red, "dark paper").toBeLessThan(60);
});

/** The rows that links of the page hold, from their source. */
async function linkedRows() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../../web/src/panels/index.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    write: false,
  });
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  return module.linkedRows;
}

test("every piece of state has a key of its own, and one of these values that is not its default", async () => {
  const rows = (await linkedRows()).filter(({ key }) => key !== "at");
  expect(rows.map(({ key }) => key).sort()).toEqual(Object.keys(everything).sort());
  for (const { key, parse, format, initial } of rows) {
    expect(format(parse(everything[key])), key).toBe(everything[key]);
    expect(format(initial), key).not.toBe(everything[key]);
  }
});

test("every piece of state goes through the link and comes back", async ({ open }) => {
  const page = await open({ hash: `#${new URLSearchParams(everything)}`, ready: true });
  // A change makes the page write its link anew, from the state alone.
  await page.fill("#row-length", "301");
  await expect(page).toHaveURL(/n=301/);
  await expect.poll(() => link(page)).toEqual({ ...everything, n: "301" });
  await expect(page.locator("#sum-sentence")).toHaveValue(everything.text);
  await expect(page.locator("#row-base")).toHaveValue("500.5");
  await expect(page.locator("#angle-2")).toHaveValue("180");
});

test("bad values in the link fall back to the defaults @all", async ({ open }) => {
  const page = await open({
    hash: "#lang=xx&theme=9&n=1e9&d=2.5&base=-1&order=toString&offset=&p=NaN&k=-1&source=D&wd=0&x=1,2&angles=1,2,x&shift=Infinity&wq=1,2,3,4,5&at=nowhere&new=1",
    ready: true,
  });
  await expect.poll(() => language(page)).toBe("en");
  await expect(page.locator("#row-length")).toHaveValue("128");
  await expect(page.locator("#row-dim")).toHaveValue("128");
  await expect(page.locator("#row-base")).toHaveValue("10000");
  await expect(page.locator("#angle-0")).toHaveValue("10");
  await expect(page.locator("#sum tbody tr")).toHaveCount(6);
  await expect(page.locator("#heatmap .equation")).toRead(/^PE\(1, 4\)/);
  await page.fill("#row-dim", "64");
  await expect.poll(() => page.evaluate(() => location.hash)).toBe("#d=64");
});

test("a link pasted into the open page is followed", async ({ open }) => {
  const page = await open();
  await follow(page, "#n=50&p=49&k=0");
  await expect(page.locator("#heatmap .equation")).toRead(/^PE\(49, 0\)/);
  await expect(page.locator("#row-length")).toHaveValue("50");
});

test("number boxes refuse what is out of range and return to the last good number", async ({ page }) => {
  const box = page.locator("#row-length");
  await box.fill("5000");
  await expect(box).toHaveAttribute("aria-invalid", "true");
  await box.blur();
  await expect(box).toHaveValue("128");
  await expect(box).not.toHaveAttribute("aria-invalid");
  await box.fill("2048");
  await expect(page.locator("#heatmap-caption")).toRead(/^2048 positions/);
});

test("a slider moves in whole steps by keys, from the smallest value on", async ({ open }) => {
  const page = await open("#n=1");
  await page.locator('#heatmap input[type="range"]').first().focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("#row-length")).toHaveValue("2");
});

test("what the library refuses is a sentence, and the page recovers", async ({ open }) => {
  const page = await open("#base=0.01&exponent=double-stepped&d=512&offset=2147483648");
  const problem = page.locator("#heatmap .problem");
  const refused = await words(problem);
  if (refused) expect(refused).toMatch(/^Invalid input: .+; expected .+\.$/);
  await page.click('#heatmap [data-tool="reset"]');
  await redrawn(page);
  await expect(problem).toHaveText("");
  await expect(page.locator("#heatmap .equation")).toRead(/^PE\(1, 4\)/);
});
