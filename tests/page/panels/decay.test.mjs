import { load } from "../../../dist/full.js";
import { expect, redrawn, test, words } from "../fixtures.mjs";
import { named, near, press, value } from "./numbers.mjs";

// Long-term decay, against sums of JavaScript's own sines and cosines.

test.use({ view: { ready: "decay", kept: true } });

const amount = (page, row) => value(page, `#decay [data-quantity="${row}"] [data-value]`);
const cell = (page, row, name) => words(page.locator(`#decay [data-quantity="${row}"] [${name}]`));

const angles = (pairs, base, m) => Array.from({ length: pairs }, (_, i) => m * base ** (-i / pairs));
const QUANTITIES = {
  bound: (base, m, pairs = 64) => {
    let [re, im, sum] = [0, 0, 0];
    for (const angle of angles(pairs, base, m)) {
      re += Math.cos(angle);
      im += Math.sin(angle);
      sum += Math.hypot(re, im);
    }
    return sum / ((pairs * (pairs + 1)) / 2);
  },
  score: (base, m, pairs = 64) => angles(pairs, base, m).reduce((sum, angle) => sum + Math.cos(angle), 0) / pairs,
};
const firstRise = (curve) => {
  for (let m = 2; ; m++) if (curve(m) > curve(m - 1)) return `${m - 1} → ${m}`;
};

test("bound and score of both bases at any distance, and where they rise; a pointer chooses", async ({ open }) => {
  const page = await open();
  const holds = async (m) => {
    await redrawn(page);
    for (const [name, quantity] of Object.entries(QUANTITIES))
      for (const [which, base] of [10000, 500000].entries())
        near(await amount(page, `${name}-${which}`), quantity(base, m), 1e-6);
  };
  for (const m of [31337, 7, 100000]) {
    await page.fill("#row-decayDistance", String(m));
    await holds(m);
  }
  for (const [name, quantity] of Object.entries(QUANTITIES))
    for (const [which, base] of [10000, 500000].entries())
      expect(await cell(page, `${name}-${which}`, "data-first")).toBe(firstRise((m) => quantity(base, m)));
  // A tick for each rise that is counted.
  const counted = Number((await cell(page, "score-1", "data-rises")).match(/^\d+/)[0]);
  const ticks = await page.locator('#decay-score-rises [data-rises="1"] path').getAttribute("d");
  expect(ticks.split("M").length - 1).toBe(counted);
  expect(counted).toBeGreaterThan(100);
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
  await page.fill("#row-decayDistance", "100");
  await redrawn(page);
  await page.locator("#decay-bound").scrollIntoViewIfNeeded();
  const place = await page.locator("#decay-bound .curve-mark line").boundingBox();
  await page.mouse.move(place.x + 40, place.y + place.height / 2);
  await expect(page.locator("#row-decayDistance")).not.toHaveValue("100");
  await redrawn(page);
  await holds(Number(await page.inputValue("#row-decayDistance")));
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
  await page.fill("#row-decaySeed", "6");
  await press(page, "#decay-score", "End");
  await check(6, 1000);
});

test("each curve is a local mean in a band around every value", async ({ open }) => {
  const page = await open("#reach=2000");
  /** The corners of a path, in pixels. */
  const corners = async (part) =>
    (await page.locator(`#decay-score .curve-0 ${part}`).getAttribute("d"))
      .split(/[MLZ]/)
      .filter(Boolean)
      .map((point) => point.split(" ").map(Number));
  const raw = await corners(".raw");
  const band = await corners(".band");
  const mean = await corners("path:not(.raw, .band) >> nth=1");
  expect([mean.length, band.length]).toEqual([raw.length, 2 * raw.length]);
  // The horizontal axis is logarithmic: a factor is so many pixels.
  const beside = ((raw.at(-1)[0] - raw[0][0]) * Math.log(1.25)) / Math.log(2000);
  for (const [at, [x, y]] of raw.entries()) {
    const around = raw.filter((other) => Math.abs(other[0] - x) <= beside + 0.01).map(([, height]) => height);
    near(mean[at][1], around.reduce((sum, height) => sum + height, 0) / around.length, 0.35);
    // Down the screen values fall: the band's first edge is the lower one.
    expect(band[at][1] > y - 0.02 && band.at(-1 - at)[1] < y + 0.02, `value ${at} is in the band`).toBe(true);
  }
});
