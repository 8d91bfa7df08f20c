import { expect, link, redrawn, scrollTo, test } from "../fixtures.mjs";

// A finger on a figure: going past changes nothing, a tap and a drag sideways choose.

const PLACES = [
  ["decay", "#decay-score", "dm"],
  ["relative", "#relative-matrix", "q"],
  ["context", ".pick", "i"],
  ["waves", ".waves-field svg", "p"],
];

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

async function middle(page, selector) {
  const box = await page.locator(selector).first().boundingBox();
  return [box.x + 0.7 * box.width, Math.max(box.y + 0.4 * box.height, 200)];
}

for (const [figure, selector, key] of PLACES)
  test(`${figure}: a swipe past it changes nothing, a tap does, and so does a drag sideways`, async ({ open }) => {
    const page = await open({ ready: figure, width: 390, height: 844, hasTouch: true, hash: "#p=2" });
    await scrollTo(page, figure);
    const drawing = `#${figure} ${selector}`;
    await page
      .locator(drawing)
      .first()
      .evaluate((it) => it.scrollIntoView({ block: "center", behavior: "instant" }));
    await redrawn(page);
    const before = await link(page);
    const [from, top] = [await middle(page, drawing), await page.evaluate(() => scrollY)];
    await swipe(page, from, [6, -160]);
    await expect.poll(() => page.evaluate(() => scrollY)).not.toBe(top);
    expect((await link(page))[key]).toBe(before[key]);
    await page
      .locator(drawing)
      .first()
      .evaluate((it) => it.scrollIntoView({ block: "center", behavior: "instant" }));
    await redrawn(page);
    await page.touchscreen.tap(...(await middle(page, drawing)));
    await expect.poll(async () => (await link(page))[key]).not.toBe(before[key]);
    const tapped = (await link(page))[key];
    await swipe(page, await middle(page, drawing), [-90, 4]);
    await expect.poll(async () => (await link(page))[key]).not.toBe(tapped);
  });
