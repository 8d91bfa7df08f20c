import { expect, link, redrawn, test, unfold } from "../fixtures.mjs";

// A selection in one figure is one in the others: a position (a column, a word, a moment of the clock, a query),
// a second position, a pair of dimensions.

/** Where each figure shows its chosen position, and how many positions it has by default. */
const POSITIONS = { "#waves-position": 64, "#mix-query": 24, "#similar-p": 64 };

/** Scrolls to the chosen position of a figure, since it is not drawn out of sight, and waits until it is this one. */
async function says(page, selector, expected) {
  const place = page.locator(selector).first();
  await place.scrollIntoViewIfNeeded();
  // A matrix adds the formula after a colon.
  const said = () =>
    place.evaluate((element) => element.value ?? element.dataset.spoken?.split(":")[0] ?? element.textContent);
  for (let frames = 0; frames < 30 && (await said()) !== expected; frames++) await redrawn(page);
  await expect.poll(said, selector).toBe(expected);
}

test("a position, a second one and a pair chosen in a figure are chosen in all @all", async ({ open }) => {
  const page = await open("#p=90");
  await unfold(page);
  await says(page, "#mix-query", "23");
  await says(page, "#waves-position", "63");
  for (const [chooser, at] of Object.entries({ "#waves-position": 4, "#mix-query": 12, "#similar-p": 40 })) {
    await page.fill(chooser, String(at));
    for (const [selector, count] of Object.entries(POSITIONS))
      await says(page, selector, String(Math.min(at, count - 1)));
    await says(page, "#relative-matrix", `i = ${Math.max(10, Math.min(at, 19))}, j = ${Math.min(at, 10)}`);
  }
  await page.locator("#relative-matrix").press("ArrowLeft");
  await says(page, "#similar-q", "9");
  await page.fill("#pairs-pair", "4");
  await page.locator("#waves").scrollIntoViewIfNeeded();
  await expect(page.locator('#waves [data-wave="4"]')).toBeAttached();
});

// Keys go on from the state: a number is typed and two keys are pressed, all within one frame.

const TYPED = {
  "#similar-curve": ["#similar-q", "20", "q", "22"],
  "#relative-matrix": ["#similar-q", "6", "q", "8"],
  "#decay-score": ["#row-decayDistance", "7", "dm", "9"],
  ".derive-picture": ["#row-deriveBack", "6", "back", "8"],
  ".waves-field": ["#waves-position", "40", "p", "42"],
};

test("keys go on from a number that is not drawn yet", async ({ open }) => {
  const page = await open("#p=10&q=10");
  await unfold(page);
  for (const [drawing, [box, number, key, expected]] of Object.entries(TYPED)) {
    await page.locator(drawing).scrollIntoViewIfNeeded();
    await redrawn(page);
    await page.locator(drawing).evaluate(
      (element, [selector, typed]) => {
        const input = document.querySelector(selector);
        input.value = typed;
        input.dispatchEvent(new Event("input", { bubbles: true }));
        for (let presses = 0; presses < 2; presses++)
          element.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
      },
      [box, number],
    );
    await expect.poll(async () => (await link(page))[key], drawing).toBe(expected);
  }
});

// A finger on a figure: going past changes nothing, a tap and a drag sideways choose.

const PLACES = {
  decay: ["#decay-score", "dm"],
  relative: ["#relative-matrix", "q"],
  context: [".context-picture", "i"],
  waves: [".waves-field svg", "p"],
};

/** Moves a finger from a place in steps, as a touch screen does. */
async function swipe(page, [x, y], [across, along]) {
  const session = await page.context().newCDPSession(page);
  const send = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", [{ x, y }]);
  for (let step = 1; step <= 10; step++)
    await send("touchMove", [{ x: x + (across * step) / 10, y: y + (along * step) / 10 }]);
  await send("touchEnd", []);
  await redrawn(page);
}

test("a swipe past a figure changes nothing, a tap does, and so does a drag sideways @all", async ({ open }) => {
  const page = await open({ width: 390, height: 844, hasTouch: true, hash: "#p=2&t5=both" });
  for (const [figure, [selector, key]] of Object.entries(PLACES)) {
    const drawing = page.locator(`#${figure} ${selector}`).first();
    const row = async () => (await link(page))[key];
    const place = async () => {
      await drawing.evaluate((it) => it.scrollIntoView({ block: "center", behavior: "instant" }));
      await redrawn(page);
      const box = await drawing.boundingBox();
      return [box.x + 0.7 * box.width, Math.max(box.y + 0.4 * box.height, 200)];
    };
    const [from, before, top] = [await place(), await row(), await page.evaluate(() => scrollY)];
    await swipe(page, from, [6, -160]);
    await expect.poll(() => page.evaluate(() => scrollY)).not.toBe(top);
    expect(await row(), figure).toBe(before);
    await page.touchscreen.tap(...(await place()));
    await expect.poll(row, figure).not.toBe(before);
    const tapped = await row();
    await swipe(page, await place(), [-90, 4]);
    await expect.poll(row, figure).not.toBe(tapped);
  }
});
