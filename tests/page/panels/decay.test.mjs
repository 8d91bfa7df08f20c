import { load } from "../../../dist/full.js";
import { expect, redrawn, savedText, test, words } from "../fixtures.mjs";
import { named, near, number, press } from "./numbers.mjs";

// Long-term decay, against sums of JavaScript's own sines and cosines.

test.use({ view: { ready: "decay", kept: true } });

const angles = (pairs, base, m) => Array.from({ length: pairs }, (_, i) => m * base ** (-i / pairs));
const mean = (base, m, pairs = 64) => angles(pairs, base, m).reduce((sum, angle) => sum + Math.cos(angle), 0) / pairs;

/** The scores that the caption gives, at the distance that it names. */
async function said(page) {
  await redrawn(page);
  const text = await words(page.locator("#decay-caption"));
  const [, distance] = text.match(/distance (\d+)/);
  return {
    distance: Number(distance),
    scores: [...text.matchAll(/(−?[\d.]+) \(base/g)].map(([, score]) => number(score)),
  };
}

test("the score of both bases at any distance, in words and in the file; a pointer chooses", async ({ open }) => {
  const page = await open();
  const holds = async (m) => {
    const { distance, scores } = await said(page);
    expect(distance).toBe(m);
    for (const [which, base] of [10000, 500000].entries()) near(scores[which], mean(base, m), 6e-4);
  };
  for (const m of [31337, 7, 100000]) {
    await page.fill("#row-decayDistance", String(m));
    await holds(m);
  }
  const [, ...lines] = (await savedText(page, "decay", "csv")).trim().split("\r\n");
  expect(lines.length).toBeGreaterThan(500);
  for (const line of lines.filter((_, at) => at % 50 === 0)) {
    const [m, ...scores] = line.split(",").map(Number);
    for (const [which, base] of [10000, 500000].entries()) near(scores[which], mean(base, m), 1e-6);
  }
  await named(page, "decay", {
    decayPairs: "Pairs d/2 | 维度对数 d/2",
    decayBase: "First base | 底数一",
    decayOtherBase: "Second base | 底数二",
    decayReach: "Farthest distance | 最远距离",
    decayDistance: "Distance m | 距离 m",
  });
  await page.fill("#row-decayDistance", "100");
  await redrawn(page);
  await page.locator("#decay-score").scrollIntoViewIfNeeded();
  const place = await page.locator("#decay-score .curve-mark line").boundingBox();
  await page.mouse.move(place.x + 40, place.y + place.height / 2);
  await expect(page.locator("#row-decayDistance")).not.toHaveValue("100");
});

test("random vectors come from their seed, and their score is q · R(m) k", async ({ open }) => {
  const page = await open("#qk=random&seed=5&dp=16&b1=300&dm=12&reach=1000");
  const pe = await load();
  const check = async (seed, m) => {
    const { data } = pe.learnedTable({ length: 2, dim: 32, seed, std: 1 });
    const [q, k] = [data.slice(0, 32), data.slice(32)];
    const score = angles(16, 300, m).reduce((sum, angle, i) => {
      const [a, b, c, d] = [q[2 * i], q[2 * i + 1], k[2 * i], k[2 * i + 1]];
      return sum + (a * c + b * d) * Math.cos(angle) + (b * c - a * d) * Math.sin(angle);
    }, 0);
    const { distance, scores } = await said(page);
    expect(distance).toBe(m);
    near(scores[0], score / Math.hypot(...q) / Math.hypot(...k), 6e-4);
  };
  await check(5, 12);
  await page.fill("#row-decaySeed", "6");
  await press(page, "#decay-score", "End");
  await check(6, 1000);
});

test("each thick curve is a local mean of the thin one", async ({ open }) => {
  const page = await open("#reach=2000");
  /** The corners of a path, in pixels. */
  const corners = async (part) =>
    (await page.locator(`#decay-score .curve-0 ${part}`).getAttribute("d"))
      .split(/[ML]/)
      .filter(Boolean)
      .map((point) => point.split(" ").map(Number));
  const raw = await corners(".raw");
  const drawn = await corners("path:not(.raw) >> nth=1");
  expect(drawn.length).toBe(raw.length);
  // The horizontal axis is logarithmic: a factor is so many pixels.
  const beside = ((raw.at(-1)[0] - raw[0][0]) * Math.log(1.25)) / Math.log(2000);
  for (const [at, [x]] of raw.entries()) {
    const around = raw.filter((other) => Math.abs(other[0] - x) <= beside + 0.01).map(([, height]) => height);
    near(drawn[at][1], around.reduce((sum, height) => sum + height, 0) / around.length, 0.35);
  }
});
