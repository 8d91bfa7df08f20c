import {
  expect,
  inBothThemes,
  LOCALES,
  link,
  linkWritten,
  redrawn,
  scrollTo,
  steady,
  test,
  unfold,
  widen,
} from "../fixtures.mjs";
import { unseenControls, unseenMarks } from "./contrast.mjs";

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

const WIDTHS = [360, 1280];

/** The other pages, and what is there once they are drawn. */
const OTHER_PAGES = [
  ["checked.html", "article button"],
  ["tools.html", "#result .verdict"],
  ["tools.html#sample=own&expect=plan", "[data-run]"],
];

for (const locale of LOCALES) {
  test(`2.5.8: every target has 24 px each way: ${WIDTHS.join(" and ")} px, ${locale} @all`, async ({ open }) => {
    for (const hash of ["", "#rel=learned&source=own&qk=random&patches=mixed&model=own"]) {
      const page = await open({ width: WIDTHS[0], locale, hash });
      await unfold(page);
      for (const width of WIDTHS) {
        await widen(page, width);
        expect(await page.locator(TARGETS).count()).toBeGreaterThan(200);
        await expect.poll(() => smallTargets(page)).toEqual([]);
      }
    }
    for (const [hash, ready] of OTHER_PAGES) {
      const page = await open({ width: WIDTHS[0], locale, hash, ready: false });
      await page.waitForSelector(ready);
      for (const width of WIDTHS) {
        await widen(page, width);
        await expect.poll(() => smallTargets(page), hash).toEqual([]);
      }
    }
  });
}

test("2.5.8: a small target is detected @all", async ({ open }) => {
  const page = await open({ ready: "heatmap" });
  await page.evaluate(() => {
    const button = document.createElement("button");
    button.style.cssText = "width: 20px; height: 30px; padding: 0";
    document.body.append(button);
  });
  expect((await smallTargets(page)).length).toBe(1);
});

/** 2.5.7: the figure, what is dragged in it, the click or typing that does the same, and the link's row then. */
const WITHOUT_DRAGGING = [
  ["problem", "[data-place]", (page) => page.click('#problem [data-by="-1"]'), { moved: "1.0.2.3.4.5" }],
  ["rope", '[data-handle="K1′"]', (page) => page.fill("#angle-1", "-45"), { angles: "10,-45,30" }],
  ["score", '[data-handle="q"]', (page) => page.locator("#score .matrix input").nth(0).fill("0.5"), { qv: "0.5,-0.6" }],
  ["score", '[data-handle="k"]', (page) => page.locator("#score .matrix input").nth(3).fill("-1"), { key: "1.2,-1" }],
];

for (const [panel, dragged, instead, row] of WITHOUT_DRAGGING)
  test(`2.5.7: ${panel}, ${dragged}: the same without dragging @all`, async ({ open }) => {
    const page = await open({ ready: panel });
    expect(await page.locator(`#${panel} ${dragged}`).count()).toBeGreaterThan(0);
    await unfold(page);
    await instead(page);
    await expect.poll(() => link(page)).toMatchObject(row);
  });

test("2.5.7: nothing else is dragged but sliders, and a click moves those @all", async ({ page }) => {
  await unfold(page);
  const others = await page.evaluate(
    (known) =>
      [...document.querySelectorAll("main *")]
        .filter((element) => /grab|move|resize/.test(getComputedStyle(element).cursor))
        .filter((element) => !element.closest(known))
        .map((element) => element.outerHTML.slice(0, 80)),
    ".knob, [data-place]",
  );
  expect(others).toEqual([]);
  for (const knob of await page.locator(".knob").all())
    await expect(knob).toHaveAttribute("data-handle", /^([QK][012]′|[qk])$/);
  const ranges = await page.locator('main input[type="range"]').all();
  expect(ranges.length).toBeGreaterThan(40);
  for (const range of ranges) {
    const box = await range.boundingBox();
    const before = await range.inputValue();
    const [min, max] = [Number(await range.getAttribute("min")), Number(await range.getAttribute("max"))];
    if (max === min) continue;
    // A place well away from the thumb.
    const share = (Number(before) - min) / (max - min) > 0.5 ? 0.2 : 0.8;
    await range.click({ position: { x: share * box.width, y: box.height / 2 } });
    await expect(range, await range.getAttribute("aria-label")).not.toHaveValue(before);
  }
});

/** Presses a player's button, which changes at once under the pointer. */
const press = (player, what) => player.locator(`[data-player="${what}"]`).evaluate((button) => button.click());

test("2.2.2: whatever plays can be paused, and stops when it is out of sight @all", async ({ page }) => {
  const players = page.locator(".player:has([data-player])");
  const count = await players.count();
  expect(count).toBeGreaterThanOrEqual(3);
  for (let at = 0; at < count; at++) {
    const player = players.nth(at);
    await player.scrollIntoViewIfNeeded();
    await press(player, "play");
    const pause = player.locator('[data-player="pause"]');
    await pause.waitFor();
    const before = await link(page);
    await expect.poll(() => link(page)).not.toEqual(before);
    await press(player, "pause");
    await player.locator('[data-player="play"]').waitFor();
    await linkWritten(page);
    const stopped = await link(page);
    await page.waitForTimeout(1500);
    await expect.poll(() => link(page)).toEqual(stopped);
  }
  await press(players.last(), "play");
  await page.waitForTimeout(1500);
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
  await steady(page, () => page.evaluate(() => location.hash));
});

test("2.2.2: what plays in sight goes on when another figure of the same row leaves it @all", async ({ open }) => {
  const page = await open({ height: 12000 });
  const similarity = page.locator("#similarity .player");
  await page.evaluate(() => document.getElementById("heatmap").scrollIntoView({ behavior: "instant" }));
  await page.waitForTimeout(500);
  await press(similarity, "play");
  const pause = similarity.locator('[data-player="pause"]');
  await pause.waitFor();
  // Other figures with the same position scroll out of sight, one of them with a player of its own; what plays goes on.
  for (const id of ["heatmap", "waves"]) {
    await page.evaluate((other) => {
      const { bottom } = document.getElementById(other).getBoundingClientRect();
      scrollTo({ top: scrollY + bottom + 400, behavior: "instant" });
    }, id);
    await page.waitForTimeout(1000);
    const other = await page.locator(`#${id}`).boundingBox();
    expect(other.y + other.height, `${id} is out of sight`).toBeLessThan(-200);
    await expect(pause).toHaveCount(1);
  }
});

test("2.2.2: with reduced motion a step takes a second and nothing is animated @all", async ({ open }) => {
  const page = await open({ ready: "waves" });
  await page.evaluate(() => {
    window.steps = [];
    new MutationObserver(() => window.steps.push(performance.now())).observe(
      document.querySelector("#waves .equation"),
      { characterData: true, childList: true, subtree: true },
    );
  });
  await page.click('#waves [data-player="play"]');
  await page.waitForFunction(() => window.steps.length > 0 && performance.now() - window.steps[0] > 2500);
  await page.click('#waves [data-player="pause"]');
  const moments = await page.evaluate(() => window.steps.filter((at, i, all) => i === 0 || at - all[i - 1] > 100));
  // Five a second otherwise. On a busy machine one comes late and the next does not.
  const seconds = (moments.at(-1) - moments[0]) / 1000;
  expect(moments.length >= 2 && moments.length <= seconds + 2, `${moments.length} steps in ${seconds} s`).toBeTruthy();
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test("2.2.2: nothing moves by itself @all", async ({ open }) => {
  const page = await open("#an=1024");
  await page.waitForSelector("#precision [data-done]");
  await redrawn(page);
  const changes = await page.evaluate(
    () =>
      new Promise((done) => {
        let count = 0;
        new MutationObserver((all) => {
          count += all.length;
        }).observe(document.querySelector("main"), {
          characterData: true,
          childList: true,
          attributes: true,
          subtree: true,
        });
        setTimeout(() => done(count), 2500);
      }),
  );
  expect(changes).toBe(0);
});

test("1.4.11: controls and marks stand out 3 : 1 from what is behind them, in both themes @all", async ({ open }) => {
  for (const hash of ["", "#rel=learned&source=own&qk=random&patches=mixed&wn=4000"]) {
    const page = await open({ hash });
    await unfold(page);
    await inBothThemes(page, async (theme) => {
      await expect.poll(() => unseenControls(page), theme).toEqual([]);
      await expect.poll(() => unseenMarks(page), theme).toEqual([]);
    });
  }
  for (const [hash, ready] of OTHER_PAGES) {
    const page = await open({ hash, ready: false });
    await page.waitForSelector(ready);
    await inBothThemes(page, async (theme) => {
      await expect.poll(() => unseenControls(page), theme).toEqual([]);
      await expect.poll(() => unseenMarks(page), theme).toEqual([]);
    });
  }
});

test("1.4.11: what is too faint is detected @all", async ({ open }) => {
  const page = await open({ ready: "rope" });
  await page.evaluate(() => {
    document.querySelector("#rope .arrow line").style.stroke = "#ddd";
    document.querySelector("#rope .number").style.borderColor = "#ccc";
  });
  expect((await unseenMarks(page)).length).toBe(1);
  expect((await unseenControls(page)).length).toBe(1);
});

test("1.4.1: lines of a drawing differ in dash or width too, not in colour alone @all", async ({ page }) => {
  const kinds = await page.evaluate(() => {
    const look = (line) => {
      const { strokeDasharray, strokeWidth } = getComputedStyle(line);
      return `${strokeDasharray}, ${strokeWidth}`;
    };
    const legends = {
      pairs: ["#pairs .position-chips line", 5],
      precision: ['#precision-curve .curve path[d$="h30"]', 6],
      decay: ['#decay-bound .curve path[d$="h30"]', 2],
      similarity: ['#similar-curve .curve path[d$="h30"]', 2],
      context: ["#context .legend .wave polyline", 6],
      waves: ['#waves [data-wave="1"] :is(.sine, .cosine)', 2],
    };
    return Object.entries(legends).map(([panel, [selector, count]]) => [
      panel,
      new Set([...document.querySelectorAll(selector)].map(look)).size,
      count,
    ]);
  });
  for (const [panel, different, count] of kinds) expect(different, panel).toBe(count);
});
