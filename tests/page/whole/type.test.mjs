import { expect, LOCALES, test } from "../fixtures.mjs";

// Labels of drawings have 14 px on the screen, numbers along axes, in cells and at arrows at least 12; the story's length.

const small = () =>
  [...document.querySelectorAll("main figure svg text")].flatMap((text) => {
    const { a, b } = text.getScreenCTM();
    const size = Number.parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
    const isMinor = text.matches(".axis text:not(.axis-name), .cursor-word *, .arrow *, .cell-text *, .number");
    return text.textContent.trim() && size < (isMinor ? 11.95 : 13.95) ? [`${text.textContent} ${size}`] : [];
  });

for (const locale of LOCALES)
  test(`labels of drawings are large enough to be read, and the story has its length: ${locale}`, async ({ open }) => {
    for (const [width, tallest] of Object.entries({ 390: 28 * 844, 1440: 18 * 900 })) {
      const page = await open({ locale, width: Number(width) });
      expect(await page.locator("main figure svg text").count()).toBeGreaterThan(150);
      expect(await page.evaluate(small)).toEqual([]);
      expect(await page.evaluate(() => document.body.offsetHeight)).toBeLessThanOrEqual(tallest);
    }
  });
