import { expect, openSettings, redrawn, test, words } from "../fixtures.mjs";
import { named, near, number, press, value } from "./numbers.mjs";

// Errors of angles, against the same roundings done here, in another way.

test.use({ view: { ready: "precision", kept: true } });

const cell = (page, way, name) => words(page.locator(`#precision [data-way="${way}"] [${name}]`));
const amount = (page, way, name) => value(page, `#precision [data-way="${way}"] [${name}]`);
const first = async (page, way) => Number((await cell(page, way, "data-first")).match(/\d+/)[0]);
const done = (page, length) => page.waitForSelector(`#precision [data-done="${length}"]`);

const { fround } = Math;
const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);
/** The nearest bfloat16, ties to even. */
function bfloat16(x) {
  float[0] = x;
  bits[0] = (bits[0] + 0x7fff + ((bits[0] >>> 16) & 1)) & 0xffff0000;
  return float[0];
}
const period = 2 * Math.PI;
const between = (a, b) => Math.abs(a - b - period * Math.round((a - b) / period));

/** How each way rounds the angle p ω, ω = base^e. */
const WAYS = {
  float32: (p, base, e) => fround(fround(1 / fround(base ** fround(-e))) * p),
  bfloat16: (p, base, e) => bfloat16(bfloat16(p) * bfloat16(base ** e)),
  stored: (p, base, e) => Math.atan2(bfloat16(Math.sin(p * base ** e)), bfloat16(Math.cos(p * base ** e))),
};
/** The largest error over all pairs at position p. */
const error = (way, p, pairs, base) =>
  Math.max(
    ...Array.from({ length: pairs }, (_, i) => between(WAYS[way](p, base, -i / pairs), p * base ** (-i / pairs))),
  );
/** Cosines of float32 hide this much of an angle. */
const grain = 1.5e-7;

/** The error of a way is above a limit at a position, and at none before. */
function begins(way, at, pairs, base, limit) {
  for (let p = 0; p < at; p++)
    expect(error(way, p, pairs, base), `${way}: ${p} before ${at}`).toBeLessThan(limit + grain);
  expect(error(way, at, pairs, base), `${way}: ${at}`).toBeGreaterThan(limit - grain);
}

test("errors at a position, and the first one above a limit, of every way", async ({ open }) => {
  const page = await open("#ap=32&ab=500&an=8192&x0=0.0005&ax=5000");
  await done(page, 8192);
  for (const way of ["float32", "bfloat16", "stored"]) {
    const expected = error(way, 5000, 32, 500);
    near(await amount(page, way, "data-error"), expected, grain + 5e-6 * expected);
    const [, at] = (await cell(page, way, "data-first")).match(/^from position (\d+) on$/) ?? [];
    if (at) begins(way, Number(at), 32, 500, 0.0005);
    else for (let p = 0; p < 8192; p++) expect(error(way, p, 32, 500), way).toBeLessThan(0.0005 + grain);
  }
  // An angle that is rounded at each of 5000 steps: more than the float32 of a single one, less than if all added up.
  const running = await amount(page, "running", "data-error");
  expect(running > 2 ** -24 && running < 5000 * 2 ** -23, `running ${running}`).toBeTruthy();
  expect(await cell(page, "running", "data-first")).toBe("not up to position 8191");
  const answer = page.locator("#precision [data-answer] strong");
  await expect(answer).toRead(/^float32 angles (drift past 0\.0005 rad at position \d+|stay within 0\.0005 rad)/);
  await page.fill("#row-precisionLimit", "2");
  await expect(answer).toRead(/^float32 angles stay within 2 rad up to position 8191/);
});

test("another limit, another model, and keys that move along the positions", async ({ open }) => {
  const page = await open("#ap=8&ab=100&an=2048&ax=300");
  await done(page, 2048);
  await page.fill("#row-precisionLimit", "0.5");
  await redrawn(page);
  begins("bfloat16", await first(page, "bfloat16"), 8, 100, 0.5);
  await press(page, "#precision-curve", "End");
  const pair = Number(await cell(page, "float32", "data-pair"));
  const angle = number(await words(page.locator("#precision [data-angle]")));
  expect(angle).toBe(Number((2047 * 100 ** (-pair / 8)).toPrecision(12)));
  await press(page, "#precision-curve", "Home");
  await openSettings(page, "precision");
  await page.fill("#row-precisionBase", "20");
  await redrawn(page);
  await done(page, 2048);
  begins("bfloat16", await first(page, "bfloat16"), 8, 20, 0.5);
  await named(page, "precision", {
    '[data-way="float32"]': "float32 angles | float32 角度",
    '[data-way="running"]': "running products | 逐步累乘",
    '[data-way="bfloat16"]': "bfloat16 angles | bfloat16 角度",
    '[data-way="stored"]': "bfloat16 cosines | bfloat16 余弦",
    ".tables thead th:nth-child(2)": "first error > 0.5 | 首次误差 > 0.5",
    ".tables thead th:nth-child(3)": "error at position 1 | 位置 1 处的误差",
    ".tables thead th:nth-child(4)": "in pair i | 维度对序号 i",
    ".tables thead th:nth-child(5)": "largest up to there | 到该处为止最大",
  });
});
