import { axeFaults, excess, expect, inBothThemes, test, words } from "../fixtures.mjs";

// Terms in the figures' texts are explained on hover, focus and tap, as WCAG 1.4.13 asks.

const tip = (page) => page.locator("#term-tip");
const explained = (page) => page.waitForSelector("#term-tip");
const gone = (page) => page.waitForSelector("#term-tip", { state: "detached" });
const term = (page, name) => page.locator(`#rope [data-term="${name}"]`);

/** The explanation's box, which does not cover the term's. */
async function beside(page, name) {
  const [word, said] = await Promise.all([term(page, name).boundingBox(), tip(page).boundingBox()]);
  expect(said.y >= word.y + word.height || said.y + said.height <= word.y, `it covers ${name}`).toBeTruthy();
  return said;
}

test("on hover it stays under the pointer; on focus it is heard, and Escape dismisses it", async ({ open }) => {
  const page = await open({ ready: "rope" });
  await term(page, "key").hover();
  await explained(page);
  const said = await beside(page, "key");
  await page.mouse.move(said.x + said.width / 2, said.y + said.height / 2, { steps: 8 });
  // Longer than it stays without the pointer.
  await page.waitForTimeout(800);
  await expect(tip(page)).toRead(/^The vector that a token offers/);
  await page.locator("#rope .rope-plane").hover();
  await gone(page);
  // Between the heading's own link and it is the term before.
  await page.locator('#rope [data-term="token"]').focus();
  await page.keyboard.press("Tab");
  await explained(page);
  await expect(term(page, "key")).toBeFocused();
  await expect(term(page, "key")).toHaveAttribute("aria-describedby", "term-tip");
  await expect(tip(page)).toHaveAttribute("role", "tooltip");
  await page.keyboard.press("Escape");
  await gone(page);
  await expect(term(page, "key")).toBeFocused();
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
    const said = await beside(page, name);
    expect(said.x >= 0 && said.x + said.width <= 320, `${name}: from ${said.x}, ${said.width} wide`).toBeTruthy();
    await expect.poll(() => excess(page)).toBe(0);
    await page.locator("#rope-title").tap();
    await gone(page);
  }
});

for (const lang of ["en", "zh"])
  test(`every figure marks three terms at most, none twice, all explained: ${lang} @all`, async ({ open }) => {
    const page = await open(`#lang=${lang}`);
    const seen = new Set();
    for (const section of await page.locator("main section").all()) {
      const names = await section.locator(".term").evaluateAll((all) => all.map(({ dataset }) => dataset.term));
      expect([names.length <= 3, new Set(names).size], `${names}`).toEqual([true, names.length]);
      for (const name of names.filter((each) => !seen.has(each))) {
        seen.add(name);
        const word = section.locator(`[data-term="${name}"]`);
        await word.evaluate((shown) => shown.focus());
        await expect(word).toHaveAttribute("aria-describedby");
        // An explanation is in the language of the page.
        const said = await words(tip(page));
        expect(said.length, name).toBeGreaterThan(10);
        expect(/\p{sc=Han}/u.test(said), `${name}: ${said}`).toBe(lang === "zh");
      }
    }
    expect(seen.size).toBeGreaterThanOrEqual(20);
    await inBothThemes(page, async (theme) => expect(await axeFaults(page, "#term-tip"), theme).toEqual([]));
  });
