import { cut, scrolledFormulas, tooWide } from "../fits.mjs";
import { expect, LOCALES, redrawn, test, unfold } from "../fixtures.mjs";
import { VIEWS } from "./views.mjs";

// Readers who enlarge: at 200 and 400 % a window of 1280 px is 640 and 320 px wide, and WCAG 1.4.12 lets them space text.

/** As much space as readers may ask for. The page's policy forbids added styles, but not those of its own scripts. */
const space = (page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }`);
    document.adoptedStyleSheets.push(sheet);
  });

for (const locale of LOCALES)
  for (const [name, [hash, ready]] of Object.entries(VIEWS))
    test(`640 and 320 px, text spaced out: nothing is cut: ${name}, ${locale} @layout @all`, async ({ open }) => {
      for (const width of [640, 320]) {
        // What is out of sight is not drawn anew in a window that is narrowed.
        const page = await open({ locale, hash, width, ready });
        await unfold(page);
        await expect.poll(() => scrolledFormulas(page), `${width} px`).toEqual([]);
        for (const what of ["enlarged", "spaced"]) {
          if (what === "spaced") await space(page);
          await redrawn(page);
          await expect.poll(() => tooWide(page), `${what}, ${width} px`).toEqual([]);
          await expect.poll(() => cut(page), `${what}, ${width} px`).toEqual([]);
        }
      }
    });
