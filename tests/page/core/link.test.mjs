import { allDrawn, expect, follow, link, redrawn, test, words } from "../fixtures.mjs";
import { fromSource } from "../from-source.mjs";
import { everything } from "../panels/states.mjs";

// State, language and theme: kept in the link, chosen by the browser, safe against bad links.

test.use({ view: { ready: "heatmap" } });

const root = (page) => page.locator("html");

test("the browser's languages choose the page's @all", async ({ open }) => {
  for (const [locale, expected, title] of [
    ["zh-TW", "zh-CN", /浏览器/],
    ["de-DE", "en", /browser/],
  ]) {
    const page = await open({ locale, ready: "problem" });
    await expect(root(page)).toHaveAttribute("lang", expected);
    await expect(page).toHaveTitle(title);
  }
});

test("a chosen language and theme stay in the link and win over the browser", async ({ open }) => {
  const page = await open({ locale: "zh-CN" });
  await page.click('[data-choice="en"]');
  await page.click('[data-choice="dark"]');
  await expect.poll(() => link(page)).toEqual({ lang: "en", theme: "dark" });
  await page.reload();
  await allDrawn(page, "heatmap");
  await expect(root(page)).toHaveAttribute("lang", "en");
  await expect(root(page)).toHaveAttribute("data-theme", "dark");
  const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  expect(red, "dark paper").toBeLessThan(60);
});

test("every piece of state has a key of its own, and one of these values that is not its default", async () => {
  const { linkedRows } = await fromSource("panels", `export { linkedRows } from "./index";`);
  const rows = linkedRows.filter(({ key }) => key !== "at");
  expect(rows.map(({ key }) => key).sort()).toEqual(Object.keys(everything).sort());
  for (const { key, parse, format, initial } of rows) {
    expect(format(parse(everything[key])), key).toBe(everything[key]);
    expect(format(initial), key).not.toBe(everything[key]);
  }
});

test("every piece of state goes through the link and back; bad values are the defaults", async ({ open }) => {
  const page = await open({ hash: `#${new URLSearchParams(everything)}`, ready: true });
  const has = async (values) => {
    for (const [id, value] of Object.entries(values)) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded(); // what is out of sight is drawn when it comes
      await expect(page.locator(`#${id}`)).toHaveValue(value);
    }
  };
  // A change makes the page write its link anew, from the state alone.
  await page.fill("#row-length", "301");
  await expect.poll(() => link(page)).toEqual({ ...everything, n: "301" });
  await has({ "sum-sentence": everything.text, "row-base": "500.5", "angle-2": "180" });
  // A link pasted into the open page is followed.
  await follow(
    page,
    "#lang=xx&theme=9&n=1e9&d=2.5&base=-1&order=toString&offset=&p=NaN&k=-1&source=D&wd=0&x=1,2&angles=1,2,x&shift=Infinity&wq=1,2,3,4,5&at=nowhere&new=1",
  );
  await expect(root(page)).toHaveAttribute("lang", "en");
  await has({ "row-length": "128", "row-dim": "128", "row-base": "10000", "angle-0": "10" });
  await page.locator("#heatmap").scrollIntoViewIfNeeded();
  await expect(page.locator("#heatmap .equation")).toRead(/^PE\(1, 4\)/);
  await page.fill("#row-dim", "64");
  await expect.poll(() => page.evaluate(() => location.hash)).toBe("#d=64");
});

test("number boxes return to the last good number; sliders move in whole steps", async ({ page }) => {
  const box = page.locator("#row-length");
  await box.fill("5000");
  await expect(box).toHaveAttribute("aria-invalid", "true");
  await box.blur();
  await expect(box).toHaveValue("128");
  await expect(box).not.toHaveAttribute("aria-invalid");
  await box.fill("2048");
  await expect(page.locator("#heatmap-caption")).toRead(/^2048 positions/);
  await box.fill("1");
  await page.locator('#heatmap input[type="range"]').first().press("ArrowRight");
  await expect(box).toHaveValue("2");
});

test("what the library refuses is a sentence, and the page recovers", async ({ open }) => {
  const page = await open("#preset=whisper&d=7");
  const problem = page.locator("#heatmap .problem");
  expect(await words(problem)).toMatch(/^Invalid input: .+; expected .+\.$/);
  await page.click('#heatmap [data-tool="reset"]');
  await redrawn(page);
  await expect(problem).toHaveText("");
  await expect(page.locator("#heatmap .equation")).toRead(/^PE\(1, 4\)/);
});
