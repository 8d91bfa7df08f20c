import { expect, redrawn, savedText, steady, test } from "../fixtures.mjs";
import { named, nearRatio, press, shows, value } from "./numbers.mjs";

// Waves, clock hands and counter, against the formulas in JavaScript's doubles.

test.use({ view: { ready: "waves", kept: true } });

const at = (key) => `#waves [data-value="${key}"]`;

test("hands have their true angles, and the numbers are the formula's", async ({ open }) => {
  const page = await open("#wn=300&wdim=64&wbase=500&pairs=0+3+9+31+99&pair=9&p=123");
  const omega = (pair) => 500 ** ((-2 * pair) / 64);
  const angle = 123 * omega(9);
  const expected = { omega: omega(9), lambda: (2 * Math.PI) / omega(9), radians: angle };
  await shows(page, Object.fromEntries(Object.entries(expected).map(([key, wanted]) => [at(key), wanted])), nearRatio);
  nearRatio(await value(page, at("degrees")), ((angle / Math.PI) * 180) % 360, 1e-4);
  for (const wave of ["sin", "cos"])
    expect(await value(page, at(wave))).toBe(Number(Math.fround(Math[wave](angle)).toPrecision(7)));
  await expect(page.locator(at("binary"))).toHaveText("1111011");
  // A pair that 64 dimensions do not have is left out.
  const hands = await page.locator("#waves [data-clock] .hand").evaluateAll((all) =>
    all.map(({ x1, x2, y1, y2, parentNode }) => ({
      pair: Number(parentNode.closest("[data-clock]").dataset.clock),
      angle: Math.atan2(y1.baseVal.value - y2.baseVal.value, x2.baseVal.value - x1.baseVal.value),
    })),
  );
  expect(hands.map(({ pair }) => pair)).toEqual([0, 3, 9, 31]);
  for (const { pair, angle } of hands)
    expect(Math.cos(angle - 123 * omega(pair)), `pair ${pair}`).toBeGreaterThan(1 - 1e-12);
  await named(page, "waves", {
    '[data-value="omega"]': "Frequency ω | 频率 ω",
    '[data-value="degrees"]': "Angle of the hand | 指针在本圈内的角度",
    '[data-value="sin"]': "sin(p·ω) | sin(p·ω)",
    '[data-value="cos"]': "cos(p·ω) | cos(p·ω)",
    '[data-value="pair"]': "Pair | 所选维度对 i",
    '[data-value="binary"]': "p in binary | p 的二进制",
    waveDim: "Dimensions d | 维数 d",
    waveBase: "Base b | 底数 b",
    waveLength: "Length of the text | 文本长度",
  });
});

test("periods longer than the text are marked; a pair that there is not is reported", async ({ open }) => {
  const page = await open("#wn=100&wdim=16&pairs=0,1,2,3,4,5");
  const longer = (selector) =>
    page.locator(selector).evaluateAll((all) => all.map(({ classList }) => classList.contains("longer")));
  expect(await longer("#waves [data-wave]")).toEqual([false, false, false, true, true, true]);
  await expect(page.locator("#waves-caption")).toRead(/3 of 6 periods/);
  await page.fill("#row-waveLength", "20");
  await redrawn(page);
  expect(await longer("#waves [data-bit]")).toEqual([false, false, false, false, true, true]);
  await page.fill("#row-wavePairs", "77 88");
  await expect(page.locator("#waves .note").first()).toRead(/has no pair with these numbers/);
});

test("pointing and keys choose position and pair; the counter counts along; the file has it all", async ({ open }) => {
  const page = await open("#p=5");
  const expectAt = async (position, pair) => {
    await expect.poll(() => value(page, at("pair"))).toBe(pair);
    await redrawn(page);
    nearRatio(await value(page, at("radians")), position * 10000 ** ((-2 * pair) / 16));
    const digits = await page.locator("#waves [data-bit] .digit").allTextContents();
    expect(digits.reverse().join("")).toBe(position.toString(2).padStart(8, "0"));
  };
  await press(page, "#waves .waves-field", "ArrowRight", "ArrowDown");
  await expectAt(6, 2);
  await press(page, "#waves .waves-field", "End", "ArrowUp", "ArrowLeft");
  await expectAt(98, 1);
  await expect(page.locator("#waves .live").first()).toRead(/^sin\(p·ω\) = sin\(98 \/ 10000\^\(2\/16\)\) =/);
  const dot = await page.locator('#waves [data-wave="4"] .dot').boundingBox();
  await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
  await expectAt(98, 4);
  for (const position of ["99", "0"]) {
    await page.click('#waves [data-player="forward"]');
    await expect(page.locator("#waves-position")).toHaveValue(position);
  }
  await open("#wn=12&pairs=2");
  const [, ...lines] = (await savedText(page, "waves", "csv")).trim().split("\r\n");
  const angles = Array.from({ length: 12 }, (_, position) => position * 10000 ** (-4 / 16));
  expect(lines.map((line) => line.split(",").slice(0, 3).map(Math.fround))).toEqual(
    angles.map((angle, position) => [position, Math.sin(angle), Math.cos(angle)].map(Math.fround)),
  );
  expect(lines.at(-1)).toMatch(/,1011$/);
});

test("waves play once in sight, until the reader's first move @all", async ({ open }) => {
  const shown = (page) => page.inputValue("#waves-position").then(Number);
  const page = await open({ reducedMotion: "no-preference" });
  await expect.poll(() => shown(page)).toBeGreaterThanOrEqual(6);
  // Out of sight it goes back to where it began, and leaves nothing in the link.
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  expect(await steady(page, () => page.evaluate(() => location.hash))).toBe("");
  await page.locator("#waves .waves-field").scrollIntoViewIfNeeded();
  await expect.poll(() => shown(page)).toBeGreaterThanOrEqual(5);
  await page.locator("#waves .waves-field").press("Home");
  expect(await steady(page, () => shown(page))).toBe(0);
});
