import { load } from "../../../dist/full.js";
import { expect, redrawn, test, words } from "../fixtures.mjs";
import { named, near, value } from "./numbers.mjs";

// Long-term decay, against sums of JavaScript's own sines and cosines.

test.use({ view: { ready: "decay", kept: true } });

const amount = (page, row) => value(page, `#decay [data-quantity="${row}"] [data-value]`);
const cell = (page, row, name) => words(page.locator(`#decay [data-quantity="${row}"] [${name}]`));

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

test("bound and score of both bases at any distance, and where they first rise", async ({ open }) => {
  const page = await open("#dm=31337");
  for (const m of [31337, 7, 100000]) {
    await page.fill("#row-decayDistance", String(m));
    await redrawn(page);
    for (const [which, base] of [10000, 500000].entries()) {
      near(await amount(page, `bound-${which}`), bound(64, base, m), 1e-6);
      near(await amount(page, `score-${which}`), ones(64, base, m), 1e-6);
    }
  }
  for (const [which, base] of [10000, 500000].entries()) {
    expect(await cell(page, `bound-${which}`, "data-first")).toBe(firstRise((m) => bound(64, base, m)));
    expect(await cell(page, `score-${which}`, "data-first")).toBe(firstRise((m) => ones(64, base, m)));
    // A tick for each rise that is counted.
    const counted = Number((await cell(page, `score-${which}`, "data-rises")).match(/^\d+/)[0]);
    const ticks = await page.locator(`#decay-score-rises [data-rises="${which}"] path`).getAttribute("d");
    expect(ticks.split("M").length - 1).toBe(counted);
    expect(counted).toBeGreaterThan(100);
  }
  await named(page, "decay", {
    ".decay-numbers thead": "curve value first rise rises | 曲线 数值 首次上升 上升次数",
    '[data-quantity="bound-0"]': "bound, base 10000 | 上界，底数 10000",
    '[data-quantity="score-1"]': "score, base 500000 | 得分，底数 500000",
    decayPairs: "Pairs d/2 | 维度对数 d/2",
    decayBase: "First base | 底数一",
    decayOtherBase: "Second base | 底数二",
    decayReach: "Farthest distance | 最远距离",
    decayDistance: "Distance m | 距离 m",
  });
});

test("random vectors come from their seed, and their score is q · R(m) k", async ({ open }) => {
  const page = await open("#qk=random&seed=5&dp=16&b1=300&dm=12&reach=1000");
  const pe = await load();
  const check = async (seed, m) => {
    await redrawn(page);
    const { data } = pe.learnedTable({ length: 2, dim: 32, seed, std: 1 });
    const [q, k] = [data.slice(0, 32), data.slice(32)];
    const score = angles(16, 300, m).reduce((sum, angle, i) => {
      const [a, b, c, d] = [q[2 * i], q[2 * i + 1], k[2 * i], k[2 * i + 1]];
      return sum + (a * c + b * d) * Math.cos(angle) + (b * c - a * d) * Math.sin(angle);
    }, 0);
    near(await amount(page, "score-0"), score / Math.hypot(...q) / Math.hypot(...k), 1e-6);
  };
  await check(5, 12);
  await page.locator("#decay-score").press("ArrowRight");
  await check(5, 13);
  await page.fill("#row-decaySeed", "6");
  await check(6, 13);
  await page.locator("#decay-score").press("End");
  await check(6, 1000);
  await expect(page.locator("#row-decayDistance")).toHaveValue("1000");
});

/** The corners of a path, in pixels. */
const corners = async (page, selector) =>
  (await page.locator(selector).getAttribute("d"))
    .split(/[MLZ]/)
    .filter(Boolean)
    .map((point) => point.split(" ").map(Number));

test("each curve is a local mean in a band around every value; a pointer chooses; the formula is folded", async ({
  open,
}) => {
  const page = await open("#reach=2000");
  for (const [quantity, which] of [
    ["score", 0],
    ["bound", 1],
  ]) {
    const group = (part) => `#decay-${quantity} .curve-${which} ${part}`;
    const raw = await corners(page, group(".raw"));
    const band = await corners(page, group(".band"));
    const mean = await corners(page, `${group("path:not(.raw, .band)")} >> nth=1`);
    expect([mean.length, band.length]).toEqual([raw.length, 2 * raw.length]);
    // The horizontal axis is logarithmic: a factor is so many pixels.
    const beside = ((raw.at(-1)[0] - raw[0][0]) * Math.log(1.25)) / Math.log(2000);
    raw.forEach(([x, y], at) => {
      const around = raw.filter((other) => Math.abs(other[0] - x) <= beside + 0.01).map(([, height]) => height);
      near(mean[at][1], around.reduce((sum, height) => sum + height, 0) / around.length, 0.35);
      // Down the screen values fall: the band's first edge is the lower one.
      const [lower, upper] = [band[at][1], band[band.length - 1 - at][1]];
      expect(lower > y - 0.02 && upper < y + 0.02, `value ${at} is in the band`).toBeTruthy();
      if (y === Math.max(...around)) near(lower, y, 0.02);
      if (y === Math.min(...around)) near(upper, y, 0.02);
      // Between two of them the edge is straight: no farther from the values than the farthest neighbours are.
      expect(lower <= Math.max(...around) + 0.5 && upper >= Math.min(...around) - 0.5, `edge ${at}`).toBeTruthy();
    });
  }
  const widths = await page
    .locator("#decay-score .curve-0 path")
    .evaluateAll((all) => all.map((path) => Number.parseFloat(getComputedStyle(path).strokeWidth)));
  expect(Math.min(...widths) < 1 && Math.max(...widths) === 4, widths.join()).toBeTruthy();
  await page.locator("#decay-bound").scrollIntoViewIfNeeded();
  const place = await page.locator("#decay-bound .curve-mark line").boundingBox();
  await page.mouse.move(place.x + 40, place.y + place.height / 2);
  await expect(page.locator("#row-decayDistance")).not.toHaveValue("100");
  await redrawn(page);
  const chosen = Number(await page.inputValue("#row-decayDistance"));
  expect(chosen).toBeGreaterThan(100);
  near(await amount(page, "bound-0"), bound(64, 10000, chosen), 1e-6);
  // No formula comes before the picture, and the bound's is shown on request.
  await expect(page.locator("#decay > .prose").first().locator("math")).toHaveCount(0);
  const folded = page.locator("#decay details .formula").first();
  await expect(folded).toBeHidden();
  await page.locator("#decay .prose details summary").click();
  await expect(folded).toBeVisible();
});
