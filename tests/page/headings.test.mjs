import assert from "node:assert/strict";
import { test } from "node:test";
import { allDrawn, pageTests, settled, widen } from "./browser.mjs";

// The links of headings: to each figure, and to each chapter's first.

const { onPage } = pageTests("/some/folder/");

const hash = (page, wanted) => page.waitForFunction((expected) => location.hash === expected, wanted);
const near = (page, id) =>
  page.waitForFunction((at) => Math.abs(document.getElementById(at).getBoundingClientRect().top) < 200, id);

/** What a link to this figure holds. */
const expected = (id, state) => `#${new URLSearchParams({ at: id, ...state })}`;

for (const [locale, says] of [
  ["en-GB", "Link to: "],
  ["zh-CN", "链接到： "],
])
  test(`every figure and chapter has a link at its heading, with the state; names of headings are without it: ${locale}`, () =>
    onPage({ locale, hash: "#n=60" }, async (page) => {
      const found = await page.locator("main :is(h2, h3):has(> .anchor)").evaluateAll((all) =>
        all.map((heading) => {
          const link = heading.querySelector(".anchor");
          return {
            figure: heading.closest("section")?.id ?? heading.parentElement.querySelector("section").id,
            words: heading.textContent,
            href: link.getAttribute("href"),
            name: link.getAttribute("aria-label"),
          };
        }),
      );
      assert.equal(found.length, (await page.locator("main :is(h2.chapter-title, h3.panel-title)").count()) || -1);
      assert.ok(found.length > 20, `${found.length}`);
      for (const { figure, words, href, name } of found) {
        assert.deepEqual(
          Object.fromEntries(new URLSearchParams(href.slice(1))),
          { at: figure, n: "60" },
          `${figure}: ${href}`,
        );
        assert.equal(name, says + words.trim());
      }
      assert.equal(
        await page.getByRole("heading", { name: await page.textContent("#rope-title"), exact: true }).count(),
        1,
      );
      // They follow the state.
      await page.fill("#row-length", "50");
      await hash(page, "#n=50");
      await page.waitForFunction(() =>
        [...document.querySelectorAll(".anchor")].every((link) => new URL(link.href).hash.includes("n=50")),
      );
    }));

test("pressed, it leads to the figure, and Back to where the reader was; pressed again, it leads there again", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    await page.evaluate(() => document.getElementById("heatmap").scrollIntoView({ behavior: "instant" }));
    await settled(page);
    await page.evaluate(() => scrollBy({ top: -300, behavior: "instant" }));
    // A place is noted a moment after scrolling.
    await page.waitForFunction(() => history.state?.section === "problem" || history.state?.section === "heatmap");
    const before = await page.evaluate(() => scrollY);
    await page.locator("#heatmap-title .anchor").focus();
    await page.keyboard.press("Enter");
    await hash(page, "#at=heatmap");
    await near(page, "heatmap");
    assert.equal(await page.evaluate(() => document.activeElement.id), "heatmap-title");
    await page.evaluate(() => scrollBy({ top: 60, behavior: "instant" }));
    await page.locator("#heatmap-title .anchor").press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "heatmap-title");
    assert.ok(Math.abs(await page.evaluate(() => document.getElementById("heatmap").getBoundingClientRect().top)) < 60);
    await page.goBack();
    await hash(page, "");
    await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) <= 1, before);
  }));

test("a chapter's link leads to its first figure; opened elsewhere, it does so there", () =>
  onPage({ ready: "problem" }, async (page) => {
    const link = page.locator("#chapter-rotate > h2 .anchor");
    await page.waitForFunction(() => getComputedStyle(document.querySelector(".anchor")).textDecorationLine === "none");
    const [other] = await Promise.all([
      page.context().waitForEvent("page"),
      link.evaluate((a) =>
        a.dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true })),
      ),
    ]);
    await other.waitForSelector("#rope .tools");
    await near(other, "rope");
    await other.close();
    assert.equal(await page.evaluate(() => location.hash), "");
    await link.focus();
    await page.keyboard.press("Enter");
    await hash(page, expected("rope"));
    await near(page, "rope");
  }));

const sight = (page, selector) =>
  page.waitForFunction((wanted) => getComputedStyle(document.querySelector(wanted)).opacity === "1", selector);

test("it is seen where the heading is pointed at or it has the focus, and moves nothing", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    const mark = "#heatmap-title .anchor";
    const box = () => page.locator("#heatmap .prose p").first().boundingBox();
    await page.waitForFunction(() => getComputedStyle(document.querySelector(".anchor")).textDecorationLine === "none");
    const opacity = () => page.locator(mark).evaluate((a) => getComputedStyle(a).opacity);
    assert.equal(await opacity(), "0");
    const before = await box();
    await page.hover("#heatmap-title");
    await sight(page, mark);
    assert.deepEqual(await box(), before);
    await page.mouse.move(0, 0);
    assert.equal(await opacity(), "0");
    await page.focus('#heatmap [data-tool="csv"]');
    await page.locator(mark).focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await sight(page, mark);
  }));

for (const locale of ["en-GB", "zh-CN"])
  test(`on a touch screen it is always there, in its heading's last line and large enough: ${locale}`, () =>
    onPage({ locale, width: 320, hasTouch: true, isMobile: true }, async (page) => {
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
            // What is folded away has no place.
            return isGood || !link.checkVisibility() ? [] : [`${link.ariaLabel}: ${JSON.stringify([box, last])}`];
          }),
        );
        assert.deepEqual(odd, [], `${width} px`);
      }
    }));
