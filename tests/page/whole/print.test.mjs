import { allDrawn, expect, redrawn, test } from "../fixtures.mjs";

// On paper: every figure, at once after the page has loaded, without what only a screen is for.

async function pages(page) {
  const file = await page.pdf({ format: "A4" });
  return file.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
}

/** Waits until the script of the last figure has been fetched, which the page does once it is idle. */
const loaded = (page) =>
  expect
    .poll(() =>
      page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => /\/config-/.test(name))),
    )
    .toBe(true);

test("the page is printed as a whole right after it has loaded @all", async ({ open }) => {
  const page = await open({ ready: false });
  await loaded(page);
  const waiting = await page.evaluate(() => document.querySelectorAll("section.waiting").length);
  expect(waiting, "figures far below are still to be drawn").toBeGreaterThan(0);
  const first = await pages(page);
  await expect(page.locator("section.waiting")).toHaveCount(0);
  await allDrawn(page);
  expect(first).toBeGreaterThan(8);
  // A result that was still being computed may take another page.
  expect(Math.abs((await pages(page)) - first)).toBeLessThanOrEqual(1);
});

test("on paper there are no controls, and no table is cut @all", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  // A4 within margins.
  await page.setViewportSize({ width: 718, height: 1000 });
  await redrawn(page);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const seen = await page.evaluate(() =>
    // Terms are words of the text.
    [...document.querySelectorAll("main :is(button:not(.term), input, select, textarea)")]
      .filter((control) => control.checkVisibility())
      .map((control) => `${control.closest("section")?.id}: ${control.outerHTML.slice(0, 80)}`),
  );
  expect(seen).toEqual([]);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("table, svg, canvas")]
      .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > innerWidth + 1)
      .map((part) => `${part.closest("section")?.id}: ${part.getAttribute("class")}`),
  );
  expect(cut).toEqual([]);
  const choices = await page.evaluate(() =>
    [...document.querySelectorAll(".segments")]
      .filter((choice) => choice.checkVisibility())
      .map((choice) => [...choice.querySelectorAll("span")].filter((each) => each.checkVisibility()).length),
  );
  expect(choices.length > 0 && choices.every((shown) => shown === 1), `${choices}`).toBeTruthy();
});

test("on paper a heading is on the page of its figure or of its text @all", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  const kept = await page.evaluate(() =>
    [...document.querySelectorAll("section > .prose:first-child, h1, h2, h3")]
      .filter((part) => part.checkVisibility())
      .map((part) => getComputedStyle(part).breakAfter),
  );
  expect(kept.length).toBeGreaterThan(30);
  expect([...new Set(kept)]).toEqual(["avoid"]);
});
