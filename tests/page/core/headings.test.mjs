import { expect, hash, isAt, linkWritten, redrawn, scrollTo, test } from "../fixtures.mjs";

// The links of headings: to each figure, and to each chapter's first.

test("figures and chapters have a link with the state, not in their headings' names", async ({ open }) => {
  const page = await open("#cn=20");
  for (const [lang, says] of Object.entries({ en: "Link to: ", zh: "链接到：" })) {
    await page.click(`[data-choice="${lang}"]`);
    await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${lang}`));
    await linkWritten(page);
    const found = await page.locator("main :is(h2.chapter-title, h3.panel-title)").evaluateAll((all) =>
      all.map((heading) => {
        const link = heading.querySelector(".anchor");
        const figure = heading.closest("section") ?? heading.parentElement.querySelector("section");
        return [link.ariaLabel, heading.textContent.trim(), figure.id, link.hash.slice(1)];
      }),
    );
    expect(found.length).toBe(17);
    for (const [name, words, at, row] of found) {
      expect(name).toBe(says + words);
      expect(Object.fromEntries(new URLSearchParams(row)), name).toEqual({ at, cn: "20", lang });
    }
    const title = await page.textContent("#rope-title");
    await expect(page.getByRole("heading", { name: title, exact: true })).toHaveCount(1);
  }
});

test("pressed, it leads to the figure, and Back leads back; a chapter's to its first", async ({ open }) => {
  const page = await open({ ready: "codes" });
  await scrollTo(page, "codes");
  await redrawn(page);
  await page.evaluate(() => scrollBy({ top: -300, behavior: "instant" }));
  // A place is noted a moment after scrolling.
  await page.waitForFunction(() => history.state?.section === "problem" || history.state?.section === "codes");
  const before = await page.evaluate(() => scrollY);
  for (const by of [60, 0]) {
    await page.locator("#codes-title .anchor").press("Enter");
    await hash(page, "#at=codes");
    await isAt(page, "codes");
    await expect(page.locator("#codes-title")).toBeFocused();
    const top = await page.locator("#codes").evaluate((figure) => figure.getBoundingClientRect().top);
    expect(Math.abs(top)).toBeLessThan(60);
    await page.evaluate((top) => scrollBy({ top, behavior: "instant" }), by);
  }
  await page.goBack();
  await hash(page, "");
  await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) <= 1, before);
  const link = page.locator("#chapter-rotate > h2 .anchor");
  const [other] = await Promise.all([
    page.context().waitForEvent("page"),
    link.evaluate((a) => a.dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true }))),
  ]);
  await other.waitForSelector("#derive .tools");
  await isAt(other, "derive");
  await other.close();
  await hash(page, "");
  await link.press("Enter");
  await hash(page, "#at=derive");
  await isAt(page, "derive");
});

test("on a touch screen it is visible, in its heading's last line and large enough @all", async ({ open }) => {
  const page = await open({ locale: "zh-CN", width: 320, hasTouch: true, isMobile: true });
  await expect(page.locator("#rope-title .anchor")).toHaveCSS("opacity", "1");
  const odd = await page.locator(".anchor:visible").evaluateAll((all) =>
    all.flatMap((link) => {
      const range = document.createRange();
      range.selectNodeContents(link.parentElement);
      range.setEndBefore(link);
      const last = [...range.getClientRects()].filter(({ width }) => width > 0).at(-1);
      const box = link.getBoundingClientRect();
      const isLarge = box.width >= 24 && box.height >= 24 && box.right <= innerWidth;
      const isBeside = last && Math.abs((last.top + last.bottom) / 2 - (box.top + box.bottom) / 2) < 6;
      return isLarge && isBeside ? [] : [`${link.ariaLabel}: ${box.x}, ${box.y}`];
    }),
  );
  expect(odd).toEqual([]);
});
