import { expect, openSettings, redrawn, test, words } from "../fixtures.mjs";
import { number, value } from "./numbers.mjs";

// Errors of angles, against the same roundings done here, in another way.

const cell = (page, way, name) => words(page.locator(`#precision [data-way="${way}"] [${name}]`));
const amount = (page, way, name) => value(page, `#precision [data-way="${way}"] [${name}]`);
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

/** The largest error over all pairs at position p. */
function error(way, p, pairs, base) {
  const off = (i) => {
    const omega = base ** (-i / pairs);
    const truth = p * omega;
    if (way === "float32") return between(fround(fround(1 / fround(base ** fround(i / pairs))) * p), truth);
    if (way === "bfloat16") return between(bfloat16(bfloat16(p) * bfloat16(omega)), truth);
    return between(Math.atan2(bfloat16(Math.sin(truth)), bfloat16(Math.cos(truth))), truth);
  };
  return Math.max(...Array.from({ length: pairs }, (_, i) => off(i)));
}
/** Cosines of float32 hide this much of an angle. */
const grain = 1.5e-7;

test("errors at a position, and the first one above a limit, of every way @all", async ({ open }) => {
  const page = await open({ hash: "#ap=32&ab=500&an=8192&x0=0.0005&ax=5000", ready: "precision" });
  await done(page, 8192);
  for (const way of ["float32", "bfloat16", "stored"]) {
    const shown = await amount(page, way, "data-error");
    const expected = error(way, 5000, 32, 500);
    expect(Math.abs(shown - expected), `${way}: ${shown}, not ${expected}`).toBeLessThan(grain + 5e-6 * expected);
    const first = Number((await cell(page, way, "data-first")).match(/^from position (\d+) on$/)?.[1] ?? 8192);
    for (let p = 0; p < first; p++)
      expect(error(way, p, 32, 500), `${way}: ${p} before ${first}`).toBeLessThan(0.0005 + grain);
    if (first < 8192) expect(error(way, first, 32, 500), `${way}: ${first}`).toBeGreaterThan(0.0005 - grain);
  }
  // An angle that is rounded at each of 5000 steps: more than the float32 of a single one, less than if all added up.
  const running = await amount(page, "running", "data-error");
  expect(running > 2 ** -24 && running < 5000 * 2 ** -23, `running ${running}`).toBeTruthy();
  await expect.poll(() => cell(page, "running", "data-first")).toBe("not up to position 8191");
});

test("another limit is answered at once, another model is computed anew", async ({ open }) => {
  const page = await open({ hash: "#ap=8&ab=100&an=2048", ready: "precision" });
  await done(page, 2048);
  await page.fill("#row-precisionLimit", "0.5");
  await redrawn(page);
  const first = async (way) => Number((await cell(page, way, "data-first")).match(/\d+/)[0]);
  const at = await first("bfloat16");
  expect(error("bfloat16", at, 8, 100)).toBeGreaterThan(0.5);
  for (let p = 0; p < at; p++) expect(error("bfloat16", p, 8, 100), String(p)).toBeLessThanOrEqual(0.5 + grain);
  await openSettings(page, "precision");
  await page.fill("#row-precisionBase", "20");
  await redrawn(page);
  await done(page, 2048);
  const other = await first("bfloat16");
  expect(error("bfloat16", other, 8, 20)).toBeGreaterThan(0.5);
  for (let p = 0; p < other; p++) expect(error("bfloat16", p, 8, 20), String(p)).toBeLessThanOrEqual(0.5 + grain);
});

test("the keyboard moves along the positions and the angle is the formula's", async ({ open }) => {
  const page = await open({ hash: "#ap=8&ab=100&an=2048&ax=300", ready: "precision" });
  await done(page, 2048);
  const curve = page.locator("#precision-curve");
  await curve.focus();
  await page.keyboard.press("End");
  await redrawn(page);
  await expect(page.locator("#row-precisionPosition")).toHaveValue("2047");
  const pair = Number(await cell(page, "float32", "data-pair"));
  const angle = number(await words(page.locator("#precision [data-angle]")));
  expect(angle).toBe(Number((2047 * 100 ** (-pair / 8)).toPrecision(12)));
  await page.keyboard.press("Home");
  await expect(page.locator("#row-precisionPosition")).toHaveValue("1");
  await expect(curve).toHaveAttribute("aria-valuetext", /^p = 1: float32 angles /);
});

test("the answer comes first, and the library's own line is what rounding to float32 leaves", async ({ open }) => {
  const page = await open({ hash: "#an=32768", ready: "precision" });
  await done(page, 32768);
  const answer = page.locator("#precision [data-answer]");
  const first = Number((await cell(page, "float32", "data-first")).match(/\d+/)[0]);
  expect(error("float32", first, 64, 10000)).toBeGreaterThan(0.001 - grain);
  await expect(answer.locator("strong")).toHaveText(`float32 angles drift past 0.001 rad at position ${first}.`);
  const above = await page.evaluate(() => {
    const top = (selector) => document.querySelector(`#precision ${selector}`).getBoundingClientRect().top;
    return top("[data-answer]") < top("#precision-curve") && top("#precision-curve") < top(".controls");
  });
  expect(above, "before the picture, which is before the controls").toBeTruthy();
  // Rounded to float32 here, in the same pairs.
  const rounded = (p) =>
    Math.max(
      ...Array.from({ length: 64 }, (_, i) => {
        const truth = p * 10000 ** (-i / 64);
        return between(Math.atan2(fround(Math.sin(truth)), fround(Math.cos(truth))), truth);
      }),
    );
  const shown = await amount(page, "library", "data-error");
  expect(Math.abs(shown - rounded(4096)), `${shown}, not ${rounded(4096)}`).toBeLessThan(1e-9);
  const most = await amount(page, "library", "data-most");
  expect(most >= shown && most < 2 ** -24, String(most)).toBeTruthy();
  await expect(answer).toRead(/This library's angles stay within 0\.001 rad up to position 32767/);
  await page.fill("#row-precisionLimit", "2");
  await expect(answer.locator("strong")).toRead(/^float32 angles stay within 2 rad up to position 32767/);
});
