import { allDrawn, expect, LOCALES, redrawn, scrollTo, test, widen } from "../fixtures.mjs";

// The links of headings: to each figure, and to each chapter's first.

const hash = (page, wanted) => expect.poll(() => new URL(page.url()).hash).toBe(wanted);
const near = (page, id) =>
  page.waitForFunction((at) => Math.abs(document.getElementById(at).getBoundingClientRect().top) < 200, id);

test("figures and chapters have a link with the state, not in their headings' names", async ({ open }) => {
  const page = await open("#n=60");
  for (const [lang, says] of [
    ["en", "Link to: "],
    ["zh", "链接到： "],
  ]) {
    await page.click(`[data-choice="${lang}"]`);
    await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${lang}`));
    const found = () =>
      page.locator("main :is(h2, h3):has(.anchor)").evaluateAll((all) =>
        all.map((heading) => {
          const link = heading.querySelector(".anchor");
          const figure = heading.closest("section") ?? heading.parentElement.querySelector("section");
          const row = Object.fromEntries(new URLSearchParams(link.hash.slice(1)));
          return [figure.id, heading.textContent.trim(), row, link.ariaLabel];
        }),
      );
    const count = await page.locator("main :is(h2.chapter-title, h3.panel-title)").count();
    expect(count).toBeGreaterThan(20);
    await expect
      .poll(async () => (await found()).map(([at, words, row, name]) => [at, row, name === says + words]))
      .toEqual((await found()).map(([at]) => [at, { at, n: "60", lang }, true]));
    expect((await found()).length).toBe(count);
    const title = await page.textContent("#rope-title");
    await expect(page.getByRole("heading", { name: title, exact: true })).toHaveCount(1);
  }
  // They follow the state.
  await page.fill("#row-length", "50");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".anchor")].every((link) => new URL(link.href).hash.includes("n=50")),
  );
});

test("pressed, it leads to the figure, once more too, and Back leads back", async ({ open }) => {
  const page = await open({ ready: "heatmap" });
  await scrollTo(page, "heatmap");
  await redrawn(page);
  await page.evaluate(() => scrollBy({ top: -300, behavior: "instant" }));
  // A place is noted a moment after scrolling.
  await page.waitForFunction(() => history.state?.section === "problem" || history.state?.section === "heatmap");
  const before = await page.evaluate(() => scrollY);
  await page.locator("#heatmap-title .anchor").focus();
  await page.keyboard.press("Enter");
  await hash(page, "#at=heatmap");
  await near(page, "heatmap");
  await expect(page.locator("#heatmap-title")).toBeFocused();
  await page.evaluate(() => scrollBy({ top: 60, behavior: "instant" }));
  await page.locator("#heatmap-title .anchor").press("Enter");
  await expect(page.locator("#heatmap-title")).toBeFocused();
  expect(
    Math.abs(await page.evaluate(() => document.getElementById("heatmap").getBoundingClientRect().top)),
  ).toBeLessThan(60);
  await page.goBack();
  await hash(page, "");
  await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) <= 1, before);
});

test("a chapter's link leads to its first figure; opened elsewhere, it does so there", async ({ open }) => {
  const page = await open({ ready: "problem" });
  const link = page.locator("#chapter-rotate > h2 .anchor");
  await page.waitForFunction(() => getComputedStyle(document.querySelector(".anchor")).textDecorationLine === "none");
  const [other] = await Promise.all([
    page.context().waitForEvent("page"),
    link.evaluate((a) => a.dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true }))),
  ]);
  await other.waitForSelector("#score .tools");
  await near(other, "score");
  await other.close();
  await expect.poll(() => page.evaluate(() => location.hash)).toBe("");
  await link.focus();
  await page.keyboard.press("Enter");
  await hash(page, "#at=score");
  await near(page, "score");
});

const sight = (page, selector) =>
  page.waitForFunction((wanted) => getComputedStyle(document.querySelector(wanted)).opacity === "1", selector);

test("it is seen where the heading is pointed at or it has the focus, and moves nothing", async ({ open }) => {
  const page = await open({ ready: "heatmap" });
  const mark = "#heatmap-title .anchor";
  const box = () => page.locator("#heatmap .prose p").first().boundingBox();
  await page.waitForFunction(() => getComputedStyle(document.querySelector(".anchor")).textDecorationLine === "none");
  const opacity = () => page.locator(mark).evaluate((a) => getComputedStyle(a).opacity);
  await expect.poll(opacity).toBe("0");
  const before = await box();
  await page.hover("#heatmap-title");
  await sight(page, mark);
  await expect.poll(box).toEqual(before);
  await page.mouse.move(0, 0);
  await expect.poll(opacity).toBe("0");
  await page.focus('#heatmap [data-tool="menu"]');
  await page.locator(mark).focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await sight(page, mark);
});

for (const locale of LOCALES)
  test(`on a touch screen it is visible, in its heading's last line and large enough: ${locale} @all`, async ({
    open,
  }) => {
    const page = await open({ locale, width: 320, hasTouch: true, isMobile: true });
    await sight(page, "#rope-title .anchor");
    for (const width of [320, 360, 768]) {
      await widen(page, width);
      await allDrawn(page);
      const odd = await page.locator(".anchor").evaluateAll((all) =>
        all.flatMap((link) => {
          const range = document.createRange();
          range.selectNodeContents(link.parentElement);
          range.setEndBefore(link);
          const last = [...range.getClientRects()].filter(({ width }) => width > 0).at(-1);
          const box = link.getBoundingClientRect();
          const isGood =
            last &&
            box.width >= 24 &&
            box.height >= 24 &&
            box.right <= innerWidth &&
            Math.abs((last.top + last.bottom) / 2 - (box.top + box.bottom) / 2) < 6;
          // A folded part has no place.
          return isGood || !link.checkVisibility() ? [] : [`${link.ariaLabel}: ${JSON.stringify([box, last])}`];
        }),
      );
      expect(odd, `${width} px`).toEqual([]);
    }
  });
