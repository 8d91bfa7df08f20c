import { allDrawn, expect, follow, link, test } from "../fixtures.mjs";
import { fromSource } from "../from-source.mjs";
import { everything } from "../panels/states.mjs";

// State, language and theme: kept in the link, chosen by the browser, safe against bad links.

test.use({ view: { ready: "waves" } });

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
  await allDrawn(page, "waves");
  await expect(root(page)).toHaveAttribute("lang", "en");
  await expect(root(page)).toHaveAttribute("data-theme", "dark");
  const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  expect(red, "dark paper").toBeLessThan(60);
});

test("every piece of state has a key of its own, and one of these values that is not its default", async () => {
  // The default of the sentence is that of the reader's language.
  globalThis.navigator ??= { languages: ["en"] };
  const { linkedRows } = await fromSource("panels", `export { linkedRows } from "./index";`);
  const rows = linkedRows.filter(({ key }) => key !== "at" && key !== "slide");
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
  await page.fill("#row-waveLength", "301");
  await expect.poll(() => link(page)).toEqual({ ...everything, wn: "301" });
  await has({ "row-waveBase": "777", "angle-2": "180" });
  // A link pasted into the open page is followed.
  await follow(
    page,
    "#lang=xx&theme=9&wn=1e9&wdim=2.5&wbase=-1&rel=toString&f=&p=NaN&cn=-1&by=D&x=1,2&angles=1,2,x&shift=Infinity&wq=1,2,3,4,5&at=nowhere&new=1",
  );
  await expect(root(page)).toHaveAttribute("lang", "en");
  await has({ "row-waveLength": "64", "row-waveDim": "32", "row-waveBase": "10000", "angle-0": "10" });
  await page.locator("#waves").scrollIntoViewIfNeeded();
  await expect(page.locator("#waves .equation")).toRead(/^p·ω = 1 \//);
  await page.fill("#row-waveDim", "64");
  await expect.poll(() => page.evaluate(() => location.hash)).toBe("#wdim=64");
});

test("number boxes say their range and return to the last good number; sliders move in whole steps", async ({
  page,
}) => {
  const box = page.locator("#row-codesLength");
  await box.fill("5000");
  await expect(box).toHaveAttribute("aria-invalid", "true");
  await expect(box).toHaveAttribute("title", "A whole number from 4 to 32");
  await box.blur();
  await expect(box).toHaveValue("16");
  await expect(box).not.toHaveAttribute("aria-invalid");
  expect(await box.evaluate(({ validationMessage }) => validationMessage)).toBe("A whole number from 4 to 32");
  await box.fill("20");
  expect(await box.evaluate(({ validationMessage }) => validationMessage)).toBe("");
  const slider = page.locator('#codes input[type="range"]').first();
  await expect(slider).toHaveValue("20");
  await slider.press("ArrowRight");
  await expect(box).toHaveValue("21");
});

/** Names of figures that are no more, and what has replaced them. */
const REPLACED = {
  order: "problem",
  heatmap: "waves",
  sum: "mix",
  absolute: "similarity",
  score: "derive",
  models: "choose",
  methods: "choose",
};

test("links of earlier editions lead to what has replaced their figures, on whatever page it is", async ({ open }) => {
  const page = await open({ ready: "problem" });
  const home = new URL("./", page.url()).href;
  for (const [old, id] of Object.entries(REPLACED)) {
    await page.goto(`about:blank`);
    await page.goto(`${home}#at=${old}`);
    await expect(page.locator(`#${id}-title`), old).toBeFocused();
  }
  for (const [id, path] of Object.entries({ lab: "more.html", precision: "tools.html" })) {
    await page.goto(`about:blank`);
    await page.goto(`${home}#at=${id}&theme=dark`);
    await page.waitForURL((url) => url.href.startsWith(`${home}${path}#`));
    await expect(page.locator(`#${id}-title`)).toBeFocused();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  }
});
