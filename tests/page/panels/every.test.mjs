import { tooWide } from "../fits.mjs";
import {
  expect,
  link,
  pageOf,
  redrawn,
  saved,
  savedText,
  showTable,
  tabTo,
  test,
  unfold,
  widen,
} from "../fixtures.mjs";
import { everything, PAGES, panels, panelsOf } from "./states.mjs";

// Every panel must do this: work by keys alone, hand out its numbers and drawings, fit the screen.

/** The first figure of each page with contents. */
const FIRST = { "": "problem", "more.html": "lab" };

for (const [panel, { gestures }] of Object.entries(panels))
  test(`${panel}: by keys alone, from the contents if there are any`, async ({ open }) => {
    const first = FIRST[pageOf(panel)];
    const page = await open({ ready: first ?? panel, hash: first ? "" : `#at=${panel}`, kept: true });
    if (first) {
      const contents = page.locator("#contents .unfold");
      await contents.focus();
      if ((await contents.getAttribute("aria-expanded")) === "false") await page.keyboard.press("Enter");
      await tabTo(page, `#contents a[href*="at=${panel}"]`);
      await page.keyboard.press("Enter");
    }
    await page.waitForSelector(`#${panel} .tools`);
    await page.locator(`#${panel}-title`).focus();
    for (const [selector, keys, expected, direction] of gestures) {
      await redrawn(page);
      await tabTo(page, `#${panel} ${selector}`, direction === "back" ? "Shift+Tab" : "Tab");
      // In the figure, or in its caption.
      const said = () => page.locator(`#${panel} .panel-body, #${panel}-caption`).allInnerTexts();
      const before = await said();
      for (const key of keys) {
        await page.keyboard.press(key);
        await redrawn(page);
      }
      await expect.poll(said, "nothing is said of it").not.toEqual(before);
      await expect.poll(() => link(page)).toMatchObject(expected);
    }
  });

/** The fields of comma-separated values, line by line. */
function parse(text) {
  expect(text.endsWith("\r\n")).toBeTruthy();
  return text
    .slice(0, -2)
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^",]*)(?:,|$)/g)]
        .slice(0, line.endsWith(",") ? undefined : -1)
        .map(([, field]) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)),
    );
}

const significant = (text) =>
  text
    .replace(/e.*$/, "")
    .replace(/^-?0*\.?0*/, "")
    .replace(".", "").length;

/** Whether a field holds all digits of a number: an integer, a float32 (nine digits identify it), or a double. */
function isWhole(field) {
  const value = Number(field);
  return Number.isInteger(value) || Number(Math.fround(value).toPrecision(9)) === value || significant(field) >= 12;
}

/** A text's numbers that have more digits than a float32: all but whole ones and angles, which are doubles. */
const tooLong = (text) =>
  (text.match(/\d+\.\d+/g) ?? []).filter((digits) => digits.replace(".", "").replace(/^0+/, "").length > 7);

/** Figures of float32 numbers. */
const FLOATS = "waves similarity relative derive rope pairs decay context patches".split(" ");

/** A drawing alone: what is wrong with it as a file, and what it is made of. */
const drawn = (page, text) =>
  page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
    return {
      error: parsed.querySelector("parsererror")?.textContent ?? "",
      pixels: parsed.querySelectorAll("image, foreignObject, canvas").length,
      shapes: parsed.querySelectorAll("path, line, rect, circle, polyline, text").length,
      broken: [...parsed.querySelectorAll("*")].flatMap((element) =>
        // Any letters may stand in an image's base64.
        [...element.attributes]
          .filter(({ value }) => !value.startsWith("data:") && /NaN|undefined|Infinity/.test(value))
          .map(({ name }) => name),
      ),
      size: [parsed.documentElement.getAttribute("width"), parsed.documentElement.getAttribute("height")].map(Number),
    };
  }, text);

for (const [name, state] of [
  ["as the page opens", { lang: "en" }],
  ["with every choice changed", { ...everything, lang: "en" }],
])
  test(`files and numbers of every panel, ${name}: no digit too few or too many @all`, async ({ open }) => {
    for (const path of PAGES) {
      const page = await open({ path, hash: `#${new URLSearchParams({ ...state, an: "4096" })}` });
      const shown = await page.locator("main section:has(> figure)").evaluateAll((all) => all.map(({ id }) => id));
      expect(shown).toEqual(panelsOf(path));
      for (const panel of shown) {
        const [header, ...lines] = parse(await savedText(page, panel, "csv"));
        expect(header.length > 1 && lines.length > 1, panel).toBeTruthy();
        const numbers = lines.flat().filter((field) => field !== "" && !Number.isNaN(Number(field)));
        expect(numbers.length, `${panel}: ${numbers.length} numbers`).toBeGreaterThanOrEqual(6);
        const cut = numbers.filter((field) => !isWhole(field));
        // A double can be round all the same, like a base's frequency of 0.01; but few are.
        expect(cut.filter((field) => significant(field) > 3)).toEqual([]);
        expect(cut.length, panel).toBeLessThan(0.1 * numbers.length);
        // The table beside the figure begins as the file does.
        await showTable(page, panel);
        const head = await page.locator(`#${panel} .data-table thead`).first().locator("th").allTextContents();
        expect(head.length, panel).toBeGreaterThan(1);
        const trimmed = (texts) => texts.map((text) => text.trim());
        expect(trimmed(head), panel).toEqual(trimmed(header.slice(0, head.length)));
        const texts = await page.locator(`#${panel} figure :is(text, td, th, p, dd, output, span)`).allTextContents();
        if (FLOATS.includes(panel)) expect(tooLong(texts.join(" ")), panel).toEqual([]);

        const file = await savedText(page, panel, "svg");
        const { error, pixels, shapes, broken, size } = await drawn(page, file);
        expect(error, panel).toBe("");
        expect(pixels, `${panel}: pixels`).toBe(0);
        expect(shapes, `${panel}: ${shapes} shapes`).toBeGreaterThanOrEqual(10);
        expect(broken, panel).toEqual([]);
        expect(file, panel).not.toMatch(/var\(|class=|<!--/);
        for (const side of size) expect(side > 50 && side < 4000, `${panel}: ${size}`).toBeTruthy();
        const png = await saved(page, panel, "png");
        expect(png.subarray(1, 4).toString("latin1"), panel).toBe("PNG");
        const pixelSize = size.map((side) => Math.ceil(2 * Math.round(side)));
        expect([png.readUInt32BE(16), png.readUInt32BE(20)], panel).toEqual(pixelSize);
      }
    }
  });

/** States that need much space: long words, many rows, large numbers. */
const CROWDED = {
  "as the page opens @all": "",
  "every choice changed": String(new URLSearchParams(everything)),
  "long words @all": `text=${"x".repeat(100)}`,
  "large numbers @all":
    "p=4095&wn=4096&sn=128&x=-999.5,999.5,-999.5,999.5,-999.5,999.5&" +
    "qv=-99.5,99.5&m=23&at5=-2147483648,2147483648,0.123456,1e6,-1e6&rn=32&heads=64&head=64&rel=t5&" +
    "buckets=64&far=512&trained=1048576&f=128&reach=1000000&dm=1000000&before=12&after=12&ih=8&iw=8&ph=24&pw=24",
};

for (const lang of ["en", "zh"])
  for (const [name, state] of Object.entries(CROWDED))
    test(`nothing is wider than a screen, from 360 px on, ${lang}: ${name} @layout`, async ({ open }) => {
      for (const path of PAGES) {
        const page = await open({ width: 360, path, hash: `#${state}&lang=${lang}&an=4096` });
        await unfold(page);
        for (const panel of panelsOf(path)) await showTable(page, panel);
        for (const width of [360, 768, 1920]) {
          await widen(page, width);
          await expect.poll(() => tooWide(page), `${path} ${width} px`).toEqual([]);
        }
      }
    });
