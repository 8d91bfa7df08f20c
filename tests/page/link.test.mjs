import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { allDrawn, pageTests, settled, words } from "./browser.mjs";
import { everything } from "./every-panel.mjs";

// State, language and theme: kept in the link, chosen by the browser, safe against bad links.

const { onPage } = pageTests();

const language = (page) => page.evaluate(() => document.documentElement.lang);
const link = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
const written = (page, key) =>
  page.waitForFunction((name) => new URLSearchParams(location.hash.slice(1)).has(name), key);

test("the browser's languages choose the page's", async () => {
  for (const [locale, expected, title] of [
    ["en-GB", "en", /browser/],
    ["zh-CN", "zh-CN", /浏览器/],
    ["zh-TW", "zh-CN", /浏览器/],
    ["de-DE", "en", /browser/],
  ]) {
    await onPage({ locale }, async (page) => {
      assert.equal(await language(page), expected);
      assert.match(await page.title(), title);
    });
  }
});

test("a chosen language and theme stay in the link and win over the browser", () =>
  onPage({ locale: "zh-CN" }, async (page) => {
    await page.click('[data-choice="en"]');
    await page.click('[data-choice="dark"]');
    await written(page, "theme");
    assert.deepEqual(await link(page), { lang: "en", theme: "dark" });
    await page.reload();
    await allDrawn(page);
    assert.equal(await language(page), "en");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
    assert.ok(red < 60, "dark paper");
  }));

/** The rows that links of the page hold, from their source. */
async function linkedRows() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../web/src/panels/index.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    write: false,
  });
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  return module.linkedRows;
}

test("every piece of state has a key of its own, and one of these values that is not its default", async () => {
  const rows = (await linkedRows()).filter(({ key }) => key !== "at");
  assert.deepEqual(rows.map(({ key }) => key).sort(), Object.keys(everything).sort());
  for (const { key, parse, format, initial } of rows) {
    assert.equal(format(parse(everything[key])), everything[key], key);
    assert.notEqual(format(initial), everything[key], key);
  }
});

test("every piece of state goes through the link and comes back", () =>
  onPage({ hash: `#${new URLSearchParams(everything)}` }, async (page) => {
    // A change makes the page write its link anew, from the state alone.
    await page.fill("#row-length", "301");
    await page.waitForFunction(() => location.hash.includes("n=301"));
    assert.deepEqual(await link(page), { ...everything, n: "301" });
    assert.equal(await page.inputValue("#order-sentence"), everything.text);
    assert.equal(await page.inputValue("#row-base"), "500.5");
    assert.equal(await page.inputValue("#angle-2"), "180");
  }));

test("bad values in the link fall back to the defaults", () =>
  onPage(
    {
      hash: "#lang=xx&theme=9&n=1e9&d=2.5&base=-1&order=toString&offset=&p=NaN&k=-1&source=D&wd=0&x=1,2&angles=1,2,x&shift=Infinity&wq=1,2,3,4,5&at=nowhere&new=1",
    },
    async (page) => {
      assert.equal(await language(page), "en");
      assert.equal(await page.inputValue("#row-length"), "128");
      assert.equal(await page.inputValue("#row-dim"), "128");
      assert.equal(await page.inputValue("#row-base"), "10000");
      assert.equal(await page.inputValue("#angle-0"), "10");
      assert.equal(await page.locator("#sum tbody tr").count(), 6);
      assert.match(await words(page.locator("#heatmap .equation")), /^PE\(3, 4\)/);
      await page.fill("#row-dim", "64");
      await page.waitForFunction(() => location.hash === "#d=64");
    },
  ));

test("a link pasted into the open page is followed", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    await page.evaluate(() => {
      location.hash = "#n=50&p=49&k=0";
    });
    await page.waitForFunction(() =>
      document.querySelector("#heatmap .equation").textContent.trim().startsWith("PE(49, 0)"),
    );
    assert.equal(await page.inputValue("#row-length"), "50");
  }));

test("number boxes refuse what is out of range and return to the last good number", () =>
  onPage({}, async (page) => {
    const box = page.locator("#row-length");
    await box.fill("5000");
    assert.equal(await box.getAttribute("aria-invalid"), "true");
    await box.blur();
    await settled(page);
    assert.equal(await box.inputValue(), "128");
    assert.equal(await box.getAttribute("aria-invalid"), null);
    await box.fill("2048");
    await settled(page);
    assert.match(await words(page.locator("#heatmap-caption")), /^2048 positions/);
  }));

test("a slider moves in whole steps by keys, from the smallest value on", () =>
  onPage({ hash: "#n=1" }, async (page) => {
    await page.locator('#heatmap input[type="range"]').first().focus();
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.equal(await page.inputValue("#row-length"), "2");
  }));

test("what the library refuses is told in a sentence, and the page recovers", () =>
  onPage({ hash: "#base=0.01&exponent=double-stepped&d=512&offset=2147483648" }, async (page) => {
    const problem = page.locator("#heatmap .problem");
    const refused = await words(problem);
    if (refused) assert.match(refused, /^Invalid input: .+; expected .+\.$/);
    await page.click('#heatmap [data-tool="reset"]');
    await settled(page);
    assert.equal(await words(problem), "");
    assert.match(await words(page.locator("#heatmap .equation")), /^PE\(3, 4\)/);
  }));
