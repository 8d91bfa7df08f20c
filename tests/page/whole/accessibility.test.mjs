import { expect, inBothThemes, LOCALES, link, redrawn, scrollTo, steady, test, unfold, widen } from "../fixtures.mjs";
import { unseenControls, unseenMarks } from "./contrast.mjs";
import { VIEWS } from "./views.mjs";

// WCAG 2.2 asks for these, which axe cannot see: size of targets, ways beside dragging, a stop for what moves, contrast of
// controls and marks.

/** 2.5.8: all pointer targets. Whatever parts of a drawing do, a slider or box beside it does, too. */
const TARGETS =
  'button, a[href], input, select, textarea, summary, label:has(input), [tabindex="0"], [role="slider"], [role="application"]';

/** Targets smaller than 24 CSS pixels either way; links and terms within a sentence are excepted. */
const smallTargets = (page) =>
  page.evaluate((targets) => {
    const inSentence = (element) =>
      element.matches("a, .term") &&
      [...element.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    return [...document.querySelectorAll(targets)]
      .filter((element) => element.checkVisibility() && !inSentence(element))
      .map((element) => [element, element.getBoundingClientRect()])
      .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24))
      .map(([element, box]) => `${box.width} x ${box.height}: ${element.outerHTML.slice(0, 90)}`);
  }, TARGETS);

for (const locale of LOCALES)
  test(`2.5.8: every target has 24 px; 1.4.11: controls and marks stand out: ${locale} @all`, async ({ open }) => {
    for (const [hash, ready] of Object.values(VIEWS)) {
      const page = await open({ width: 360, locale, hash, ready });
      if (ready === true) await unfold(page);
      for (const width of [360, 1280]) {
        await widen(page, width);
        if (ready === true) expect(await page.locator(TARGETS).count()).toBeGreaterThan(60);
        await expect.poll(() => smallTargets(page), hash).toEqual([]);
      }
      // Colours do not depend on the language.
      if (locale === "en-GB")
        await inBothThemes(page, async (theme) => {
          await expect.poll(() => unseenControls(page), `${hash}, ${theme}`).toEqual([]);
          await expect.poll(() => unseenMarks(page), `${hash}, ${theme}`).toEqual([]);
        });
    }
  });

/** 2.5.7: what is dragged, the click or typing that does the same, and the link's row then. */
const WITHOUT_DRAGGING = [
  ["#problem [data-place]", (page) => page.press('#problem [data-by="-1"]', "Enter"), { moved: "1.0.2.3.4.5" }],
  ['#rope [data-handle="K1′"]', (page) => page.fill("#angle-1", "-45"), { angles: "10,-45,30" }],
];

test("2.5.7: what is dragged can be done without, and nothing else is but sliders @all", async ({ page }) => {
  await unfold(page);
  for (const [dragged, instead, row] of WITHOUT_DRAGGING) {
    expect(await page.locator(dragged).count(), dragged).toBeGreaterThan(0);
    await instead(page);
    await expect.poll(() => link(page), dragged).toMatchObject(row);
  }
  const others = await page.locator("main *").evaluateAll((all) =>
    all
      .filter((element) => /grab|move|resize/.test(getComputedStyle(element).cursor))
      .filter((element) => !element.closest(".knob, [data-place]"))
      .map((element) => element.outerHTML.slice(0, 80)),
  );
  expect(others).toEqual([]);
  for (const knob of await page.locator(".knob").all())
    await expect(knob).toHaveAttribute("data-handle", /^[QK][012]′$/);
});

/** Presses a player's button, which changes at once under the pointer. */
const press = (player, what) => player.locator(`[data-player="${what}"]`).evaluate((button) => button.click());

test("2.2.2: whatever plays can be paused, and stops when it is out of sight @all", async ({ page }) => {
  const players = await page.locator(".player:has([data-player])").all();
  expect(players.length).toBeGreaterThanOrEqual(3);
  const hash = () => page.evaluate(() => location.hash);
  for (const player of players) {
    await player.scrollIntoViewIfNeeded();
    const before = await hash();
    await press(player, "play");
    await player.locator('[data-player="pause"]').waitFor();
    await expect.poll(hash).not.toBe(before);
    await press(player, "pause");
    await player.locator('[data-player="play"]').waitFor();
    await steady(page, hash);
  }
  // What plays in sight goes on when other figures with the same position leave it, one with a player of its own.
  await page.setViewportSize({ width: 1280, height: 4000 });
  await scrollTo(page, "codes");
  await redrawn(page);
  const similarity = page.locator("#similarity .player");
  await press(similarity, "play");
  for (const id of ["codes", "waves"]) {
    const figure = page.locator(`#${id}`);
    await figure.evaluate((it) => scrollBy({ top: it.getBoundingClientRect().bottom + 400, behavior: "instant" }));
    await page.waitForTimeout(1000);
    const { y, height } = await figure.boundingBox();
    expect(y + height, `${id} is out of sight`).toBeLessThan(-200);
    await expect(similarity.locator('[data-player="pause"]')).toHaveCount(1);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
  await steady(page, hash);
});

test("2.2.2: nothing moves by itself; with reduced motion a step takes a second @all", async ({ open }) => {
  const page = await open();
  /** Moments at which something changes, none within a tenth of a second of the last, until there is one and so long. */
  const changes = (selector, wait) =>
    page.locator(selector).evaluate(async (watched, wait) => {
      const moments = [];
      const note = () => performance.now() - (moments.at(-1) ?? -1000) > 100 && moments.push(performance.now());
      const all = { characterData: true, childList: true, attributes: true, subtree: true };
      new MutationObserver(note).observe(watched, all);
      await new Promise((done) => setTimeout(done, wait));
      return moments;
    }, wait);
  expect(await changes("main", 2500)).toEqual([]);
  await page.click('#waves [data-player="play"]');
  const moments = await changes("#waves .equation >> nth=0", 4000);
  await page.click('#waves [data-player="pause"]');
  // Five a second otherwise. On a busy machine one comes late and the next does not.
  const seconds = (moments.at(-1) - moments[0]) / 1000;
  expect(moments.length >= 2 && moments.length <= seconds + 2, `${moments.length} steps in ${seconds} s`).toBeTruthy();
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
});

/** 1.4.1: legends, and how many lines each tells apart. */
const LEGENDS = {
  "#pairs .position-chips line": 5,
  '#decay-score .curve path[d$="h30"]': 2,
  '#similar-curve .curve path[d$="h30"]': 2,
  '#waves [data-wave="1"] :is(.sine, .cosine)': 2,
};

test("1.4.1: lines of a drawing differ in dash or width too, not in colour alone @all", async ({ page }) => {
  for (const [selector, count] of Object.entries(LEGENDS)) {
    const looks = await page.locator(selector).evaluateAll((all) =>
      all.map((line) => {
        const { strokeDasharray, strokeWidth } = getComputedStyle(line);
        return `${strokeDasharray}, ${strokeWidth}`;
      }),
    );
    expect(new Set(looks).size, selector).toBe(count);
  }
});

// Readers who ask for more contrast, and those whose system chooses the colours.
for (const wish of [{ contrast: "more" }, { forcedColors: "active" }])
  test(`controls, marks and focus are visible with ${JSON.stringify(wish)} @all`, async ({ open }) => {
    const page = await open({ ...wish });
    await inBothThemes(page, async (theme) => {
      await expect.poll(() => unseenControls(page), theme).toEqual([]);
      await expect.poll(() => unseenMarks(page), theme).toEqual([]);
      if (!wish.contrast) return;
      const [dark, light] = ["rgb(0, 0, 0)", "rgb(255, 255, 255)"];
      await expect(page.locator("body")).toHaveCSS("color", theme === "light" ? dark : light);
      await expect(page.locator("body")).toHaveCSS("background-color", theme === "light" ? light : dark);
    });
    await page.keyboard.press("Tab");
    await redrawn(page);
    const focused = page.locator(":focus");
    await expect(focused).toHaveCSS("outline-style", "solid");
    if (wish.contrast) return expect(focused).toHaveCSS("outline-width", "4px");
    // What is chosen still differs from what is not. The rules for these readers are fetched after the page.
    await expect(page.locator('[data-choice="auto"]')).toHaveCSS("outline-style", "solid");
    await expect(page.locator('[data-choice="dark"]')).toHaveCSS("outline-style", "none");
  });
