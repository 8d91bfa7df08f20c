import { expect, openSettings, redrawn, savedText, test, words } from "../fixtures.mjs";
import { named, near, press } from "./numbers.mjs";

// Which rule makes a score depend on distance alone: the library's scores against the rules in doubles.

test.use({ view: { ready: "derive", kept: true } });

const rules = (radians) => ({
  add: ([x, y], p) => [x + Math.sin(p * radians), y + Math.cos(p * radians)],
  scale: ([x, y], p) => [x * 1.045 ** p, y * 1.045 ** p],
  rotate: ([x, y], p) => [
    x * Math.cos(p * radians) - y * Math.sin(p * radians),
    x * Math.sin(p * radians) + y * Math.cos(p * radians),
  ],
});

test("the scores of all pairs by three rules; only a rotation's are one for each distance", async ({ open }) => {
  const page = await open("#qv=1,0.5&key=-0.75,0.25&deg=33");
  const of = rules((33 * Math.PI) / 180);
  const [, ...lines] = (await savedText(page, "derive", "csv")).trim().split("\r\n");
  expect(lines.length).toBe(Array.from({ length: 11 }, (_, distance) => 24 - distance).reduce((a, b) => a + b));
  const spread = {};
  for (const line of lines) {
    const [distance, m, n, ...scores] = line.split(",").map(Number);
    expect(m - n).toBe(distance);
    for (const [at, [name, rule]] of Object.entries(of).entries()) {
      const [[a, b], [c, d]] = [rule([1, 0.5], m), rule([-0.75, 0.25], n)];
      near(scores[at], a * c + b * d, 1e-5);
      const { low = Number.POSITIVE_INFINITY, high = Number.NEGATIVE_INFINITY } = spread[`${name} ${distance}`] ?? {};
      spread[`${name} ${distance}`] = { low: Math.min(low, scores[at]), high: Math.max(high, scores[at]) };
    }
  }
  for (const [name, { low, high }] of Object.entries(spread))
    expect(high - low < 1e-5, `${name}: from ${low} to ${high}`).toBe(name.startsWith("rotate"));
  // The verdict on the question has the largest of each rule; by keys the focus stays.
  const [status, none] = ["[role=status]", '[data-guess="-"]'].map((part) => page.locator(`#derive .guess ${part}`));
  await none.press("Space");
  await expect(status).toRead(/\d/);
  await expect(none).toBeFocused();
  await expect(page.locator("#derive .guess")).toHaveAttribute("role", "group");
  const said = (await words(status)).match(/\d+\.\d+/g).map(Number);
  for (const [at, rule] of Object.keys(of).entries()) {
    const own = Object.keys(spread).filter((name) => name.startsWith(rule));
    near(said[at], Math.max(...own.map((name) => spread[name].high - spread[name].low)), 0.006);
  }
  expect(said[2]).toBe(0);
});

test("dots of a column fall onto one; slider, keys, a tap and number boxes choose", async ({ open }) => {
  const page = await open("#m=9");
  const heights = (distance) =>
    page
      .locator(`#derive [data-distance="${distance}"] circle`)
      .evaluateAll((all) => new Set(all.map((dot) => dot.getAttribute("cy"))).size);
  const caption = page.locator("#derive-caption");
  expect(await heights(3)).toBeGreaterThan(10);
  await expect(caption).toRead(/Distance 3, 21 pairs: from .* query at 9 and key at 6/);
  await page.check('#derive input[value="rotate"]', { force: true });
  await redrawn(page);
  for (const distance of [0, 3, 10]) expect(await heights(distance)).toBeLessThanOrEqual(2);
  const score = ([[a, b], [c, d]], angle) => (a * c + b * d) * Math.cos(angle) + (a * d - b * c) * Math.sin(-angle);
  const expected = score(
    [
      [1.15, 0.45],
      [0.95, -0.35],
    ],
    (-3 * 24 * Math.PI) / 180,
  ).toFixed(2);
  await expect(caption).toRead(new RegExp(`always ${expected.replace("-", "−")}`));
  await press(page, ".derive-picture", "ArrowRight", "ArrowRight");
  await expect(caption).toRead(/Distance 5, .* query at 9 and key at 4/);
  await page.locator('#derive [data-distance="10"] text').click();
  // The query is at least that far from the beginning.
  await expect(caption).toRead(/Distance 10, 14 pairs.* query at 10 and key at 0/);
  await openSettings(page, "derive");
  await page.fill("#derive .matrix input >> nth=0", "2");
  await expect(page).toHaveURL(/qv=2%2C0.45/);
  await named(page, "derive", {
    queryAt: "Slide both: query at m | 一起平移：查询在 m",
    planeAngle: "Angle per position | 每个位置的角度",
  });
});
