import { expect, openSettings, redrawn, test, unfold } from "../fixtures.mjs";
import { drag, exact, named, near, press, shows, value } from "./numbers.mjs";

// The score of a rotated query and key, against the formulas in doubles.

test.use({ view: { ready: "score", kept: true } });

const rotate = ([x, y], degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
};
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
const cross = (a, b) => a[0] * b[1] - a[1] * b[0];
const [Q, K] = [
  [1.16, -0.6],
  [1.2, -0.04],
];

async function checkScore(page, m, n, { q = Q, k = K, step = 10 } = {}) {
  await redrawn(page);
  const rotated = { q: rotate(q, m * step), k: rotate(k, n * step) };
  const score = dot(rotated.q, rotated.k);
  await shows(page, {
    "[data-score]": score,
    "[data-shortened]": dot(q, k) * Math.cos(((n - m) * step * Math.PI) / 180),
  });
  for (const [name, vector] of Object.entries(rotated)) {
    const read = await exact(page, `[data-rotated="${name}"]`);
    expect(read).toHaveLength(2);
    for (const [at, dimension] of read.entries()) near(dimension, vector[at]);
  }
  // (q · k) cos Δ − (q × k) sin Δ, to three digits.
  const terms = (await page.locator("#score .equation").nth(1).textContent()).replaceAll("−", "-");
  const [qk, cosine, sideways, sine] = terms.match(/-?\d+\.\d+/g).map(Number);
  near(qk * cosine - sideways * sine, score, 5e-3);
  near(sideways, cross(q, k), 6e-4);
}

test("post C's angles, a shift that changes nothing, arrows by keys and dragging", async ({ open }) => {
  const page = await open();
  await checkScore(page, 1, 3);
  await page.fill("#row-slide", "17");
  await checkScore(page, 18, 20);
  expect(await value(page, "[data-score-drift]")).toBeLessThan(1e-6);
  await unfold(page);
  await openSettings(page, "score");
  await page.fill("#row-keyAt", "9");
  await checkScore(page, 18, 26);
  await named(page, "score", {
    '[data-rotated="q"]': "q, q′ | q, q′",
    '[data-rotated="k"]': "k, k′ | k, k′",
    "[data-score-drift]": "Largest change of the score | 得分最多变化",
    "[data-shortened]": "Post C's shorter rule | 帖子 C 的简式",
    queryAt: "Query at m | 查询的位置 m",
    keyAt: "Key at n | 键的位置 n",
    planeAngle: "Angle per position | 每个位置的角度",
    slide: "Slide both | 一起平移",
  });
  await open("#deg=0");
  await press(page, '[data-handle="q"]', "ArrowUp", "Shift+ArrowLeft");
  await checkScore(page, 1, 3, { q: [0.66, -0.55], step: 0 });
  // The plane reaches from -2 to 2: three quarters across and a quarter down is (1, 1).
  await drag(page, '[data-handle="k"]', ".score-plane", [0.75, 0.25]);
  const boxes = page.locator("#score .matrix").nth(1).locator("input");
  const k = [Number(await boxes.nth(0).inputValue()), Number(await boxes.nth(1).inputValue())];
  for (const side of k) near(side, 1, 0.02);
  await checkScore(page, 1, 3, { q: [0.66, -0.55], k, step: 0 });
  await page.click('[data-tool="post-score"]');
  await checkScore(page, 1, 3);
});

/** The angle of the wedge between the rotated arrows, in radians, from where its arc begins and ends. */
async function wedge(page) {
  const path = await page.locator(".score-plane .wedge").getAttribute("d");
  const ends = [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)(?=A|Z)/g)].map(([, x, y]) => [Number(x), -Number(y)]);
  return Math.atan2(cross(...ends), dot(...ends));
}

test("the trace is level, unless the key moves alone, and has slides far away, too", async ({ open }) => {
  const page = await open("#deg=20&slide=5");
  /** How far apart the highest and the lowest point of a curve are, in pixels. */
  const range = async (at) => {
    const path = await page.locator(`#score-trace .curve-${at} path`).last().getAttribute("d");
    const heights = [...path.matchAll(/[ML]\S+ (\S+?)(?=[ML]|$)/g)].map(([, y]) => Number(y));
    expect(heights.length).toBe(73);
    return Math.max(...heights) - Math.min(...heights);
  };
  // The wedge keeps its angle.
  const [q, k] = [rotate(Q, 20), rotate(K, 60)];
  const between = Math.atan2(cross(q, k), dot(q, k));
  near(await wedge(page), between, 1e-3);
  await press(page, "#score-trace", "ArrowRight");
  expect(await range(0), "level").toBeLessThan(0.1);
  expect(await range(1), "not level").toBeGreaterThan(100);
  await page.fill("#row-slide", "9000");
  const spoken = /^slide 9000: score 0\.\d+; with the key alone, /;
  await expect(page.locator("#score-trace")).toHaveAttribute("aria-valuetext", spoken);
  near(await wedge(page), between, 1e-3);
});

// It stops at the reader's first move as waves do.
test("it plays once by itself and leaves no row in the link @all", async ({ open }) => {
  const page = await open({ reducedMotion: "no-preference" });
  await expect.poll(() => page.inputValue("#row-slide").then(Number)).toBeGreaterThan(3);
  await expect(page.locator("#row-slide")).toHaveValue("0");
  expect(await page.evaluate(() => location.hash)).not.toContain("slide");
});
