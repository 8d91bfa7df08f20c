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

test("post C's angles, and a shift of both positions that changes nothing; arrows by keys and dragging", async ({
  open,
}) => {
  const page = await open();
  await checkScore(page, 1, 3);
  await expect(page.locator("[data-score]")).toHaveText("1.100");
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

test("the wedge keeps its angle and the trace is level, unless the key moves alone", async ({ open }) => {
  const page = await open("#deg=20");
  const between = (a, b) => (Math.atan2(cross(a, b), dot(a, b)) * 180) / Math.PI;
  /** The wedge between the rotated arrows is as wide as before: its arc begins and ends at these points. */
  const keepsWedge = async () => {
    await redrawn(page);
    const path = await page.locator(".score-plane .wedge").getAttribute("d");
    const ends = [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)(?=A|Z)/g)].map(([, x, y]) => [Number(x), -Number(y)]);
    near(between(...ends), between(rotate(Q, 20), rotate(K, 60)), 0.05);
  };
  /** How far apart the highest and the lowest point of a curve are, in pixels. */
  const range = async (at) => {
    const path = await page.locator(`#score-trace .curve-${at} path`).last().getAttribute("d");
    const heights = [...path.matchAll(/[ML]\S+ (\S+?)(?=[ML]|$)/g)].map(([, y]) => Number(y));
    expect(heights.length).toBe(73);
    return Math.max(...heights) - Math.min(...heights);
  };
  const trace = page.locator("#score-trace");
  await keepsWedge();
  await page.fill("#row-slide", "5");
  await press(page, "#score-trace", "ArrowRight");
  await keepsWedge();
  expect(await range(0), "level").toBeLessThan(0.1);
  expect(await range(1), "not level").toBeGreaterThan(100);
  await expect(trace).toHaveAttribute("aria-valuetext", /^slide 6: score 0\.\d+; with the key alone, /);
  // A slide far away is on the trace, too.
  await page.fill("#row-slide", "9000");
  await keepsWedge();
  await expect(trace).toHaveAttribute("aria-valuetext", /^slide 9000: /);
});

test("it plays once by itself, leaves no row in the link, and stops at the reader's first move @all", async ({
  open,
}) => {
  const slide = (page) => page.inputValue("#row-slide").then(Number);
  const page = await open({ reducedMotion: "no-preference" });
  await expect.poll(() => slide(page)).toBeGreaterThan(3);
  await expect(page.locator("#row-slide")).toHaveValue("0");
  expect(await page.evaluate(() => location.hash)).not.toContain("slide");
  const other = await open({ reducedMotion: "no-preference" });
  await expect.poll(() => slide(other)).toBeGreaterThan(1);
  await other.locator(".score-plane").click({ position: { x: 9, y: 9 } });
  const stopped = await slide(other);
  await other.waitForTimeout(600);
  expect(await slide(other)).toBe(stopped);
});
