import { axeFaults, excess, expect, follow, redrawn, test, words } from "../fixtures.mjs";

// Terms in the figures' texts are explained on hover, focus and tap, as WCAG 1.4.13 asks.

const tip = (page) => page.locator("#term-tip");
const explained = (page) => page.waitForSelector("#term-tip");
const gone = (page) => page.waitForSelector("#term-tip", { state: "detached" });
const term = (page, name) => page.locator(`#rope [data-term="${name}"]`);

/** The boxes of a term and of its explanation. */
async function boxes(page, name) {
  const [word, said] = await Promise.all([term(page, name).boundingBox(), tip(page).boundingBox()]);
  return { word, said };
}

test("on hover: it stays while the pointer is on it, and closes when the pointer leaves", async ({ open }) => {
  const page = await open({ ready: "rope" });
  await term(page, "key").hover();
  await explained(page);
  await expect(tip(page)).toRead(/^The vector that a token offers/);
  const { word, said } = await boxes(page, "key");
  expect(said.y >= word.y + word.height || said.y + said.height <= word.y, "it covers the term").toBeTruthy();
  await page.mouse.move(said.x + said.width / 2, said.y + said.height / 2, { steps: 8 });
  // Longer than it stays without the pointer.
  await page.waitForTimeout(800);
  await expect(tip(page)).toHaveCount(1);
  await page.locator("#rope .rope-plane").hover();
  await gone(page);
});

test("on focus: a screen reader hears it, Escape dismisses it and leaves the focus, Tab goes on", async ({ open }) => {
  const page = await open({ ready: "rope" });
  // The heading's own link comes before it.
  await page.locator("#rope .prose a").first().focus();
  await page.keyboard.press("Tab");
  await explained(page);
  await expect.poll(() => page.evaluate(() => document.activeElement.dataset.term)).toBe("key");
  await expect(term(page, "key")).toHaveAttribute("aria-describedby", "term-tip");
  await expect(tip(page)).toHaveAttribute("role", "tooltip");
  await page.keyboard.press("Escape");
  await gone(page);
  await expect.poll(() => page.evaluate(() => document.activeElement.dataset.term)).toBe("key");
  await expect(term(page, "key")).not.toHaveAttribute("aria-describedby");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await explained(page);
  await page.keyboard.press("Tab");
  await gone(page);
});

test("by a tap, at 320 px: within the screen, and closed by a tap elsewhere", async ({ open }) => {
  const page = await open({ ready: "rope", width: 320, hash: "#lang=zh", hasTouch: true });
  for (const name of ["key", "value"]) {
    await term(page, name).tap();
    await explained(page);
    const { word, said } = await boxes(page, name);
    expect(said.x >= 0 && said.x + said.width <= 320, `${name}: from ${said.x}, ${said.width} wide`).toBeTruthy();
    expect(said.y >= word.y + word.height || said.y + said.height <= word.y, `${name}: covered`).toBeTruthy();
    await expect.poll(() => excess(page)).toBe(0);
    await page.locator("#rope-title").tap();
    await gone(page);
  }
});

for (const lang of ["en", "zh"])
  test(`every figure marks three terms at most, none twice, all of them explained: ${lang} @all`, async ({ open }) => {
    const page = await open(`#lang=${lang}`);
    const figures = await page
      .locator("main section")
      .evaluateAll((all) =>
        all.map((section) => [section.id, [...section.querySelectorAll(".term")].map(({ dataset }) => dataset.term)]),
      );
    const terms = figures.flatMap(([, all]) => all);
    expect(new Set(terms).size).toBeGreaterThanOrEqual(20);
    for (const [id, all] of figures) {
      expect(all.length, `${id}: ${all}`).toBeLessThanOrEqual(3);
      expect(new Set(all).size, `${id}: ${all}`).toBe(all.length);
    }
    // An explanation is in the language of the page.
    const seen = new Set();
    for (const [id, all] of figures)
      for (const name of all.filter((each) => !seen.has(each))) {
        seen.add(name);
        await page.locator(`#${id} [data-term="${name}"]`).evaluate((word) => word.focus());
        await expect(page.locator(`#${id} [data-term="${name}"]`)).toHaveAttribute("aria-describedby");
        const said = await words(tip(page));
        expect(said.length, name).toBeGreaterThan(10);
        expect(/\p{sc=Han}/u.test(said), `${name}: ${said}`).toBe(lang === "zh");
      }
  });

test("axe finds nothing while it is open, in both themes and languages; nothing moves @all", async ({ open }) => {
  const page = await open({ ready: "rope" });
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  for (const [lang, theme] of [
    ["en", "light"],
    ["zh", "dark"],
  ]) {
    await follow(page, `#lang=${lang}&theme=${theme}`);
    await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${lang}`));
    await redrawn(page);
    const before = await height();
    await term(page, "key").focus();
    await explained(page);
    expect(await height()).toBe(before);
    expect(await axeFaults(page), lang).toEqual([]);
    await page.keyboard.press("Escape");
    await gone(page);
  }
});
