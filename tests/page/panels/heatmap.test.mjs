import { load } from "../../../dist/index.js";
import { expect, link, openSettings, redrawn, savedText, test, words } from "../fixtures.mjs";
import { number, value as shownNumber } from "./numbers.mjs";

// The heatmap: what it shows is what the library gives in this process; zoom by rectangle, buttons, keys and numbers, the
// lens, and the sinusoid of every implementation.

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

test("the lens shows the values around the cell", async ({ open }) => {
  const page = await open("#n=64&d=40&p=10&k=20");
  const { data } = pe.sinusoidal({ length: 64, dim: 40 });
  const cells = (await page.locator(".lens-cell text").allTextContents()).map(number);
  expect(cells.length % 7).toBe(0);
  const columns = cells.length / 7;
  const first = 10 - (columns - 1) / 2;
  cells.forEach((value, at) => {
    const index = first + (at % columns);
    const dimension = 17 + Math.floor(at / columns);
    expect(value).toBe(Number(data[index * 40 + dimension].toFixed(3)) || 0);
  });
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

/** First and last column and dimension in sight, as the number boxes say. */
const inSight = (page) =>
  page.locator("#heatmap .range-boxes input").evaluateAll((boxes) => boxes.map((box) => box.valueAsNumber));

/** Entries of the colour bar, +1 at the top, of the pixels of a canvas at these places. */
const entries = (page, selector, places) =>
  page.evaluate(
    ([canvasSelector, wanted]) => {
      const pixels = (query) => {
        const canvas = document.querySelector(query);
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        return copy.getImageData(0, 0, canvas.width, canvas.height);
      };
      const read = ({ data, width }, x, y) => data.slice((y * width + x) * 4, (y * width + x) * 4 + 3).join();
      const bar = pixels(".heat-bar");
      const colours = Array.from({ length: 256 }, (_, at) => read(bar, 0, 255 - at));
      const picture = pixels(canvasSelector);
      return wanted.map(([x, y]) => colours.indexOf(read(picture, x, y)));
    },
    [selector, places],
  );

const entryOf = (value) => Math.min(255, Math.floor(128 + value * 128));

/** Presses the mouse at one place of the picture and lets it go at another, in shares of its sides. */
async function drag(page, [x, y], [toX, toY], release = true) {
  const canvas = page.locator(".heat-canvas");
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + toX * box.width, box.y + toY * box.height, { steps: 5 });
  if (release) await page.mouse.up();
  await redrawn(page);
  return box;
}

/** Every cell in sight is drawn in its value's colour. */
async function showsItsCells(page, { length, dim, ...options }) {
  const { data } = pe.sinusoidal({ length, dim, ...options });
  const [left, right, top, bottom] = await inSight(page);
  const size = await page.evaluate(() => {
    const { width, height } = document.querySelector(".heat-canvas");
    return { width, height };
  });
  const middle = (at, first, last, pixels) => Math.floor(((at - first + 0.5) / (last - first + 1)) * pixels);
  const cells = [];
  for (let index = left; index <= right; index++)
    for (let dimension = top; dimension <= bottom; dimension++) cells.push([index, dimension]);
  const places = cells.map(([index, dimension]) => [
    middle(index, left, right, size.width),
    middle(dimension, top, bottom, size.height),
  ]);
  await expect
    .poll(() => entries(page, ".heat-canvas", places))
    .toEqual(cells.map(([index, dimension]) => entryOf(data[index * dim + dimension])));
}

test("a rectangle drawn over the picture shows its cells alone, and Escape the whole table again", async ({ open }) => {
  const page = await open("#n=200&d=100");
  await drag(page, [0.252, 0.305], [0.348, 0.195]);
  await expect.poll(() => inSight(page)).toEqual([50, 69, 19, 30]);
  await showsItsCells(page, { length: 200, dim: 100 });
  await expect(page.locator("#heatmap-caption")).toRead(/In sight: columns 50 to 69, dimensions 19 to 30\./);
  await expect(page).toHaveURL(/c1=/);
  const { c1, c2, k1, k2 } = await link(page);
  expect([c1, c2, k1, k2]).toEqual(["50", "69", "19", "30"]);
  // The pointer still chooses the cell below it.
  const box = await page.locator(".heat-canvas").boundingBox();
  await page.mouse.move(box.x + (3.5 / 20) * box.width, box.y + (7.5 / 12) * box.height);
  await expect(page.locator("#heatmap .equation")).toRead(/^PE\(53, 26\) /);
  await page.keyboard.press("Escape");
  await redrawn(page);
  await expect.poll(() => inSight(page)).toEqual([0, 199, 0, 99]);
});

test("a rectangle reaches beyond the picture, is cancelled, or too small to be one @all", async ({ open }) => {
  const page = await open("#n=200&d=100");
  await drag(page, [0.902, 0.5], [1.3, 1.4]);
  await expect.poll(() => inSight(page)).toEqual([180, 199, 50, 99]);
  await page.click('[data-zoom="all"]');
  await drag(page, [0.5, 0.5], [0.7, 0.7], false);
  await expect(page.locator(".heat-brush")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator(".heat-brush")).toBeHidden();
  await page.mouse.up();
  await redrawn(page);
  await expect.poll(() => inSight(page)).toEqual([0, 199, 0, 99]);
  await drag(page, [0.5, 0.5], [0.501, 0.501]);
  await expect.poll(() => inSight(page)).toEqual([0, 199, 0, 99]);
});

test("zoom by buttons, keys and numbers, around the chosen cell", async ({ open }) => {
  const page = await open("#n=256&d=64&p=100&k=40");
  await page.click('[data-zoom="in"]');
  await expect.poll(() => inSight(page)).toEqual([36, 163, 24, 55]);
  await page.locator(".heat-canvas").focus();
  await page.keyboard.press("+");
  await redrawn(page);
  await expect.poll(() => inSight(page)).toEqual([68, 131, 32, 47]);
  await showsItsCells(page, { length: 256, dim: 64 });
  await page.keyboard.press("-");
  await expect.poll(() => inSight(page)).toEqual([36, 163, 24, 55]);
  await page.click('[data-zoom="out"]');
  await redrawn(page);
  await expect.poll(() => inSight(page)).toEqual([0, 255, 0, 63]);
  await expect(page.locator('[data-zoom="out"]')).toBeDisabled();
  await openSettings(page, "heatmap");
  const boxes = page.locator("#heatmap .range-boxes input");
  for (const [at, value] of [60, 80, 10, 20].entries()) await boxes.nth(at).fill(String(value));
  await redrawn(page);
  await expect.poll(() => inSight(page)).toEqual([60, 80, 10, 20]);
  await showsItsCells(page, { length: 256, dim: 64 });
  // A first column behind the last one is refused.
  await boxes.nth(0).fill("90");
  await expect(boxes.nth(0)).toHaveAttribute("aria-invalid", "true");
});

test("what is in sight moves along with the chosen cell, and back within the table @all", async ({ open }) => {
  const page = await open("#n=256&d=64&c1=60&c2=69&k1=10&k2=19&p=69&k=10");
  await page.locator(".heat-canvas").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => inSight(page)).toEqual([61, 70, 9, 18]);
  await page.keyboard.press("End");
  await expect.poll(() => inSight(page)).toEqual([246, 255, 9, 18]);
  await page.fill("#row-length", "50");
  await expect.poll(() => inSight(page)).toEqual([49, 49, 9, 18]);
  await page.click('#heatmap [data-tool="reset"]');
  await expect.poll(() => inSight(page)).toEqual([0, 127, 0, 127]);
});

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
  const slowSines = await entries(page, ".heat-canvas", column(0.8 * half, half));
  const slowCosines = await entries(page, ".heat-canvas", column(1.3 * half, size.height));
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
  // A rectangle over sines alone shows all dimensions from the first to the last of them.
  await drag(page, [0.1, 0.1], [0.2, 0.15]);
  const [, , top, bottom] = await inSight(page);
  expect([top, bottom]).toEqual([2 * Math.floor(0.1 * 512), 2 * (Math.ceil(0.15 * 512) - 1)]);
  expect(await page.locator(".heat-axes text").allTextContents()).toContain("dimension");
});

const lens = (page) => page.locator(".loupe");

test("where cells are more than pixels, a lens shows those around the pointer one by one", async ({ open }) => {
  const page = await open("#n=2048&d=512");
  const { data } = pe.sinusoidal({ length: 2048, dim: 512 });
  await expect(lens(page)).toBeHidden();
  await openSettings(page, "heatmap");
  const canvas = page.locator(".heat-canvas");
  for (const [side, index, dimension] of [
    ["1", 700, 100],
    ["4", 2040, 508],
  ]) {
    // Even dimensions are drawn above odd ones.
    const row = dimension / 2;
    await page.check(`input[name="row-lens"][value="${side}"]`, { force: true });
    await canvas.scrollIntoViewIfNeeded();
    const picture = await canvas.boundingBox();
    await page.mouse.move(
      picture.x + ((index + 0.5) / 2048) * picture.width,
      picture.y + ((row + 0.5) / 512) * picture.height,
    );
    await redrawn(page);
    const box = await lens(page).evaluate((glass) => ({
      columns: glass.width,
      dims: glass.height,
      width: glass.clientWidth,
      height: glass.clientHeight,
    }));
    expect(box.width).toBe(box.columns * Number(side));
    expect(box.height).toBe(box.dims * Number(side));
    const first = (centre, count, all) => Math.max(0, Math.min(all - count, centre - Math.floor(count / 2)));
    const [left, top] = [first(index, box.columns, 2048), first(dimension, box.dims, 512)];
    const places = Array.from({ length: 600 }, (_, at) => [(at * 7) % box.columns, (at * 11) % box.dims]);
    await expect
      .poll(() => entries(page, ".loupe", places))
      .toEqual(places.map(([x, y]) => entryOf(data[(left + x) * 512 + top + y])));
    // The lens is within the picture and does not hide the cell.
    const glass = await lens(page).boundingBox();
    expect(glass.x >= picture.x && glass.x + glass.width <= picture.x + picture.width + 4).toBeTruthy();
    const cellX = picture.x + ((index + 0.5) / 2048) * picture.width;
    const cellY = picture.y + ((row + 0.5) / 512) * picture.height;
    const hides = cellX > glass.x && cellX < glass.x + glass.width && cellY > glass.y && cellY < glass.y + glass.height;
    expect(hides).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(lens(page)).toBeHidden();
  await page.mouse.move(0, 0);
  await canvas.focus();
  await redrawn(page);
  await expect(lens(page), "with the keyboard").toBeVisible();
  await page.check('input[name="row-lens"][value="off"]', { force: true });
  await redrawn(page);
  await expect(lens(page)).toBeHidden();
});

test("no lens where every cell is larger than in the lens @all", async ({ open }) => {
  const page = await open("#n=100&d=50");
  await page.locator(".heat-canvas").hover();
  await redrawn(page);
  await expect(lens(page)).toBeHidden();
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
