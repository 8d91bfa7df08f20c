import { expect, link, redrawn, test } from "../fixtures.mjs";

// A finger on a figure: going past changes nothing, a tap and a drag sideways choose.

const PLACES = {
  decay: ["#decay-score", "dm"],
  relative: ["#relative-matrix", "q"],
  context: [".pick", "i"],
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
  const page = await open({ width: 390, height: 844, hasTouch: true, hash: "#p=2" });
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
