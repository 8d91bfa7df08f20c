import { load } from "../../../dist/index.js";
import { expect, link, openSettings, redrawn, savedText, test, words } from "../fixtures.mjs";
import { value as shownNumber } from "./numbers.mjs";

// The heatmap: what it shows is what the library gives in this process, with the sinusoid of every implementation.

const pe = await load();
test.use({ view: { ready: "heatmap" } });

const cellShown = async (page) => ({
  equation: await words(page.locator("#heatmap .equation")),
  value: await shownNumber(page, "#heatmap .equation output"),
});

test("the heatmap reads out the library's value, frequency and wavelength", async ({ open }) => {
  const page = await open("#n=6&d=512&p=3&k=4");
  const { data } = pe.sinusoidal({ length: 6, dim: 512 });
  const { value, equation } = await cellShown(page);
  expect(value).toBe(Number(data[3 * 512 + 4].toPrecision(7)));
  expect(equation).toMatch(/^PE\(3, 4\) = sin\(3 \/ 100004\/512\) = /);
  const omega = pe.frequencies({ dim: 512 }).data[2];
  expect(await shownNumber(page, "[data-omega]")).toBe(Number(omega.toPrecision(6)));
  const lambda = await shownNumber(page, "[data-lambda]");
  expect(Math.abs((lambda * omega) / (2 * Math.PI) - 1), `wavelength ${lambda}`).toBeLessThan(1e-5);
});

test("every option of the heatmap reaches the library", async ({ open }) => {
  const page = await open("#n=9&d=7&base=50&order=split&exponent=double-stepped&offset=-2.5&p=8&k=5");
  const options = { length: 9, dim: 7, base: 50, order: "split", exponent: "double-stepped", offset: -2.5 };
  const { data } = pe.sinusoidal(options);
  const { value, equation } = await cellShown(page);
  expect(value).toBe(Number(data[8 * 7 + 5].toPrecision(7)));
  expect(equation).toMatch(/^PE\(5\.5, 5\) = cos\(5\.5 \/ 504\/7\) = /);
});

test("pointing at the heatmap chooses the cell under the pointer", async ({ open }) => {
  const page = await open("#n=40&d=20");
  const { data } = pe.sinusoidal({ length: 40, dim: 20 });
  const canvas = page.locator(".heat-canvas");
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  for (const [position, dimension] of [
    [0, 0],
    [39, 19],
    [17, 6],
  ]) {
    await page.mouse.move(box.x + ((position + 0.5) / 40) * box.width, box.y + ((dimension + 0.5) / 20) * box.height);
    await redrawn(page);
    const { value, equation } = await cellShown(page);
    expect(equation.startsWith(`PE(${position}, ${dimension}) =`), equation).toBeTruthy();
    expect(value).toBe(Number(data[position * 20 + dimension].toPrecision(7)));
  }
});

test("keys move over the heatmap and are announced", async ({ open }) => {
  const page = await open("#n=64&d=40&p=10&k=20");
  const canvas = page.locator(".heat-canvas");
  await canvas.focus();
  for (const [key, position, dimension] of [
    ["ArrowRight", 11, 20],
    ["ArrowDown", 11, 21],
    ["ArrowLeft", 10, 21],
    ["ArrowUp", 10, 20],
    ["PageDown", 10, 36],
    ["PageDown", 10, 39],
    ["PageUp", 10, 23],
    ["End", 63, 23],
    ["ArrowRight", 63, 23],
    ["Home", 0, 23],
    ["Control+Home", 0, 0],
  ]) {
    await page.keyboard.press(key);
    await redrawn(page);
    const { equation } = await cellShown(page);
    expect(equation.startsWith(`PE(${position}, ${dimension}) =`), `${key}: ${equation}`).toBeTruthy();
  }
  await expect(page.locator("#heatmap .live").first()).toRead(/^PE\(0, 0\) = sin\(/);
});

test("colours of the heatmap keep the sign and match the colour bar", async ({ open }) => {
  const page = await open("#n=4&d=2");
  const { data } = pe.sinusoidal({ length: 4, dim: 2 });
  const pixels = await page.evaluate(() => {
    const canvas = document.querySelector(".heat-canvas");
    const bar = document.querySelector(".heat-bar");
    const pixelsOf = (target) => target.getContext("2d").getImageData(0, 0, target.width, target.height);
    const [picture, scale] = [pixelsOf(canvas), pixelsOf(bar)];
    const read = ({ data, width }, x, y) => Array.from(data.slice((y * width + x) * 4, (y * width + x) * 4 + 4));
    const cell = (index, dimension) =>
      read(
        picture,
        Math.floor(((index + 0.5) / 4) * canvas.width),
        Math.floor(((dimension + 0.5) / 2) * canvas.height),
      );
    return {
      cells: [0, 1, 2, 3].flatMap((index) => [0, 1].map((dimension) => cell(index, dimension))),
      bar: Array.from({ length: 256 }, (_, step) => read(scale, 0, step)),
    };
  });
  Array.from(data).forEach((value, at) => {
    // The bar runs from +1 at the top to -1 at the bottom.
    const step = 255 - Math.min(255, Math.floor(128 + value * 128));
    expect(pixels.cells[at], `value ${value}`).toEqual(pixels.bar[step]);
  });
});

test("a table larger than the picture is averaged, not sampled", async ({ open }) => {
  const page = await open({ hash: "#n=2048&d=2&base=1&colours=PuOr", width: 360 });
  // Both dimensions have a wavelength of 6.28 positions and one pixel holds several: their mean is nearly zero everywhere.
  const spread = await page.evaluate(() => {
    const canvas = document.querySelector(".heat-canvas");
    const { data } = canvas.getContext("2d").getImageData(8, 4, canvas.width - 16, 1);
    return Math.min(...Array.from(data).filter((_, at) => at % 4 !== 3));
  });
  expect(spread).toBeGreaterThan(200);
});

/** Entries of the colour bar, +1 at the top, of the picture at these places. */
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

const entryOf = (value) => Math.min(255, Math.floor(128 + value * 128));

/** Every cell is drawn in its value's colour. */
async function showsItsCells(page, { length, dim, ...options }) {
  const { data } = pe.sinusoidal({ length, dim, ...options });
  const size = await page.evaluate(() => {
    const { width, height } = document.querySelector(".heat-canvas");
    return { width, height };
  });
  const middle = (at, count, pixels) => Math.floor(((at + 0.5) / count) * pixels);
  const cells = Array.from({ length: length * dim }, (_, cell) => [Math.floor(cell / dim), cell % dim]);
  const places = cells.map(([index, dimension]) => [
    middle(index, length, size.width),
    middle(dimension, dim, size.height),
  ]);
  await expect
    .poll(() => entries(page, places))
    .toEqual(cells.map(([index, dimension]) => entryOf(data[index * dim + dimension])));
}

test("where dimensions share a pixel, sines are drawn above cosines and never mixed with them @all", async ({
  open,
}) => {
  const page = await open("#n=2048&d=512&p=0");
  const size = await page.evaluate(() => {
    const { width, height } = document.querySelector(".heat-canvas");
    return { width, height };
  });
  expect(size.height, "several to a pixel").toBeLessThan(512);
  // At the first positions the slow sines are 0 and all cosines 1: a mean of both would be 0.5.
  const half = size.height / 2;
  const column = (from, to) => Array.from({ length: Math.floor(to - from) }, (_, at) => [0, Math.ceil(from) + at]);
  const slowSines = await entries(page, column(0.8 * half, half));
  const slowCosines = await entries(page, column(1.3 * half, size.height));
  expect(
    slowSines.every((entry) => entry >= 126 && entry <= 132),
    slowSines.join(),
  ).toBeTruthy();
  expect(
    slowCosines.every((entry) => entry >= 250),
    slowCosines.join(),
  ).toBeTruthy();
  expect(await page.locator(".heat-axes text").allTextContents()).toContain("sines, then cosines");
  // The pointer chooses what is drawn below it, and the mark is there.
  await page.locator(".heat-canvas").scrollIntoViewIfNeeded();
  const box = await page.locator(".heat-canvas").boundingBox();
  for (const dimension of [40, 41, 510]) {
    const row = (dimension >> 1) + 256 * (dimension & 1);
    await page.mouse.move(box.x + box.width / 2, box.y + ((row + 0.5) / 512) * box.height);
    await redrawn(page);
    await expect(page.locator("#heatmap .equation")).toRead(new RegExp(`^PE\\(\\d+, ${dimension}\\) `));
    const mark = await page.locator(".heat-axes .mark-over").boundingBox();
    expect(
      Math.abs(mark.y + mark.height / 2 - box.y - ((row + 0.5) / 512) * box.height),
      `mark ${dimension}`,
    ).toBeLessThan(2);
  }
});

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
  ["paper", "d=6&exponent=half&less=1", { dim: 6, exponent: "half", shift: 1 }],
  ["tensor2tensor", "d=9", { dim: 9 }],
  ["tensor2tensor", "d=3", { dim: 3 }],
  ["whisper", "d=8", { dim: 8 }],
  ["diffusers", "d=8&order=cosines-first&less=0", { dim: 8, order: "cosines-first", shift: 0 }],
  ["diffusers", "d=8&times=1000", { dim: 8, scale: 1000 }],
  ["ggml", "d=9", { dim: 9 }],
  ["ggml", "d=8&order=interleaved", { dim: 8, order: "interleaved" }],
  ["mlx", "d=8&offset=-3", { dim: 8, offset: -3 }],
]) {
  test(`as in ${preset}, ${rest}: the library's values, and formulas that give them @all`, async ({ open }) => {
    const page = await open(`#preset=${preset}&n=12&${rest}&p=5`);
    const { data } = pe.sinusoidal({ preset, length: 12, ...options });
    for (let dimension = 0; dimension < options.dim; dimension++) {
      await page.fill("#heat-dimension", String(dimension));
      await redrawn(page);
      const value = data[5 * options.dim + dimension];
      const shown = await shownNumber(page, "#heatmap .equation output");
      expect(shown).toBe(Number(value.toPrecision(7)));
      const caption = await words(page.locator("#heatmap-caption"));
      const [, formula] = caption.match(/Chosen: PE\(\S+ \d+\) = (.*= )?\S+\.$/);
      expect(
        Math.abs(evaluated(formula ?? "") - value),
        `dimension ${dimension}: ${formula} is not ${value}`,
      ).toBeLessThan(1e-6);
      const readout = { omega: "[data-omega]", lambda: "[data-lambda]" };
      for (const name in readout) readout[name] = await words(page.locator(`#heatmap ${readout[name]}`));
      if (!formula) expect(readout).toEqual({ omega: "–", lambda: "–" });
      else {
        const product = (await shownNumber(page, "[data-omega]")) * (await shownNumber(page, "[data-lambda]"));
        expect(Math.abs(product / (2 * Math.PI) - 1), `ω λ = ${product}`).toBeLessThan(1e-5);
      }
    }
  });
}

test("an implementation is chosen by pointer and by keys, and brings its order and colours along", async ({ open }) => {
  const page = await open("#n=40&d=8&p=4&k=1&order=split&exponent=double-stepped&less=0");
  const chosen = (name) => page.locator(`#heatmap input[name="row-${name}"]:checked`).getAttribute("value");
  await expect.poll(() => chosen("order")).toBe("split");
  expect(
    await page.locator("#heatmap .more-settings").evaluate(({ open }) => open),
    "what was changed is shown",
  ).toBeTruthy();
  await page.click('#heatmap label:has(input[name="row-preset"][value="ggml"])');
  await redrawn(page);
  await expect.poll(() => chosen("order")).toBe("cosines-first");
  await showsItsCells(page, { length: 40, dim: 8, preset: "ggml" });
  await page.locator('input[name="row-preset"]:checked').focus();
  await page.keyboard.press("ArrowRight");
  await redrawn(page);
  await expect.poll(() => chosen("preset")).toBe("mlx");
  await expect.poll(() => chosen("order")).toBe("split");
  // The colour bar ends where its values do: at the square root of 2/8.
  const ends = await page.locator(".heat-axes text").allTextContents();
  expect(ends.includes("+0.5") && ends.includes("−0.5"), ends.join()).toBeTruthy();
  await expect(page).toHaveURL(/preset=mlx/);
  await expect.poll(() => link(page)).toEqual({ n: "40", d: "8", p: "4", k: "1", preset: "mlx" });
});

test("what an implementation refuses is reported", async ({ open }) => {
  const page = await open("#d=7");
  await openSettings(page, "heatmap");
  await page.click('#heatmap label:has(input[name="row-preset"][value="whisper"])');
  await page.waitForSelector("#heatmap .problem:not(:empty)");
  await expect(page.locator("#heatmap .problem")).toRead(/dim.*even/);
  await page.fill("#row-dim", "8");
  await page.waitForSelector("#heatmap .problem:empty", { state: "attached" });
});

test("files hold the library's numbers", async ({ open }) => {
  const page = await open({ hash: "#n=5&d=3", ready: true });
  const lines = (await savedText(page, "heatmap", "csv")).trim().split("\r\n");
  const values = lines.slice(1).flatMap((line) => line.split(",").slice(1).map(Number).map(Math.fround));
  expect(values).toEqual(Array.from(pe.sinusoidal({ length: 5, dim: 3 }).data));
  expect(await savedText(page, "sum", "csv")).toMatch(/^index,word,W0,W1,/);
  expect(await savedText(page, "rope", "csv")).toMatch(/weights,0,0\.109/);
});
