import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, rested, settled } from "./browser.mjs";

// The browser's history: its entries are the steps that a reader took, and Back always goes back.

const { onPage } = pageTests();

const entries = (page) => page.evaluate(() => history.length);
const hash = (page, wanted) => page.waitForFunction((expected) => location.hash === expected, wanted);

/** Points at five places along the middle of a drawing, and rests at each. */
async function pointAlong(page, selector) {
  const drawing = page.locator(selector).first();
  await drawing.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await drawing.boundingBox();
  for (const part of [0.2, 0.35, 0.5, 0.65, 0.8]) {
    await page.mouse.move(x + part * width, y + height * (0.3 + part / 4), { steps: 3 });
    await rested(page);
  }
}

for (const [panel, drawing] of [
  ["heatmap", "#heatmap .heat-canvas"],
  ["waves", "#waves .waves-drawing"],
  ["decay", "#decay svg[tabindex]"],
])
  test(`what is pointed at adds nothing to the history: ${panel}`, () =>
    onPage({ ready: panel }, async (page) => {
      const before = await entries(page);
      await pointAlong(page, drawing);
      await page.waitForFunction(() => location.hash.length > 1);
      assert.equal(await entries(page), before);
    }));

test("a click, a key and a typed number are a step each, also after something was pointed at", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    const before = await entries(page);
    await pointAlong(page, "#heatmap .heat-canvas");
    await page.click('[data-choice="dark"]');
    await rested(page);
    assert.equal(await entries(page), before + 1);
    await pointAlong(page, "#heatmap .heat-canvas");
    await page.fill("#row-length", "50");
    await rested(page);
    assert.equal(await entries(page), before + 2);
    await page.waitForTimeout(1000);
    await page.locator("#heatmap .heat-canvas").focus();
    // On a busy machine the second would be another step, if it had to wait for the first.
    await Promise.all([page.keyboard.press("ArrowUp"), page.keyboard.press("ArrowUp")]);
    await rested(page);
    assert.equal(await entries(page), before + 3);
    await page.goBack();
    await page.goBack();
    await settled(page);
    assert.equal(await page.inputValue("#row-length"), "128");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  }));

// A position from the link is not played by itself.
test("what was played is one step, which Back undoes", () =>
  onPage({ hash: "#p=9", ready: "waves", reducedMotion: "no-preference" }, async (page) => {
    const position = () => page.inputValue("#waves-position");
    // On the way to the button the pointer may choose a position.
    await page.hover("#waves [data-player=play]");
    await rested(page);
    const first = await position();
    const before = await entries(page);
    await page.click("#waves [data-player=play]");
    await page.waitForFunction((start) => document.querySelector("#waves-position").value !== start, first);
    await page.click("#waves [data-player=pause]");
    await rested(page);
    assert.equal(await entries(page), before + 1);
    await page.goBack();
    await settled(page);
    assert.equal(await position(), first);
  }));

test("what plays ends when the reader goes back", () =>
  onPage({ hash: "#p=9", ready: "waves", reducedMotion: "no-preference" }, async (page) => {
    await page.fill("#waves-position", "12");
    await rested(page);
    await page.click("#waves [data-player=play]");
    await page.goBack();
    await page.waitForSelector("#waves [data-player=play]");
    assert.equal(await page.inputValue("#waves-position"), "9");
  }));

const top = (page, selector) =>
  page.evaluate((wanted) => document.querySelector(wanted).getBoundingClientRect().top, selector);

test("from the top to a figure, and Back to the top", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    // Without a pointer: that would scroll to the link first.
    await page.evaluate(() => {
      scrollTo({ top: 0, behavior: "instant" });
      document.querySelector('nav a[href*="at=decay"]').click();
    });
    await hash(page, "#at=decay");
    await page.waitForSelector("#decay .tools");
    await rested(page);
    assert.ok(Math.abs(await top(page, "#decay")) < 200);
    await page.goBack();
    await hash(page, "");
    await page.waitForFunction(() => scrollY === 0);
    // Figures above the one that was left may still be drawn.
    await rested(page);
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.goForward();
    await hash(page, "#at=decay");
    await page.waitForFunction(() => Math.abs(document.querySelector("#decay").getBoundingClientRect().top) < 200);
  }));

test("Back leads to where the reader was in a figure, though those above it have grown", () =>
  onPage({ ready: "precision" }, async (page) => {
    await page.evaluate(() => {
      document.getElementById("precision").scrollIntoView({ behavior: "instant" });
      scrollBy({ top: 100, behavior: "instant" });
    });
    await rested(page);
    const before = await top(page, "#precision");
    await page.evaluate(() => document.querySelector('nav a[href*="at=waves"]').click());
    await hash(page, "#at=waves");
    await rested(page);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.waitForSelector("main:not(:has(.waiting))");
    await page.goBack();
    await page.waitForFunction(
      (wanted) => Math.abs(document.querySelector("#precision").getBoundingClientRect().top - wanted) <= 1,
      before,
    );
  }));

test("the link names a figure as long as the reader is there", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    await page.click("#contents .unfold");
    await page.locator('#contents a[href*="at=waves"]').click();
    await hash(page, "#at=waves");
    await page.waitForSelector("#waves .tools");
    const before = await entries(page);
    await page.mouse.wheel(0, 200);
    await rested(page);
    assert.equal(await page.evaluate(() => location.hash), "#at=waves");
    await page.mouse.wheel(0, -3000);
    await hash(page, "");
    assert.equal(await entries(page), before);
    // The same entry of the contents leads there again.
    await page.click("#contents .unfold");
    await page.locator('#contents a[href*="at=waves"]').click();
    await hash(page, "#at=waves");
    await page.waitForFunction(() => Math.abs(document.querySelector("#waves").getBoundingClientRect().top) < 200);
  }));

test("a page that is loaded again is where it was", () =>
  onPage({ ready: "waves" }, async (page) => {
    await page.evaluate(() => document.getElementById("waves").scrollIntoView({ behavior: "instant" }));
    await page.evaluate(() => scrollBy({ top: 70, behavior: "instant" }));
    await rested(page);
    const before = await top(page, "#waves");
    await page.reload();
    await page.waitForSelector("#waves .tools");
    await page.waitForFunction(
      (wanted) => Math.abs(document.querySelector("#waves").getBoundingClientRect().top - wanted) <= 1,
      before,
    );
  }));
