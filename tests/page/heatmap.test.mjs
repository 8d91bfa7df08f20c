import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/index.js";
import { openSettings, pageTests, settled, words } from "./browser.mjs";

// The heatmap looked at closely: zoom by rectangle, buttons, keys and numbers, the lens, and every implementation's
// sinusoid. What is shown is what the library gives in this process.

const pe = await load();
const { onPage } = pageTests();
const opened = (options, check) => onPage({ ready: "heatmap", ...options }, check);

const number = (text) => Number(text.replaceAll("−", "-"));

/** First and last column and dimension in sight, as the number boxes say. */
const inSight = (page) =>
  page.locator("#heatmap .range-boxes input").evaluateAll((boxes) => boxes.map((box) => box.valueAsNumber));

const link = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));

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
  await settled(page);
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
  assert.deepEqual(
    await entries(page, ".heat-canvas", places),
    cells.map(([index, dimension]) => entryOf(data[index * dim + dimension])),
  );
}

test("a rectangle drawn over the picture shows its cells alone, and Escape the whole table again", () =>
  opened({ hash: "#n=200&d=100" }, async (page) => {
    await drag(page, [0.252, 0.305], [0.348, 0.195]);
    assert.deepEqual(await inSight(page), [50, 69, 19, 30]);
    await showsItsCells(page, { length: 200, dim: 100 });
    assert.match(await words(page.locator("#heatmap-caption")), /In sight: columns 50 to 69, dimensions 19 to 30\./);
    await page.waitForFunction(() => location.hash.includes("c1="));
    const { c1, c2, k1, k2 } = await link(page);
    assert.deepEqual([c1, c2, k1, k2], ["50", "69", "19", "30"]);
    // The pointer still chooses the cell below it.
    const box = await page.locator(".heat-canvas").boundingBox();
    await page.mouse.move(box.x + (3.5 / 20) * box.width, box.y + (7.5 / 12) * box.height);
    await settled(page);
    assert.match(await words(page.locator("#heatmap .equation")), /^PE\(53, 26\) /);
    await page.keyboard.press("Escape");
    await settled(page);
    assert.deepEqual(await inSight(page), [0, 199, 0, 99]);
  }));

test("a rectangle can reach beyond the picture, be cancelled, and is none when the pointer hardly moves", () =>
  opened({ hash: "#n=200&d=100" }, async (page) => {
    await drag(page, [0.902, 0.5], [1.3, 1.4]);
    assert.deepEqual(await inSight(page), [180, 199, 50, 99]);
    await page.click('[data-zoom="all"]');
    await drag(page, [0.5, 0.5], [0.7, 0.7], false);
    assert.equal(await page.locator(".heat-brush").isVisible(), true);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".heat-brush").isVisible(), false);
    await page.mouse.up();
    await settled(page);
    assert.deepEqual(await inSight(page), [0, 199, 0, 99]);
    await drag(page, [0.5, 0.5], [0.501, 0.501]);
    assert.deepEqual(await inSight(page), [0, 199, 0, 99]);
  }));

test("zoom by buttons, keys and numbers, around the chosen cell", () =>
  opened({ hash: "#n=256&d=64&p=100&k=40" }, async (page) => {
    await page.click('[data-zoom="in"]');
    await settled(page);
    assert.deepEqual(await inSight(page), [36, 163, 24, 55]);
    await page.locator(".heat-canvas").focus();
    await page.keyboard.press("+");
    await settled(page);
    assert.deepEqual(await inSight(page), [68, 131, 32, 47]);
    await showsItsCells(page, { length: 256, dim: 64 });
    await page.keyboard.press("-");
    await settled(page);
    assert.deepEqual(await inSight(page), [36, 163, 24, 55]);
    await page.click('[data-zoom="out"]');
    await settled(page);
    assert.deepEqual(await inSight(page), [0, 255, 0, 63]);
    assert.equal(await page.isDisabled('[data-zoom="out"]'), true);
    await openSettings(page, "heatmap");
    const boxes = page.locator("#heatmap .range-boxes input");
    for (const [at, value] of [60, 80, 10, 20].entries()) await boxes.nth(at).fill(String(value));
    await settled(page);
    assert.deepEqual(await inSight(page), [60, 80, 10, 20]);
    await showsItsCells(page, { length: 256, dim: 64 });
    // A first column behind the last one is refused.
    await boxes.nth(0).fill("90");
    assert.equal(await boxes.nth(0).getAttribute("aria-invalid"), "true");
  }));

test("what is in sight moves along with the chosen cell, and back within the table", () =>
  opened({ hash: "#n=256&d=64&c1=60&c2=69&k1=10&k2=19&p=69&k=10" }, async (page) => {
    await page.locator(".heat-canvas").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    await settled(page);
    assert.deepEqual(await inSight(page), [61, 70, 9, 18]);
    await page.keyboard.press("End");
    await settled(page);
    assert.deepEqual(await inSight(page), [246, 255, 9, 18]);
    await page.fill("#row-length", "50");
    await settled(page);
    assert.deepEqual(await inSight(page), [49, 49, 9, 18]);
    await page.click('#heatmap [data-tool="reset"]');
    await settled(page);
    assert.deepEqual(await inSight(page), [0, 127, 0, 127]);
  }));

test("where dimensions share a pixel, sines are drawn above cosines and never mixed with them", () =>
  opened({ hash: "#n=2048&d=512&p=0" }, async (page) => {
    const size = await page.evaluate(() => {
      const { width, height } = document.querySelector(".heat-canvas");
      return { width, height };
    });
    assert.ok(size.height < 512, "several to a pixel");
    // At the first positions the slow sines are 0 and all cosines 1: a mean of both would be 0.5.
    const half = size.height / 2;
    const column = (from, to) => Array.from({ length: Math.floor(to - from) }, (_, at) => [0, Math.ceil(from) + at]);
    const slowSines = await entries(page, ".heat-canvas", column(0.8 * half, half));
    const slowCosines = await entries(page, ".heat-canvas", column(1.3 * half, size.height));
    assert.ok(
      slowSines.every((entry) => entry >= 126 && entry <= 132),
      slowSines.join(),
    );
    assert.ok(
      slowCosines.every((entry) => entry >= 250),
      slowCosines.join(),
    );
    assert.ok((await page.locator(".heat-axes text").allTextContents()).includes("sines, then cosines"));
    // The pointer chooses what is drawn below it, and the mark stands there.
    await page.locator(".heat-canvas").scrollIntoViewIfNeeded();
    const box = await page.locator(".heat-canvas").boundingBox();
    for (const dimension of [40, 41, 510]) {
      const row = (dimension >> 1) + 256 * (dimension & 1);
      await page.mouse.move(box.x + box.width / 2, box.y + ((row + 0.5) / 512) * box.height);
      await settled(page);
      assert.match(await words(page.locator("#heatmap .equation")), new RegExp(`^PE\\(\\d+, ${dimension}\\) `));
      const mark = await page.locator(".heat-axes .mark-over").boundingBox();
      assert.ok(Math.abs(mark.y + mark.height / 2 - box.y - ((row + 0.5) / 512) * box.height) < 2, `mark ${dimension}`);
    }
    // A rectangle over sines alone shows all dimensions from the first to the last of them.
    await drag(page, [0.1, 0.1], [0.2, 0.15]);
    const [, , top, bottom] = await inSight(page);
    assert.deepEqual([top, bottom], [2 * Math.floor(0.1 * 512), 2 * (Math.ceil(0.15 * 512) - 1)]);
    assert.ok((await page.locator(".heat-axes text").allTextContents()).includes("dimension"));
  }));

const lens = (page) => page.locator(".loupe");

test("where cells are more than pixels, a lens shows those around the pointer one by one", () =>
  opened({ hash: "#n=2048&d=512" }, async (page) => {
    const { data } = pe.sinusoidal({ length: 2048, dim: 512 });
    assert.equal(await lens(page).isVisible(), false);
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
      await settled(page);
      const box = await lens(page).evaluate((glass) => ({
        columns: glass.width,
        dims: glass.height,
        width: glass.clientWidth,
        height: glass.clientHeight,
      }));
      assert.equal(box.width, box.columns * Number(side));
      assert.equal(box.height, box.dims * Number(side));
      const first = (centre, count, all) => Math.max(0, Math.min(all - count, centre - Math.floor(count / 2)));
      const [left, top] = [first(index, box.columns, 2048), first(dimension, box.dims, 512)];
      const places = Array.from({ length: 600 }, (_, at) => [(at * 7) % box.columns, (at * 11) % box.dims]);
      assert.deepEqual(
        await entries(page, ".loupe", places),
        places.map(([x, y]) => entryOf(data[(left + x) * 512 + top + y])),
      );
      // It stands within the picture and does not hide the cell.
      const glass = await lens(page).boundingBox();
      assert.ok(glass.x >= picture.x && glass.x + glass.width <= picture.x + picture.width + 4);
      const cellX = picture.x + ((index + 0.5) / 2048) * picture.width;
      const cellY = picture.y + ((row + 0.5) / 512) * picture.height;
      const hides =
        cellX > glass.x && cellX < glass.x + glass.width && cellY > glass.y && cellY < glass.y + glass.height;
      assert.equal(hides, false);
    }
    await page.keyboard.press("Escape");
    assert.equal(await lens(page).isVisible(), false);
    await page.mouse.move(0, 0);
    await canvas.focus();
    await settled(page);
    assert.equal(await lens(page).isVisible(), true, "with the keyboard");
    await page.check('input[name="row-lens"][value="off"]', { force: true });
    await settled(page);
    assert.equal(await lens(page).isVisible(), false);
  }));

test("no lens where every cell is larger than in the lens", () =>
  opened({ hash: "#n=100&d=50" }, async (page) => {
    await page.locator(".heat-canvas").hover();
    await settled(page);
    assert.equal(await lens(page).isVisible(), false);
  }));

test("dragged on a slow machine, the picture has half the columns until it rests, and numbers follow", () =>
  opened({ hash: "#n=2048&d=512" }, async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const [whole, coarse] = await page.locator("#heatmap .control:has(#row-base) .range").evaluate(async (slider) => {
      const canvas = document.querySelector(".heat-canvas");
      const { width } = canvas;
      for (let step = 1; step < 100 && canvas.width === width; step++) {
        slider.value = String(500 + step);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise(requestAnimationFrame);
      }
      return [width, canvas.width];
    });
    await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    assert.equal(coarse, Math.round(whole / 2));
    await page.waitForFunction((width) => document.querySelector(".heat-canvas").width === width, whole);
    await settled(page);
    const base = await page.locator("#row-base").evaluate((box) => box.valueAsNumber);
    assert.ok(base > 1000, "dragged");
    const { data } = pe.sinusoidal({ length: 2048, dim: 512, base });
    const shown = number(await words(page.locator("#heatmap .equation output")));
    assert.equal(shown, Number(data[3 * 512 + 4].toPrecision(7)));
    assert.ok((await words(page.locator("#heatmap-caption"))).includes(`base ${base},`));
  }));

/** What the formula says that the page prints: "√(2/8) · cos(2 · 5 / 10000^(3/3))". */
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
  test(`as in ${preset}, ${rest}: the library's values, and formulas that give them`, () =>
    opened({ hash: `#preset=${preset}&n=12&${rest}&p=5` }, async (page) => {
      const { data } = pe.sinusoidal({ preset, length: 12, ...options });
      for (let dimension = 0; dimension < options.dim; dimension++) {
        await page.fill("#heat-dimension", String(dimension));
        await settled(page);
        const value = data[5 * options.dim + dimension];
        const shown = number(await words(page.locator("#heatmap .equation output")));
        assert.equal(shown, Number(value.toPrecision(7)));
        const caption = await words(page.locator("#heatmap-caption"));
        const [, formula] = caption.match(/Chosen: PE\(\S+ \d+\) = (.*= )?\S+\.$/);
        assert.ok(
          Math.abs(evaluated(formula ?? "") - value) < 1e-6,
          `dimension ${dimension}: ${formula} is not ${value}`,
        );
        const readout = { omega: "[data-omega]", lambda: "[data-lambda]" };
        for (const name in readout) readout[name] = await words(page.locator(`#heatmap ${readout[name]}`));
        if (!formula) assert.deepEqual(readout, { omega: "–", lambda: "–" });
        else {
          const product = number(readout.omega) * number(readout.lambda);
          assert.ok(Math.abs(product / (2 * Math.PI) - 1) < 1e-5, `ω λ = ${product}`);
        }
      }
    }));
}

test("an implementation is chosen by pointer and by keys, and brings its order and colours along", () =>
  opened({ hash: "#n=40&d=8&p=4&k=1&order=split&exponent=double-stepped&less=0" }, async (page) => {
    const chosen = (name) => page.locator(`#heatmap input[name="row-${name}"]:checked`).getAttribute("value");
    assert.equal(await chosen("order"), "split");
    assert.ok(await page.locator("#heatmap .more-settings").evaluate(({ open }) => open), "what was changed is shown");
    await page.click('#heatmap label:has(input[name="row-preset"][value="ggml"])');
    await settled(page);
    assert.equal(await chosen("order"), "cosines-first");
    await showsItsCells(page, { length: 40, dim: 8, preset: "ggml" });
    await page.locator('input[name="row-preset"]:checked').focus();
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.equal(await chosen("preset"), "mlx");
    assert.equal(await chosen("order"), "split");
    // The colour bar ends where its values do: at the square root of 2/8.
    const ends = await page.locator(".heat-axes text").allTextContents();
    assert.ok(ends.includes("+0.5") && ends.includes("−0.5"), ends.join());
    await page.waitForFunction(() => location.hash.includes("preset=mlx"));
    assert.deepEqual(await link(page), { n: "40", d: "8", p: "4", k: "1", preset: "mlx" });
  }));

test("what an implementation refuses is reported", () =>
  opened({ hash: "#d=7" }, async (page) => {
    await openSettings(page, "heatmap");
    await page.click('#heatmap label:has(input[name="row-preset"][value="whisper"])');
    await page.waitForSelector("#heatmap .problem:not(:empty)");
    assert.match(await words(page.locator("#heatmap .problem")), /dim.*even/);
    await page.fill("#row-dim", "8");
    await page.waitForSelector("#heatmap .problem:empty", { state: "attached" });
  }));
