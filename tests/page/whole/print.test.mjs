import { allDrawn, expect, redrawn, test } from "../fixtures.mjs";

// On paper: every figure, at once after the page has loaded, without what only a screen is for.

async function pages(page) {
  const file = await page.pdf({ format: "A4" });
  return file.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
}

test("the page is printed as a whole right after it has loaded @all", async ({ open }) => {
  const page = await open({ ready: "#contents .unfold" });
  // The script of the last figure is fetched once the reader has stirred and the page is idle.
  await page.keyboard.press("Shift");
  await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => /\/choose-/.test(name)));
  expect(await page.locator("section.waiting").count(), "figures far below are still to be drawn").toBeGreaterThan(0);
  const first = await pages(page);
  await expect(page.locator("section.waiting")).toHaveCount(0);
  await allDrawn(page);
  expect(first).toBeGreaterThan(8);
  // A result that was still being computed may take another page.
  expect(Math.abs((await pages(page)) - first)).toBeLessThanOrEqual(1);
});

test("on paper: no controls, nothing cut, headings on the page of their figure @all", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  // A4 within margins.
  await page.setViewportSize({ width: 718, height: 1000 });
  await redrawn(page);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const { wrong, choices, kept } = await page.evaluate(() => {
    const visible = (selector) =>
      [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    const cut = visible("table, svg, canvas").filter((part) => part.getBoundingClientRect().right > innerWidth + 1);
    // Terms are words of the text.
    const controls = visible("main :is(button:not(.term), input, select, textarea)");
    return {
      wrong: [...cut, ...controls].map((part) => `${part.closest("section")?.id}: ${part.outerHTML.slice(0, 80)}`),
      choices: visible(".segments").map(
        (choice) => [...choice.querySelectorAll("span")].filter((each) => each.checkVisibility()).length,
      ),
      kept: visible("section > .prose:first-child, h1, h2, h3").map((part) => getComputedStyle(part).breakAfter),
    };
  });
  expect(wrong).toEqual([]);
  expect([...new Set(choices)], "of a choice what is chosen").toEqual([1]);
  expect(kept.length).toBeGreaterThan(20);
  expect([...new Set(kept)]).toEqual(["avoid"]);
});
