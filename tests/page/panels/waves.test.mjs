import { expect, redrawn, savedText, scrollTo, steady, test } from "../fixtures.mjs";
import { value } from "./numbers.mjs";

// Waves, clock hands and counter, against the formulas in JavaScript's doubles.

const read = (page, key) => value(page, `#waves [data-value="${key}"]`);
const near = (shown, expected, digits = 6) =>
  expect(Math.abs(shown - expected), `${shown}, not ${expected}`).toBeLessThanOrEqual(
    Math.abs(expected) * 10 ** (1 - digits),
  );

test("hands have their true angles, and the numbers are the formula's", async ({ open }) => {
  const page = await open({ hash: "#wn=300&wdim=64&wbase=500&pairs=0+3+9+31+99&pair=9&p=123", ready: "waves" });
  const omega = (pair) => 500 ** ((-2 * pair) / 64);
  near(await read(page, "omega"), omega(9));
  near(await read(page, "lambda"), (2 * Math.PI) / omega(9));
  near(await read(page, "radians"), 123 * omega(9));
  near(await read(page, "degrees"), (((123 * omega(9)) / Math.PI) * 180) % 360, 5);
  await expect.poll(() => read(page, "sin")).toBe(Number(Math.fround(Math.sin(123 * omega(9))).toPrecision(7)));
  await expect.poll(() => read(page, "cos")).toBe(Number(Math.fround(Math.cos(123 * omega(9))).toPrecision(7)));
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
  for (const { pair, angle } of hands) {
    const off = angle - 123 * omega(pair);
    expect(Math.abs(off - 2 * Math.PI * Math.round(off / (2 * Math.PI))), `pair ${pair}`).toBeLessThan(1e-6);
  }
});

test("periods longer than the text are marked, and no others", async ({ open }) => {
  const page = await open({ hash: "#wn=100&wdim=16&pairs=0,1,2,3,4,5", ready: "waves" });
  const longer = (selector) =>
    page.locator(selector).evaluateAll((all) => all.map(({ classList }) => classList.contains("longer")));
  const expected = [0, 1, 2, 3, 4, 5].map((pair) => 2 * Math.PI * 10000 ** ((2 * pair) / 16) > 100);
  expect(expected.includes(true) && expected.includes(false)).toBeTruthy();
  expect(await longer("#waves [data-wave]")).toEqual(expected);
  expect(await longer("#waves [data-bit]")).toEqual([false, false, false, false, false, false]);
  await expect(page.locator("#waves-caption")).toRead(/3 of 6 periods/);
  await page.fill("#row-waveLength", "20");
  await redrawn(page);
  expect(await longer("#waves [data-bit]")).toEqual([false, false, false, false, true, true]);
});

test("pointing and keys choose position and pair; the counter counts along", async ({ open }) => {
  const page = await open({ hash: "#p=5", ready: "waves" });
  const field = page.locator("#waves .waves-field");
  await field.scrollIntoViewIfNeeded();
  const expectAt = async (position, pair) => {
    await redrawn(page);
    await expect.poll(() => read(page, "pair")).toBe(pair);
    near(await read(page, "radians"), position * 10000 ** ((-2 * pair) / 16));
    const digits = await page.locator("#waves [data-bit] .digit").allTextContents();
    expect(digits.reverse().join("")).toBe(position.toString(2).padStart(8, "0"));
  };
  await field.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expectAt(6, 2);
  await page.keyboard.press("End");
  await expectAt(99, 2);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowLeft");
  await expectAt(98, 1);
  await expect(page.locator("#waves .live").first()).toRead(/^sin\(p·ω\) = sin\(98 \/ 10000\^\(2\/16\)\) =/);
  const dot = await page.locator('#waves [data-wave="4"] .dot').boundingBox();
  await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
  await expectAt(98, 4);
  await page.click('#waves [data-player="forward"]');
  await expectAt(99, 4);
  await page.click('#waves [data-player="forward"]');
  await expect(page.locator("#waves-position")).toHaveValue("0");
});

test("a pair that the dimension does not have is reported", async ({ open }) => {
  const page = await open({ hash: "#wdim=4", ready: "waves" });
  await expect(page.locator("#waves [data-wave]")).toHaveCount(2);
  await page.fill("#row-wavePairs", "7 8");
  await expect(page.locator("#waves .note").first()).toRead(/has no pair with these numbers/);
  await page.fill("#row-wavePairs", "1");
  await expect(page.locator("#waves [data-wave]")).toHaveCount(1);
});

test("the file of the waves holds sines and cosines of every position", async ({ open }) => {
  const page = await open({ hash: "#wn=12&pairs=2", ready: "waves" });
  const [, ...lines] = (await savedText(page, "waves", "csv")).trim().split("\r\n");
  expect(lines.length).toBe(12);
  lines.forEach((line, position) => {
    const [at, sin, cos, binary] = line.split(",");
    expect([Number(at), Math.fround(Number(sin)), Math.fround(Number(cos)), binary]).toEqual([
      position,
      Math.fround(Math.sin(position * 10000 ** (-4 / 16))),
      Math.fround(Math.cos(position * 10000 ** (-4 / 16))),
      position.toString(2),
    ]);
  });
});

test("waves play once in sight, until the reader's first move; their formula is below @all", async ({ open }) => {
  const at = (page) => page.inputValue("#waves-position").then(Number);
  {
    const page = await open({ ready: "waves", reducedMotion: "no-preference" });
    await page.locator("#waves .waves-field").scrollIntoViewIfNeeded();
    await page.waitForFunction(() => Number(document.querySelector("#waves-position").value) >= 6);
    await expect(page.locator("#waves > .prose").first().locator(".formula")).toHaveCount(0);
    await expect(page.locator("#waves > .prose").last().locator(".formula")).toHaveCount(2);
    // Out of sight it goes back to where it began, and leaves nothing in the link.
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    expect(await steady(page, () => page.evaluate(() => location.hash))).toBe("");
    await page.locator("#waves .waves-field").scrollIntoViewIfNeeded();
    await page.waitForFunction(() => Number(document.querySelector("#waves-position").value) >= 5);
    await page.locator("#waves .waves-field").press("Home");
    await redrawn(page);
    await expect.poll(() => at(page)).toBe(0);
    await page.waitForTimeout(800);
    await expect.poll(() => at(page)).toBe(0);
  }
  {
    const page = await open({ ready: "waves" });
    await page.locator("#waves .waves-field").scrollIntoViewIfNeeded();
    await page.waitForTimeout(1500);
    await expect.poll(() => at(page)).toBe(1);
  }
});
