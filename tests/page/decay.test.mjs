import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/full.js";
import { pageTests, settled, words } from "./browser.mjs";

// Long-term decay, against sums of JavaScript's own sines and cosines.

const { onPage } = pageTests();
const number = (text) => Number(text.replaceAll("−", "-"));
const cell = (page, row, name) => words(page.locator(`#decay [data-quantity="${row}"] [${name}]`));
const near = (shown, expected) => assert.ok(Math.abs(shown - expected) <= 1e-6, `${shown}, not ${expected}`);

const angles = (pairs, base, m) => Array.from({ length: pairs }, (_, i) => m * base ** (-i / pairs));
function bound(pairs, base, m) {
  let [re, im, sum] = [0, 0, 0];
  for (const angle of angles(pairs, base, m)) {
    re += Math.cos(angle);
    im += Math.sin(angle);
    sum += Math.hypot(re, im);
  }
  return sum / ((pairs * (pairs + 1)) / 2);
}
const ones = (pairs, base, m) => angles(pairs, base, m).reduce((sum, angle) => sum + Math.cos(angle), 0) / pairs;
const firstRise = (curve) => {
  for (let m = 2; ; m++) if (curve(m) > curve(m - 1)) return `${m - 1} → ${m}`;
};

test("bound and score of both bases at any distance, and where they first rise", () =>
  onPage({ hash: "#dm=31337", ready: "decay" }, async (page) => {
    for (const m of [31337, 7, 100000]) {
      await page.fill("#row-decayDistance", String(m));
      await settled(page);
      for (const [which, base] of [10000, 500000].entries()) {
        near(number(await cell(page, `bound-${which}`, "data-value")), bound(64, base, m));
        near(number(await cell(page, `score-${which}`, "data-value")), ones(64, base, m));
      }
    }
    for (const [which, base] of [10000, 500000].entries()) {
      assert.equal(
        await cell(page, `bound-${which}`, "data-first"),
        firstRise((m) => bound(64, base, m)),
      );
      assert.equal(
        await cell(page, `score-${which}`, "data-first"),
        firstRise((m) => ones(64, base, m)),
      );
      // A tick for each rise that is counted.
      const counted = Number((await cell(page, `score-${which}`, "data-rises")).match(/^\d+/)[0]);
      const ticks = await page.locator(`#decay-score-rises [data-rises="${which}"] path`).getAttribute("d");
      assert.equal(ticks.split("M").length - 1, counted);
      assert.ok(counted > 100);
    }
  }));

test("random vectors come from their seed, and their score is q · R(m) k", () =>
  onPage({ hash: "#qk=random&seed=5&dp=16&b1=300&dm=12&reach=1000", ready: "decay" }, async (page) => {
    const pe = await load();
    const check = async (seed, m) => {
      const { data } = pe.learnedTable({ length: 2, dim: 32, seed, std: 1 });
      const [q, k] = [data.slice(0, 32), data.slice(32)];
      const score = angles(16, 300, m).reduce((sum, angle, i) => {
        const [a, b, c, d] = [q[2 * i], q[2 * i + 1], k[2 * i], k[2 * i + 1]];
        return sum + (a * c + b * d) * Math.cos(angle) + (b * c - a * d) * Math.sin(angle);
      }, 0);
      const norm = (x) => Math.sqrt(x.reduce((sum, one) => sum + one * one, 0));
      near(number(await cell(page, "score-0", "data-value")), score / norm(q) / norm(k));
    };
    await check(5, 12);
    await page.locator("#decay-score").focus();
    await page.keyboard.press("ArrowRight");
    await settled(page);
    await check(5, 13);
    await page.fill("#row-decaySeed", "6");
    await settled(page);
    await check(6, 13);
    await page.locator("#decay-score").focus();
    await page.keyboard.press("End");
    await settled(page);
    await check(6, 1000);
    assert.equal(await page.inputValue("#row-decayDistance"), "1000");
  }));

test("pointing at a curve chooses the distance below the pointer", () =>
  onPage({ ready: "decay" }, async (page) => {
    const drawing = page.locator("#decay-bound");
    await drawing.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => {
      const line = document.querySelector("#decay-bound .curve-mark line").getBoundingClientRect();
      return { x: line.x, y: line.y + line.height / 2 };
    });
    const asked = 100;
    assert.equal(await page.inputValue("#row-decayDistance"), String(asked));
    await page.mouse.move(place.x + 40, place.y);
    await settled(page);
    const chosen = Number(await page.inputValue("#row-decayDistance"));
    assert.ok(chosen > asked);
    near(number(await cell(page, "bound-0", "data-value")), bound(64, 10000, chosen));
  }));

/** The corners of a path, in pixels. */
const corners = (page, selector) =>
  page.locator(selector).evaluate((path) =>
    path
      .getAttribute("d")
      .split(/[MLZ]/)
      .filter(Boolean)
      .map((point) => point.split(" ").map(Number)),
  );

test("each curve is the mean of its neighbours, in a band that holds every value; the formula is folded away", () =>
  onPage({ hash: "#reach=2000", ready: "decay" }, async (page) => {
    const low = 1;
    const reach = 2000;
    for (const [quantity, which] of [
      ["score", 0],
      ["bound", 1],
    ]) {
      const group = (part) => `#decay-${quantity} .curve-${which} ${part}`;
      const raw = await corners(page, group(".raw"));
      const band = await corners(page, group(".band"));
      const mean = await corners(page, `${group("path:not(.raw, .band)")} >> nth=1`);
      assert.equal(mean.length, raw.length);
      assert.equal(band.length, 2 * raw.length);
      const [left, right] = [raw[0][0], raw.at(-1)[0]];
      // The horizontal axis is logarithmic: a factor is so many pixels.
      const near = ((right - left) * Math.log(1.25)) / Math.log(reach / low);
      raw.forEach(([x], at) => {
        const around = raw.filter((other) => Math.abs(other[0] - x) <= near + 0.01).map(([, y]) => y);
        assert.ok(Math.abs(mean[at][1] - around.reduce((sum, y) => sum + y, 0) / around.length) < 0.35, `mean ${at}`);
        // Down the screen values fall: the band's first edge is the lower one.
        const [y, lower, upper] = [raw[at][1], band[at][1], band[band.length - 1 - at][1]];
        assert.ok(lower > y - 0.02 && upper < y + 0.02, `value ${at} is in the band`);
        if (y === Math.max(...around)) assert.ok(Math.abs(lower - y) < 0.02, `trough ${at}`);
        if (y === Math.min(...around)) assert.ok(Math.abs(upper - y) < 0.02, `peak ${at}`);
        // Between two of them the edge is straight: no farther from the values than the farthest neighbours are.
        assert.ok(lower <= Math.max(...around) + 0.5 && upper >= Math.min(...around) - 0.5, `edge ${at}`);
      });
    }
    const widths = await page
      .locator("#decay-score .curve-0 path")
      .evaluateAll((all) => all.map((path) => Number.parseFloat(getComputedStyle(path).strokeWidth)));
    assert.ok(Math.min(...widths) < 1 && Math.max(...widths) === 4, widths.join());
    // Picture first: no formula stands above it, and the bound's is shown on request.
    assert.equal(await page.locator("#decay > .prose").first().locator("math").count(), 0);
    const folded = page.locator("#decay details .formula").first();
    assert.equal(await folded.isVisible(), false);
    await page.locator("#decay .prose details summary").click();
    assert.equal(await folded.isVisible(), true);
  }));
