import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, saved, savedText, settled, unfold, words } from "./browser.mjs";
import { everything, panels } from "./every-panel.mjs";
import { tooWide } from "./fits.mjs";

// What every panel must do, for each of them: work by keys alone, hand out its numbers and drawings, fit the screen.

const { onPage } = pageTests();

const PANELS = Object.keys(panels);

test("these are the page's panels", () =>
  onPage({ ready: "problem" }, async (page) => {
    assert.deepEqual(await page.locator("main section").evaluateAll((all) => all.map(({ id }) => id)), PANELS);
  }));

/** Presses Tab until the focus is on what `selector` names. */
async function tabTo(page, selector, key = "Tab") {
  const there = () => page.evaluate((wanted) => document.activeElement.matches(wanted), selector);
  for (let presses = 0; presses < 80; presses++) {
    if (await there()) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${selector} is not reached by ${key}`);
}

for (const [panel, { gestures }] of Object.entries(panels)) {
  test(`${panel}: by keys alone, from the page's beginning`, () =>
    onPage({ ready: "problem" }, async (page) => {
      await tabTo(page, "#contents .unfold");
      await page.keyboard.press("Enter");
      await tabTo(page, `#contents a[href*="at=${panel}"]`);
      await page.keyboard.press("Enter");
      await page.waitForSelector(`#${panel} .tools`);
      await page.waitForFunction((at) => document.activeElement.id === `${at}-title`, panel);
      for (const [selector, keys, expected, direction] of gestures) {
        await settled(page);
        await tabTo(page, `#${panel} ${selector}`, direction === "back" ? "Shift+Tab" : "Tab");
        const before = await words(page.locator(`#${panel} .panel-body`));
        for (const key of keys) {
          await page.keyboard.press(key);
          await settled(page);
        }
        assert.notEqual(await words(page.locator(`#${panel} .panel-body`)), before, "nothing is said of it");
        await page.waitForFunction((wanted) => {
          const link = new URLSearchParams(location.hash.slice(1));
          return Object.entries(wanted).every(([name, value]) => link.get(name) === value);
        }, expected);
      }
    }));
}

/** The fields of comma-separated values, line by line. */
function parse(text) {
  assert.ok(text.endsWith("\r\n"));
  return text
    .slice(0, -2)
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^",]*)(?:,|$)/g)]
        .slice(0, line.endsWith(",") ? undefined : -1)
        .map(([, field]) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)),
    );
}

test("CSV files are parsed correctly", () => {
  assert.deepEqual(parse('a,"b ""c"", d",\r\n1,2,3\r\n'), [
    ["a", 'b "c", d', ""],
    ["1", "2", "3"],
  ]);
});

const significant = (text) =>
  text
    .replace(/e.*$/, "")
    .replace(/^-?0*\.?0*/, "")
    .replace(".", "").length;

/** Whether a field holds all digits of a number: an integer, a float32 (nine digits tell it from all others), or a double. */
function isWhole(field) {
  const value = Number(field);
  return Number.isInteger(value) || Number(Math.fround(value).toPrecision(9)) === value || significant(field) >= 12;
}
/** A double can be round all the same, like a base's frequency of 0.01; but few are. */
const isRound = (field) => significant(field) <= 3;

test("a field cut to fewer digits is detected", () => {
  for (const cut of ["0.1", "0.841471", "3.14159", "1.5e-7"]) assert.ok(!isWhole(cut), cut);
  for (const whole of ["0.5", "12", "0.841470957", "0.8414709848078965", "1.1920929e-7"])
    assert.ok(isWhole(whole), whole);
});

/** A drawing alone: what is wrong with it as a file, and what it is made of. */
const drawn = (page, text) =>
  page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
    return {
      error: parsed.querySelector("parsererror")?.textContent ?? "",
      pixels: parsed.querySelectorAll("image, foreignObject, canvas").length,
      shapes: parsed.querySelectorAll("path, line, rect, circle, polyline, text").length,
      broken: [...parsed.querySelectorAll("*")].flatMap((element) =>
        [...element.attributes].filter(({ value }) => /NaN|undefined|Infinity/.test(value)).map(({ name }) => name),
      ),
      size: [parsed.documentElement.getAttribute("width"), parsed.documentElement.getAttribute("height")].map(Number),
    };
  }, text);

for (const [name, state] of [
  ["as the page opens", { n: "40", d: "24", an: "4096" }],
  ["with every choice changed", { ...everything, lang: "en" }],
]) {
  test(`files of every panel, ${name}: all digits, drawings without pixels but the heatmap's`, () =>
    onPage({ hash: `#${new URLSearchParams(state)}` }, async (page) => {
      for (const panel of PANELS) {
        const [header, ...lines] = parse(await savedText(page, panel, "csv"));
        assert.ok(header.length > 1 && lines.length > 1, panel);
        const numbers = lines.flat().filter((field) => field !== "" && !Number.isNaN(Number(field)));
        assert.ok(numbers.length >= 6, `${panel}: ${numbers.length} numbers`);
        const cut = numbers.filter((field) => !isWhole(field));
        assert.deepEqual(
          cut.filter((field) => !isRound(field)),
          [],
          panel,
        );
        assert.ok(cut.length < 0.1 * numbers.length, panel);
        // The table beside the figure begins as the file does.
        await page.click(`#${panel} [data-tool="table"]`);
        const shown = await page.locator(`#${panel} .data-table thead`).first().locator("th").allTextContents();
        assert.deepEqual(
          shown.map((text) => text.trim()),
          header.slice(0, shown.length).map((text) => text.trim()),
          panel,
        );

        const file = await savedText(page, panel, "svg");
        const { error, pixels, shapes, broken, size } = await drawn(page, file);
        assert.equal(error, "", panel);
        assert.equal(pixels > 0, panel === "heatmap", `${panel}: pixels`);
        assert.ok(shapes >= 10, `${panel}: ${shapes} shapes`);
        assert.deepEqual(broken, [], panel);
        assert.doesNotMatch(file, /var\(|class=|<!--/, panel);
        assert.ok(
          size.every((side) => side > 50 && side < 4000),
          `${panel}: ${size}`,
        );
        const png = await saved(page, panel, "png");
        assert.equal(png.subarray(1, 4).toString("latin1"), "PNG", panel);
        assert.deepEqual(
          [png.readUInt32BE(16), png.readUInt32BE(20)],
          size.map((side) => Math.ceil(2 * Math.round(side))),
          panel,
        );
      }
    }));
}

/** The texts of a panel: its figure, its caption and its table. */
const textsOf = (page, panel) =>
  page.locator(`#${panel} figure`).evaluate((figure) => {
    const walker = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode.data);
    return found.join(" ");
  });

/** A text's numbers that have more digits than a float32: all but whole ones and angles, which are doubles. */
const tooLong = (text) =>
  (text.match(/\d+\.\d+/g) ?? []).filter((digits) => digits.replace(".", "").replace(/^0+/, "").length > 7);

test("numbers with more digits than a float32 has are detected", () => {
  assert.deepEqual(tooLong("PE = 0.77827251, 0.7782725, 12.34567, 123.45678, 4096, 0.001234567"), [
    "0.77827251",
    "123.45678",
  ]);
});

for (const [name, state] of [
  ["as the page opens", {}],
  ["with every choice changed", everything],
])
  test(`no panel prints false digits, ${name}`, () =>
    onPage({ hash: `#${new URLSearchParams({ ...state, lang: "en", an: "4096" })}` }, async (page) => {
      const FLOATS = [
        "heatmap",
        "waves",
        "similarity",
        "relative",
        "rope",
        "score",
        "pairs",
        "decay",
        "context",
        "patches",
      ];
      for (const panel of FLOATS) {
        await page.click(`#${panel} [data-tool="table"]`);
        await settled(page);
        assert.deepEqual(tooLong(await textsOf(page, panel)), [], panel);
      }
    }));

/** States that need much room: long words, many rows, large numbers. */
const CROWDED = {
  "as the page opens": {},
  "every choice changed": everything,
  "long words": {
    source: "own",
    text: "x".repeat(100),
    say: `${"y".repeat(60)} 长长的句子 z`,
    again: `z ${"y".repeat(60)} 长长的句子`,
    s1: `${"w".repeat(60)} b`,
    s2: `b ${"w".repeat(60)}`,
  },
  "large numbers": {
    n: "2048",
    d: "512",
    offset: "-2147483648",
    base: "1e9",
    x: "-999.5,999.5,-999.5,999.5,-999.5,999.5",
    qv: "-999.5,999.5",
    m: "-10000",
    to: "10000",
    at5: "-2147483648,2147483648,0.123456,1e6,-1e6",
    rn: "32",
    heads: "64",
    head: "64",
    rel: "t5",
    buckets: "64",
    far: "512",
    sn: "128",
    wn: "4096",
    p: "4095",
    trained: "1048576",
    f: "128",
    mn: "1024",
    mh: "32",
    reach: "1000000",
    dm: "1000000",
    before: "12",
    after: "12",
    ih: "8",
    iw: "8",
    ph: "24",
    pw: "24",
  },
};

for (const lang of ["en", "zh"])
  for (const [name, state] of Object.entries(CROWDED))
    test(`nothing is wider than a screen of 360 px, ${lang}: ${name}`, () =>
      onPage({ width: 360, hash: `#${new URLSearchParams({ ...state, lang, an: "4096" })}` }, async (page) => {
        await unfold(page);
        for (const panel of PANELS) await page.click(`#${panel} [data-tool="table"]`);
        await settled(page);
        assert.deepEqual(await tooWide(page), []);
      }));
