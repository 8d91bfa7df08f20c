import assert from "node:assert/strict";
import { test } from "node:test";
import { allDrawn, pageTests, settled } from "./browser.mjs";

// On paper: every figure, at once after the page has loaded, without what only a screen is for.

const { onPage } = pageTests();

async function pages(page) {
  const file = await page.pdf({ format: "A4" });
  return file.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
}

const loaded = (page) => page.waitForLoadState("networkidle");

test("the page is printed as a whole right after it has loaded", () =>
  onPage({ ready: false }, async (page) => {
    await loaded(page);
    const waiting = await page.evaluate(() => document.querySelectorAll("section.waiting").length);
    assert.ok(waiting > 0, "figures far below are still to be drawn");
    const first = await pages(page);
    assert.equal(await page.locator("section.waiting").count(), 0);
    await allDrawn(page);
    assert.ok(first > 8, `${first} pages`);
    // What was still being computed may take another page.
    assert.ok(Math.abs((await pages(page)) - first) <= 1);
  }));

test("on paper there are no controls, and no table is cut", () =>
  onPage({}, async (page) => {
    await page.emulateMedia({ media: "print" });
    // A4 within margins.
    await page.setViewportSize({ width: 718, height: 1000 });
    await settled(page);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const seen = await page.evaluate(() =>
      // Terms are words of the text.
      [...document.querySelectorAll("main :is(button:not(.term), input, select, textarea)")]
        .filter((control) => control.checkVisibility())
        .map((control) => `${control.closest("section")?.id}: ${control.outerHTML.slice(0, 80)}`),
    );
    assert.deepEqual(seen, []);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll("table, svg, canvas")]
        .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > innerWidth + 1)
        .map((part) => `${part.closest("section")?.id}: ${part.getAttribute("class")}`),
    );
    assert.deepEqual(cut, []);
    const choices = await page.evaluate(() =>
      [...document.querySelectorAll(".segments")]
        .filter((choice) => choice.checkVisibility())
        .map((choice) => [...choice.querySelectorAll("span")].filter((each) => each.checkVisibility()).length),
    );
    assert.ok(choices.length > 0 && choices.every((shown) => shown === 1), `${choices}`);
  }));

test("on paper a heading is on the page of its figure or of its text", () =>
  onPage({}, async (page) => {
    await page.emulateMedia({ media: "print" });
    const kept = await page.evaluate(() =>
      [...document.querySelectorAll("section > .prose:first-child, h1, h2, h3")]
        .filter((part) => part.checkVisibility())
        .map((part) => getComputedStyle(part).breakAfter),
    );
    assert.ok(kept.length > 30);
    assert.deepEqual([...new Set(kept)], ["avoid"]);
  }));
