import { load } from "../../../dist/index.js";
import { expect, link, openSettings, redrawn, savedText, test, words } from "../fixtures.mjs";
import { press, value as shownNumber } from "./numbers.mjs";

// The heatmap: what it shows is what the library gives in this process, with the sinusoid of every implementation.

const pe = await load();
test.use({ view: { ready: "heatmap", kept: true } });

const canvas = ".heat-canvas";
const equation = (page) => words(page.locator("#heatmap .equation"));
const value = (page) => shownNumber(page, "#heatmap .equation output");

/** The value of a formula that the page prints: "√(2/8) · cos(2 · 5 / 10000^(3/3))". */
function evaluated(formula) {
  if (formula === "") return 0;
  const [, root, wave, times, position, base, above, below] = formula
    .replaceAll("−", "-")
    .match(/^(?:√\(2\/(\d+)\) · )?(sin|cos)\((?:(\S+) · )?(\S+) \/ (\S+)\^\((\d+)\/(\d+)\)\) = $/);
  const angle = (Number(times ?? 1) * Number(position)) / Number(base) ** (Number(above) / Number(below));
  return (root ? Math.sqrt(2 / Number(root)) : 1) * Math[wave](angle);
}

for (const [preset, rest, options] of [
  ["paper", "d=8", { dim: 8 }],
  ["paper", "d=7&order=cosines-first&times=0.5", { dim: 7, order: "cosines-first", scale: 0.5 }],
  ["paper", "d=9&order=split&exponent=double-stepped", { dim: 9, order: "split", exponent: "double-stepped" }],
  ["paper", "d=6&base=50&exponent=half&less=1", { dim: 6, base: 50, exponent: "half", shift: 1 }],
  ["tensor2tensor", "d=9", { dim: 9 }],
  ["whisper", "d=8", { dim: 8 }],
  ["diffusers", "d=8&order=cosines-first&less=0", { dim: 8, order: "cosines-first", shift: 0 }],
  ["ggml", "d=9", { dim: 9 }],
  ["mlx", "d=8&times=1000&offset=-3", { dim: 8, scale: 1000, offset: -3 }],
])
  test(`as in ${preset}, ${rest}: the library's values, and formulas that give them`, async ({ open }) => {
    const page = await open(`#preset=${preset}&n=12&${rest}&p=5`);
    const { data } = pe.sinusoidal({ preset, length: 12, ...options });
    for (let dimension = 0; dimension < options.dim; dimension++) {
      await page.fill("#heat-dimension", String(dimension));
      await redrawn(page);
      const expected = data[5 * options.dim + dimension];
      expect(await value(page)).toBe(Number(expected.toPrecision(7)));
      const caption = await words(page.locator("#heatmap-caption"));
      const [, formula = ""] = caption.match(/Chosen: PE\(\S+ \d+\) = (.*= )?\S+\.$/);
      const found = `dimension ${dimension}: ${formula} is not ${expected}`;
      expect(Math.abs(evaluated(formula) - expected), found).toBeLessThan(1e-6);
      if (!formula) await expect(page.locator("#heatmap [data-omega]")).toRead(/^–$/);
    }
  });

test("the cell under the pointer is chosen, and keys move over the cells", async ({ open }) => {
  const page = await open("#n=64&d=40");
  const omega = pe.frequencies({ dim: 40 }).data[2];
  expect(await shownNumber(page, "[data-omega]")).toBe(Number(omega.toPrecision(6)));
  expect(Math.abs((await shownNumber(page, "[data-lambda]")) * omega - 2 * Math.PI)).toBeLessThan(6e-5);
  await page.locator(canvas).scrollIntoViewIfNeeded();
  const box = await page.locator(canvas).boundingBox();
  for (const [position, dimension] of [
    [0, 0],
    [63, 39],
    [10, 20],
  ]) {
    await page.mouse.move(box.x + ((position + 0.5) / 64) * box.width, box.y + ((dimension + 0.5) / 40) * box.height);
    await redrawn(page);
    expect(await equation(page)).toContain(`PE(${position}, ${dimension}) =`);
  }
  for (const [keys, position, dimension] of [
    [["ArrowRight", "ArrowDown", "ArrowLeft", "PageDown"], 10, 37],
    [["PageDown", "PageUp", "End"], 63, 23],
    [["ArrowRight", "ArrowUp", "Home"], 0, 22],
    [["Control+Home"], 0, 0],
  ]) {
    await press(page, canvas, ...keys);
    expect(await equation(page), keys.join()).toContain(`PE(${position}, ${dimension}) =`);
  }
  await expect(page.locator("#heatmap .live").first()).toRead(/^PE\(0, 0\) = sin\(/);
});

/** Width and height of the picture in pixels. */
const sizeOf = (page) => page.locator(canvas).evaluate(({ width, height }) => ({ width, height }));

/** Entries of the colour bar, which runs from +1 at the top to -1, of the picture at these places. */
const entries = (page, places) =>
  page.evaluate((wanted) => {
    const pixels = (query) => {
      const canvas = document.querySelector(query);
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      return copy.getImageData(0, 0, canvas.width, canvas.height);
    };
    const read = ({ data, width }, x, y) => data.slice((y * width + x) * 4, (y * width + x) * 4 + 3).join();
    const bar = pixels(".heat-bar");
    const colours = Array.from({ length: 256 }, (_, at) => read(bar, 0, 255 - at));
    const picture = pixels(".heat-canvas");
    return wanted.map(([x, y]) => colours.indexOf(read(picture, x, y)));
  }, places);

/** Every cell is drawn in its value's colour. */
async function showsItsCells(page, { length, dim, ...options }) {
  const { data } = pe.sinusoidal({ length, dim, ...options });
  const { width, height } = await sizeOf(page);
  const middle = (at, count, pixels) => Math.floor(((at + 0.5) / count) * pixels);
  const places = Array.from(data, (_, cell) => [
    middle(Math.floor(cell / dim), length, width),
    middle(cell % dim, dim, height),
  ]);
  const expected = Array.from(data, (value) => Math.min(255, Math.floor(128 + value * 128)));
  await expect.poll(() => entries(page, places)).toEqual(expected);
}

test("a table larger than the picture is averaged, sines above cosines, and pointed at there", async ({ open }) => {
  const page = await open({ hash: "#n=2048&d=2&base=1&colours=PuOr", width: 360 });
  // Both dimensions have a wavelength of 6.28 positions and one pixel holds several: their mean is nearly zero everywhere.
  const spread = await page.locator(canvas).evaluate((drawn) => {
    const { data } = drawn.getContext("2d").getImageData(8, 4, drawn.width - 16, 1);
    return Math.min(...Array.from(data).filter((_, at) => at % 4 !== 3));
  });
  expect(spread).toBeGreaterThan(200);

  await open("#n=2048&d=512&p=0");
  const { height } = await sizeOf(page);
  expect(height, "several to a pixel").toBeLessThan(512);
  // At the first positions the slow sines are 0 and all cosines 1: a mean of both would be 0.5.
  const column = (from, to) =>
    Array.from({ length: Math.floor((to - from) * height) }, (_, at) => [0, Math.ceil(from * height) + at]);
  for (const entry of await entries(page, column(0.4, 0.5)))
    expect(entry >= 126 && entry <= 132, `${entry}`).toBe(true);
  for (const entry of await entries(page, column(0.65, 1))) expect(entry).toBeGreaterThanOrEqual(250);
  expect(await page.locator(".heat-axes text").allTextContents()).toContain("sines, then cosines");
  // The pointer chooses what is drawn below it, and the mark is there.
  await page.locator(canvas).scrollIntoViewIfNeeded();
  const box = await page.locator(canvas).boundingBox();
  for (const dimension of [41, 510]) {
    const y = box.y + (((dimension >> 1) + 256 * (dimension & 1) + 0.5) / 512) * box.height;
    await page.mouse.move(box.x + box.width / 2, y);
    await redrawn(page);
    expect(await equation(page)).toMatch(new RegExp(`^PE\\(\\d+, ${dimension}\\) `));
    const mark = await page.locator(".heat-axes .mark-over").boundingBox();
    expect(Math.abs(mark.y + mark.height / 2 - y), `mark ${dimension}`).toBeLessThan(2);
  }
});

test("an implementation is chosen by pointer and keys, brings its order, and may refuse", async ({ open }) => {
  const page = await open("#n=40&d=8&p=4&k=1&order=split&exponent=double-stepped&less=0");
  const chosen = (name) => page.locator(`#heatmap input[name="row-${name}"]:checked`).getAttribute("value");
  await expect.poll(() => chosen("order")).toBe("split");
  await openSettings(page, "heatmap");
  await page.click('#heatmap label:has(input[name="row-preset"][value="ggml"])');
  await expect.poll(() => chosen("order")).toBe("cosines-first");
  await redrawn(page);
  await showsItsCells(page, { length: 40, dim: 8, preset: "ggml" });
  await press(page, 'input[name="row-preset"]:checked', "ArrowRight");
  await expect.poll(() => chosen("order")).toBe("split");
  // The colour bar ends where its values do: at the square root of 2/8.
  const ends = await page.locator(".heat-axes text").allTextContents();
  expect(ends.includes("+0.5") && ends.includes("−0.5"), ends.join()).toBeTruthy();
  await expect.poll(() => link(page)).toEqual({ n: "40", d: "8", p: "4", k: "1", preset: "mlx" });
  await page.fill("#row-dim", "7");
  await page.click('#heatmap label:has(input[name="row-preset"][value="whisper"])');
  await expect(page.locator("#heatmap .problem")).toRead(/dim.*even/);
  await page.fill("#row-dim", "8");
  await expect(page.locator("#heatmap .problem")).toHaveText("");
});

test("its file holds the library's numbers", async ({ open }) => {
  const page = await open("#n=5&d=3");
  const lines = (await savedText(page, "heatmap", "csv")).trim().split("\r\n");
  const values = lines.slice(1).flatMap((line) => line.split(",").slice(1).map(Number).map(Math.fround));
  expect(values).toEqual(Array.from(pe.sinusoidal({ length: 5, dim: 3 }).data));
});
