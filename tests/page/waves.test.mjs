import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, savedText, settled, still, words } from "./browser.mjs";

// Waves, clock hands and counter, against the formulas in JavaScript's doubles.

const { onPage } = pageTests();
const number = (text) => Number(text.replaceAll("−", "-"));
const read = async (page, key) => number(await words(page.locator(`#waves [data-value="${key}"]`)));
const near = (shown, expected, digits = 6) =>
  assert.ok(Math.abs(shown - expected) <= Math.abs(expected) * 10 ** (1 - digits), `${shown}, not ${expected}`);

test("hands stand at their true angles, and the numbers are the formula's", () =>
  onPage({ hash: "#wn=300&wdim=64&wbase=500&pairs=0+3+9+31+99&pair=9&p=123", ready: "waves" }, async (page) => {
    const omega = (pair) => 500 ** ((-2 * pair) / 64);
    near(await read(page, "omega"), omega(9));
    near(await read(page, "lambda"), (2 * Math.PI) / omega(9));
    near(await read(page, "radians"), 123 * omega(9));
    near(await read(page, "degrees"), (((123 * omega(9)) / Math.PI) * 180) % 360, 5);
    assert.equal(await read(page, "sin"), Number(Math.fround(Math.sin(123 * omega(9))).toPrecision(7)));
    assert.equal(await read(page, "cos"), Number(Math.fround(Math.cos(123 * omega(9))).toPrecision(7)));
    assert.equal(await words(page.locator('#waves [data-value="binary"]')), "1111011");
    // A pair that 64 dimensions do not have is left out.
    const hands = await page.locator("#waves [data-clock]").evaluateAll((clocks) =>
      clocks.map((clock) => {
        const hand = clock.querySelector(".hand");
        const at = (name) => Number(hand.getAttribute(name));
        return { pair: Number(clock.dataset.clock), angle: Math.atan2(at("y1") - at("y2"), at("x2") - at("x1")) };
      }),
    );
    assert.deepEqual(
      hands.map(({ pair }) => pair),
      [0, 3, 9, 31],
    );
    for (const { pair, angle } of hands) {
      const off = angle - 123 * omega(pair);
      assert.ok(Math.abs(off - 2 * Math.PI * Math.round(off / (2 * Math.PI))) < 1e-6, `pair ${pair}`);
    }
  }));

test("periods longer than the text are marked, and no others", () =>
  onPage({ hash: "#wn=100&wdim=16&pairs=0,1,2,3,4,5", ready: "waves" }, async (page) => {
    const longer = (selector) =>
      page.locator(selector).evaluateAll((all) => all.map(({ classList }) => classList.contains("longer")));
    const expected = [0, 1, 2, 3, 4, 5].map((pair) => 2 * Math.PI * 10000 ** ((2 * pair) / 16) > 100);
    assert.ok(expected.includes(true) && expected.includes(false));
    assert.deepEqual(await longer("#waves [data-wave]"), expected);
    assert.deepEqual(await longer("#waves [data-bit]"), [false, false, false, false, false, false]);
    assert.match(await words(page.locator("#waves-caption")), /3 of 6 periods/);
    await page.fill("#row-waveLength", "20");
    await settled(page);
    assert.deepEqual(await longer("#waves [data-bit]"), [false, false, false, false, true, true]);
  }));

test("pointing and keys choose position and pair; the counter counts along", () =>
  onPage({ hash: "#p=5", ready: "waves" }, async (page) => {
    const field = page.locator("#waves .waves-field");
    await field.scrollIntoViewIfNeeded();
    const expectAt = async (position, pair) => {
      await settled(page);
      assert.equal(await read(page, "pair"), pair);
      near(await read(page, "radians"), position * 10000 ** ((-2 * pair) / 16));
      const digits = await page.locator("#waves [data-bit] .digit").allTextContents();
      assert.equal(digits.reverse().join(""), position.toString(2).padStart(8, "0"));
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
    await page.waitForFunction(() =>
      document.querySelector("#waves .live").textContent.startsWith("sin(p·ω) = sin(98 / 10000^(2/16)) = "),
    );
    const dot = await page.locator('#waves [data-wave="4"] .dot').boundingBox();
    await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
    await expectAt(98, 4);
    await page.click('#waves [data-player="forward"]');
    await expectAt(99, 4);
    await page.click('#waves [data-player="forward"]');
    await settled(page);
    assert.equal(await page.inputValue("#waves-position"), "0");
  }));

test("a pair that the dimension does not have is reported", () =>
  onPage({ hash: "#wdim=4", ready: "waves" }, async (page) => {
    assert.equal(await page.locator("#waves [data-wave]").count(), 2);
    await page.fill("#row-wavePairs", "7 8");
    await settled(page);
    assert.match(await words(page.locator("#waves .note").first()), /has no pair with these numbers/);
    await page.fill("#row-wavePairs", "1");
    await settled(page);
    assert.equal(await page.locator("#waves [data-wave]").count(), 1);
  }));

test("the file of the waves holds sines and cosines of every position", () =>
  onPage({ hash: "#wn=12&pairs=2", ready: "waves" }, async (page) => {
    const [, ...lines] = (await savedText(page, "waves", "csv")).trim().split("\r\n");
    assert.equal(lines.length, 12);
    lines.forEach((line, position) => {
      const [at, sin, cos, binary] = line.split(",");
      assert.deepEqual(
        [Number(at), Math.fround(Number(sin)), Math.fround(Number(cos)), binary],
        [
          position,
          Math.fround(Math.sin(position * 10000 ** (-4 / 16))),
          Math.fround(Math.cos(position * 10000 ** (-4 / 16))),
          position.toString(2),
        ],
      );
    });
  }));

test("waves play by themselves once they are in sight, until the reader's first move; their formula comes after", async () => {
  const at = (page) => page.inputValue("#waves-position").then(Number);
  await onPage({ ready: "waves", reducedMotion: "no-preference" }, async (page) => {
    await page.locator("#waves .waves-field").scrollIntoViewIfNeeded();
    await page.waitForFunction(() => Number(document.querySelector("#waves-position").value) >= 6);
    assert.equal(await page.locator("#waves > .prose").first().locator(".formula").count(), 0);
    assert.equal(await page.locator("#waves > .prose").last().locator(".formula").count(), 2);
    // Out of sight it goes back to where it began, and leaves nothing in the link.
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    assert.equal(await still(page, () => page.evaluate(() => location.hash)), "");
    await page.locator("#waves .waves-field").scrollIntoViewIfNeeded();
    await page.waitForFunction(() => Number(document.querySelector("#waves-position").value) >= 5);
    await page.locator("#waves .waves-field").press("Home");
    await settled(page);
    assert.equal(await at(page), 0);
    await page.waitForTimeout(800);
    assert.equal(await at(page), 0);
  });
  await onPage({ ready: "waves" }, async (page) => {
    await page.locator("#waves .waves-field").scrollIntoViewIfNeeded();
    await page.waitForTimeout(1500);
    assert.equal(await at(page), 3);
  });
});
