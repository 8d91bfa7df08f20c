import { expect, openSettings, redrawn, test, unfold } from "../fixtures.mjs";
import { exact, named, near, value } from "./numbers.mjs";

// The score of a rotated query and key, against the formulas in doubles.

test.use({ view: { ready: "score", kept: true } });

const rotate = ([x, y], degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
};
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];

async function checkScore(page, q, k, m, n, step = 10) {
  await redrawn(page);
  const [rotatedQ, rotatedK] = [rotate(q, m * step), rotate(k, n * step)];
  near(await value(page, "[data-score]"), dot(rotatedQ, rotatedK));
  expect(await exact(page, '[data-rotated="q"]')).toHaveLength(2);
  for (const [at, dimension] of (await exact(page, '[data-rotated="q"]')).entries()) near(dimension, rotatedQ[at]);
  for (const [at, dimension] of (await exact(page, '[data-rotated="k"]')).entries()) near(dimension, rotatedK[at]);
  near(await value(page, "[data-shortened]"), dot(q, k) * Math.cos(((n - m) * step * Math.PI) / 180));
  // (q · k) cos Δ − (q × k) sin Δ, to three digits.
  const terms = (await page.locator("#score .equation").nth(1).textContent()).replaceAll("−", "-");
  const [qk, cosine, cross, sine] = terms.match(/-?\d+\.\d+/g).map(Number);
  near(qk * cosine - cross * sine, dot(rotatedQ, rotatedK), 5e-3);
  near(cross, q[0] * k[1] - q[1] * k[0], 6e-4);
}

test("post C's angles, and a shift of both positions that changes nothing", async ({ open }) => {
  const page = await open();
  const [q, k] = [
    [1.16, -0.6],
    [1.2, -0.04],
  ];
  await checkScore(page, q, k, 1, 3);
  await expect(page.locator("[data-score]")).toHaveText("1.100");
  const before = await value(page, "[data-score]");
  await page.fill("#row-slide", "17");
  await checkScore(page, q, k, 18, 20);
  near(await value(page, "[data-score]"), before);
  expect(await value(page, "[data-score-drift]")).toBeLessThan(1e-6);
  await unfold(page);
  await openSettings(page, "score");
  await page.fill("#row-keyAt", "9");
  await checkScore(page, q, k, 18, 26);
  expect(Math.abs((await value(page, "[data-score]")) - before)).toBeGreaterThan(0.01);
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
});

test("arrows are moved by keys and by dragging", async ({ open }) => {
  const page = await open("#deg=0");
  await page.locator('[data-handle="q"]').focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowLeft");
  await checkScore(page, [0.66, -0.55], [1.2, -0.04], 1, 3, 0);
  const drawing = page.locator(".score-plane");
  await drawing.scrollIntoViewIfNeeded();
  const box = await drawing.boundingBox();
  const knob = await page.locator('[data-handle="k"]').boundingBox();
  await page.mouse.move(knob.x + knob.width / 2, knob.y + knob.height / 2);
  await page.mouse.down();
  // The plane reaches from -2 to 2: three quarters across and a quarter down is (1, 1).
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.25, { steps: 4 });
  await page.mouse.up();
  await redrawn(page);
  const boxes = page.locator("#score .matrix").nth(1).locator("input");
  const [x, y] = [Number(await boxes.nth(0).inputValue()), Number(await boxes.nth(1).inputValue())];
  near(x, 1, 0.02);
  near(y, 1, 0.02);
  await checkScore(page, [0.66, -0.55], [x, y], 1, 3, 0);
  await unfold(page);
  await page.click('[data-tool="post-score"]');
  await checkScore(page, [1.16, -0.6], [1.2, -0.04], 1, 3);
});

/** The angle of the wedge between the rotated arrows, in degrees, from where its arc begins and ends. */
async function wedge(page) {
  const [from, to] = await page
    .locator(".score-plane .wedge")
    .evaluate((path) =>
      [...path.getAttribute("d").matchAll(/(-?[\d.]+) (-?[\d.]+)(?=A|Z)/g)].map(([, x, y]) => [Number(x), -Number(y)]),
    );
  return (Math.atan2(from[0] * to[1] - from[1] * to[0], dot(from, to)) * 180) / Math.PI;
}

test("the wedge keeps its angle and the trace is level, unless the key moves alone", async ({ open }) => {
  const page = await open("#deg=20");
  const between = (a, b) => (Math.atan2(a[0] * b[1] - a[1] * b[0], dot(a, b)) * 180) / Math.PI;
  const expected = between(rotate([1.16, -0.6], 20), rotate([1.2, -0.04], 60));
  const heights = async (at) => {
    const path = await page.locator(`#score-trace .curve-${at} path`).last().getAttribute("d");
    return path
      .split(/[ML]/)
      .slice(1)
      .map((point) => Number(point.split(" ")[1]));
  };
  const trace = page.locator("#score-trace");
  near(await wedge(page), expected, 0.05);
  await page.fill("#row-slide", "5");
  await redrawn(page);
  await trace.press("ArrowRight");
  await redrawn(page);
  near(await wedge(page), expected, 0.05);
  const [both, alone] = [await heights(0), await heights(1)];
  expect(both.length).toBe(73);
  expect(Math.max(...both) - Math.min(...both), "level").toBeLessThan(0.1);
  expect(Math.max(...alone) - Math.min(...alone), "not level").toBeGreaterThan(100);
  await expect(trace).toHaveAttribute("aria-valuetext", /^slide 6: score 0\.\d+; with the key alone, /);
  // A slide far away is on the trace, too.
  await page.fill("#row-slide", "9000");
  await redrawn(page);
  await expect(trace).toHaveAttribute("aria-valuetext", /^slide 9000: /);
  near(await wedge(page), expected, 0.05);
});

test("it plays once by itself and leaves no row in the link; it stops at the reader's first move @all", async ({
  open,
}) => {
  const page = await open({ reducedMotion: "no-preference" });
  const slide = page.locator("#row-slide");
  await page.waitForFunction(() => Number(document.querySelector("#row-slide").value) > 3);
  await expect(slide).toHaveValue("0");
  await expect(page.locator('#score [data-player="play"]')).toHaveCount(1);
  await page.waitForTimeout(500);
  await expect(slide).toHaveValue("0");
  expect(await page.evaluate(() => location.hash)).not.toContain("slide");
  // Played by the reader, it can be stopped.
  await page.click('#score [data-player="play"]');
  await page.waitForFunction(() => Number(document.querySelector("#row-slide").value) >= 2);
  await page.click('#score [data-player="pause"]');
  const by = Number(await slide.inputValue());
  await checkScore(page, [1.16, -0.6], [1.2, -0.04], 1 + by, 3 + by);

  const other = await open({ reducedMotion: "no-preference" });
  await other.waitForFunction(() => Number(document.querySelector("#row-slide").value) > 1);
  await other.locator(".score-plane").click({ position: { x: 9, y: 9 } });
  const stopped = await other.inputValue("#row-slide");
  await other.waitForTimeout(600);
  await expect(other.locator("#row-slide")).toHaveValue(stopped);

  const calm = await open();
  await calm.waitForTimeout(2500);
  await expect(calm.locator("#row-slide")).toHaveValue("0");
});
