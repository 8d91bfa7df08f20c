import { expect, hash, isAt, linkWritten, scrollTo, test } from "../fixtures.mjs";

// The browser's history: its entries are the steps that a reader took, and Back always goes back.

const entries = (page) => page.evaluate(() => history.length);
const top = (page, id) => page.locator(`#${id}`).evaluate((figure) => figure.getBoundingClientRect().top);

/** Points at places along the middle of a drawing, and rests at each. */
async function pointAlong(page, selector) {
  const drawing = page.locator(selector).first();
  await drawing.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await drawing.boundingBox();
  for (const part of [0.2, 0.5, 0.8]) {
    await page.mouse.move(x + part * width, y + height * (0.3 + part / 4), { steps: 3 });
    await linkWritten(page);
  }
}

test("what is pointed at is no step; a click, a key and a typed number are, for Back @all", async ({ open }) => {
  const page = await open({ ready: "waves" });
  const before = await entries(page);
  const steps = (count) => expect.poll(() => entries(page)).toBe(before + count);
  await pointAlong(page, "#waves .waves-drawing");
  await expect(page).toHaveURL(/#./);
  await steps(0);
  await page.click('[data-choice="dark"]');
  await linkWritten(page);
  await steps(1);
  await pointAlong(page, "#waves .waves-drawing");
  await page.fill("#row-waveBase", "50");
  await linkWritten(page);
  await steps(2);
  await page.waitForTimeout(1000);
  await page.locator("#waves .waves-field").focus();
  // On a busy machine the second would be another step, if it had to wait for the first.
  await Promise.all([page.keyboard.press("ArrowLeft"), page.keyboard.press("ArrowLeft")]);
  await linkWritten(page);
  await steps(3);
  await page.goBack();
  await page.goBack();
  await expect(page.locator("#row-waveBase")).toHaveValue("10000");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

// A position from the link is not played by itself.
test("what was played is one step, which Back undoes, and going back ends what plays @all", async ({ open }) => {
  const page = await open({ hash: "#p=9", ready: "waves", reducedMotion: "no-preference" });
  const position = page.locator("#waves-position");
  const press = (what) => page.click(`#waves [data-player=${what}]`);
  // On the way to the button the pointer may choose a position.
  await page.hover("#waves [data-player=play]");
  await linkWritten(page);
  const first = await position.inputValue();
  const before = await entries(page);
  await press("play");
  await expect(position).not.toHaveValue(first);
  await press("pause");
  await linkWritten(page);
  await expect.poll(() => entries(page)).toBe(before + 1);
  await page.goBack();
  await expect(position).toHaveValue(first);
  await page.fill("#waves-position", "12");
  await linkWritten(page);
  await press("play");
  await page.goBack();
  await page.waitForSelector("#waves [data-player=play]");
  await expect(position).toHaveValue(first);
});

test("from the top to a figure and back, though others have grown meanwhile @all", async ({ open }) => {
  const page = await open({ ready: "waves" });
  // Without a pointer: that would scroll to the link first.
  await page.evaluate(() => {
    scrollTo({ top: 0, behavior: "instant" });
    document.querySelector('nav a[href*="at=decay"]').click();
  });
  await hash(page, "#at=decay");
  await page.waitForSelector("#decay .tools");
  await linkWritten(page);
  await isAt(page, "decay");
  await page.goBack();
  await hash(page, "");
  await page.waitForFunction(() => scrollY === 0);
  // Figures above the one that was left may still be drawn.
  await linkWritten(page);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goForward();
  await hash(page, "#at=decay");
  await isAt(page, "decay");
  await page.evaluate(() => scrollBy({ top: 100, behavior: "instant" }));
  await linkWritten(page);
  // As it is when the reader leaves: figures above may be drawn until then, and move it by parts of a pixel.
  const before = await page.evaluate(() => {
    const { top } = document.querySelector("#decay").getBoundingClientRect();
    document.querySelector('nav a[href*="at=waves"]').click();
    return top;
  });
  await hash(page, "#at=waves");
  await linkWritten(page);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.waitForSelector("main:not(:has(.waiting))");
  await page.goBack();
  await isAt(page, "decay", before, 1);
});

test("the link names a figure while the reader is there; a reload keeps the place @all", async ({ open }) => {
  const page = await open({ ready: "waves" });
  const go = async () => {
    await page.click("#contents .unfold");
    await page.locator('#contents a[href*="at=mix"]').click();
    await hash(page, "#at=mix");
    await page.waitForSelector("#mix .tools");
    await isAt(page, "mix");
  };
  await go();
  const count = await entries(page);
  await page.mouse.wheel(0, 200);
  await linkWritten(page);
  await hash(page, "#at=mix");
  await page.mouse.wheel(0, -3000);
  await hash(page, "");
  expect(await entries(page)).toBe(count);
  // Pressed once more, the entry of the contents leads there again.
  await go();
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await hash(page, "");
  await scrollTo(page, "mix");
  await page.evaluate(() => scrollBy({ top: 70, behavior: "instant" }));
  await linkWritten(page);
  const before = await top(page, "mix");
  await page.reload();
  await page.waitForSelector("#mix .tools");
  await isAt(page, "mix", before, 1);
});
