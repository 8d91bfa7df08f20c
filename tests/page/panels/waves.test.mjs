import { expect, redrawn, savedText, scrollTo, steady, test } from "../fixtures.mjs";
import { named, nearRatio, value } from "./numbers.mjs";

// Waves, clock hands and counter, against the formulas in JavaScript's doubles.

test.use({ view: { ready: "waves", kept: true } });

const read = (page, key) => value(page, `#waves [data-value="${key}"]`);

test("hands have their true angles, and the numbers are the formula's", async ({ open }) => {
  const page = await open("#wn=300&wdim=64&wbase=500&pairs=0+3+9+31+99&pair=9&p=123");
  const omega = (pair) => 500 ** ((-2 * pair) / 64);
  nearRatio(await read(page, "omega"), omega(9));
  nearRatio(await read(page, "lambda"), (2 * Math.PI) / omega(9));
  nearRatio(await read(page, "radians"), 123 * omega(9));
  nearRatio(await read(page, "degrees"), (((123 * omega(9)) / Math.PI) * 180) % 360, 1e-4);
  for (const wave of ["sin", "cos"])
    await expect.poll(() => read(page, wave)).toBe(Number(Math.fround(Math[wave](123 * omega(9))).toPrecision(7)));
  await expect(page.locator('#waves [data-value="binary"]')).toHaveText("1111011");
  // A pair that 64 dimensions do not have is left out.
  const hands = await page.locator("#waves [data-clock]").evaluateAll((clocks) =>
    clocks.map((clock) => {
      const hand = clock.querySelector(".hand");
      const at = (name) => Number(hand.getAttribute(name));
      return { pair: Number(clock.dataset.clock), angle: Math.atan2(at("y1") - at("y2"), at("x2") - at("x1")) };
    }),
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

test("periods longer than the text are marked, and no others; a pair that there is not is reported", async ({
  open,
}) => {
  const page = await open("#wn=100&wdim=16&pairs=0,1,2,3,4,5");
  const longer = (selector) =>
    page.locator(selector).evaluateAll((all) => all.map(({ classList }) => classList.contains("longer")));
  expect(await longer("#waves [data-wave]")).toEqual([
    ...[0, 1, 2, 3, 4, 5].map((pair) => 2 * Math.PI * 10000 ** ((2 * pair) / 16) > 100),
  ]);
  expect(await longer("#waves [data-bit]")).toEqual([false, false, false, false, false, false]);
  await expect(page.locator("#waves-caption")).toRead(/3 of 6 periods/);
  await page.fill("#row-waveLength", "20");
  await redrawn(page);
  expect(await longer("#waves [data-bit]")).toEqual([false, false, false, false, true, true]);
  await open("#wdim=4");
  await expect(page.locator("#waves [data-wave]")).toHaveCount(2);
  await page.fill("#row-wavePairs", "7 8");
  await expect(page.locator("#waves .note").first()).toRead(/has no pair with these numbers/);
  await page.fill("#row-wavePairs", "1");
  await expect(page.locator("#waves [data-wave]")).toHaveCount(1);
});

test("pointing and keys choose position and pair; the counter counts along; the file has it all", async ({ open }) => {
  const page = await open("#p=5");
  const field = page.locator("#waves .waves-field");
  const expectAt = async (position, pair) => {
    await expect.poll(() => read(page, "pair")).toBe(pair);
    await redrawn(page);
    nearRatio(await read(page, "radians"), position * 10000 ** ((-2 * pair) / 16));
    const digits = await page.locator("#waves [data-bit] .digit").allTextContents();
    expect(digits.reverse().join("")).toBe(position.toString(2).padStart(8, "0"));
  };
  await field.focus();
  for (const [keys, position, pair] of [
    [["ArrowRight", "ArrowDown"], 6, 2],
    [["End"], 99, 2],
    [["ArrowUp", "ArrowLeft"], 98, 1],
  ]) {
    for (const key of keys) await page.keyboard.press(key);
    await expectAt(position, pair);
  }
  await expect(page.locator("#waves .live").first()).toRead(/^sin\(p·ω\) = sin\(98 \/ 10000\^\(2\/16\)\) =/);
  const dot = await page.locator('#waves [data-wave="4"] .dot').boundingBox();
  await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
  await expectAt(98, 4);
  await page.click('#waves [data-player="forward"]');
  await expectAt(99, 4);
  await page.click('#waves [data-player="forward"]');
  await expect(page.locator("#waves-position")).toHaveValue("0");
  await open("#wn=12&pairs=2");
  const [, ...lines] = (await savedText(page, "waves", "csv")).trim().split("\r\n");
  expect(lines.length).toBe(12);
  lines.forEach((line, position) => {
    const [at, sin, cos, binary] = line.split(",");
    const angle = position * 10000 ** (-4 / 16);
    expect([Number(at), Math.fround(sin), Math.fround(cos), binary]).toEqual([
      position,
      Math.fround(Math.sin(angle)),
      Math.fround(Math.cos(angle)),
      position.toString(2),
    ]);
  });
});

test("waves play once in sight, until the reader's first move; their formula is below @all", async ({ open }) => {
  const at = (page) => page.inputValue("#waves-position").then(Number);
  const page = await open({ reducedMotion: "no-preference" });
  await page.waitForFunction(() => Number(document.querySelector("#waves-position").value) >= 6);
  await expect(page.locator("#waves > .prose").first().locator(".formula")).toHaveCount(0);
  await expect(page.locator("#waves > .prose").last().locator(".formula")).toHaveCount(2);
  // Out of sight it goes back to where it began, and leaves nothing in the link.
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  expect(await steady(page, () => page.evaluate(() => location.hash))).toBe("");
  await page.locator("#waves .waves-field").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => Number(document.querySelector("#waves-position").value) >= 5);
  await page.locator("#waves .waves-field").press("Home");
  await expect.poll(() => at(page)).toBe(0);
  await page.waitForTimeout(800);
  expect(await at(page)).toBe(0);
  const calm = await open();
  await scrollTo(calm, "waves");
  await calm.waitForTimeout(1500);
  expect(await at(calm)).toBe(1);
});
