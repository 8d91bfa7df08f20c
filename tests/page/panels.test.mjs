import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/index.js";
import { openSettings, pageTests, savedText, settled, unfold, widen, words } from "./browser.mjs";

// What the three panels show is what the library gives in this process.

const pe = await load();
const { onPage } = pageTests();

/** A shown number as JavaScript reads it. */
const number = (text) => Number(text.replaceAll("−", "-"));
/** All numbers of shown vectors like "[0.1, −0.2, …]". */
const vector = (text) =>
  (text.match(/\[(.*?)\]/)?.[1] ?? "")
    .replace(", …", "")
    .split(",")
    .map((part) => number(part.trim()));
const rows = (data, width) =>
  Array.from({ length: data.length / width }, (_, row) => Array.from(data.slice(row * width, (row + 1) * width)));
const shown = (values, digits) => values.map((value) => Number(value.toFixed(digits)) || 0);

const cellShown = async (page) => ({
  equation: await words(page.locator("#heatmap .equation")),
  value: number(await words(page.locator("#heatmap .equation output"))),
});

test("the heatmap reads out the library's value, frequency and wavelength", () =>
  onPage({ hash: "#n=6&d=512&p=3&k=4" }, async (page) => {
    const { data } = pe.sinusoidal({ length: 6, dim: 512 });
    const { value, equation } = await cellShown(page);
    assert.equal(value, Number(data[3 * 512 + 4].toPrecision(7)));
    assert.match(equation, /^PE\(3, 4\) = sin\(3 \/ 100004\/512\) = /);
    const omega = pe.frequencies({ dim: 512 }).data[2];
    assert.equal(number(await words(page.locator("[data-omega]"))), Number(omega.toPrecision(6)));
    const lambda = number(await words(page.locator("[data-lambda]")));
    assert.ok(Math.abs((lambda * omega) / (2 * Math.PI) - 1) < 1e-5, `wavelength ${lambda}`);
  }));

test("every option of the heatmap reaches the library", () =>
  onPage({ hash: "#n=9&d=7&base=50&order=split&exponent=double-stepped&offset=-2.5&p=8&k=5" }, async (page) => {
    const options = { length: 9, dim: 7, base: 50, order: "split", exponent: "double-stepped", offset: -2.5 };
    const { data } = pe.sinusoidal(options);
    const { value, equation } = await cellShown(page);
    assert.equal(value, Number(data[8 * 7 + 5].toPrecision(7)));
    assert.match(equation, /^PE\(5\.5, 5\) = cos\(5\.5 \/ 504\/7\) = /);
  }));

test("pointing at the heatmap chooses the cell under the pointer", () =>
  onPage({ hash: "#n=40&d=20" }, async (page) => {
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
      await settled(page);
      const { value, equation } = await cellShown(page);
      assert.ok(equation.startsWith(`PE(${position}, ${dimension}) =`), equation);
      assert.equal(value, Number(data[position * 20 + dimension].toPrecision(7)));
    }
  }));

test("keys move over the heatmap and are announced", () =>
  onPage({ hash: "#n=64&d=40&p=10&k=20" }, async (page) => {
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
      await settled(page);
      const { equation } = await cellShown(page);
      assert.ok(equation.startsWith(`PE(${position}, ${dimension}) =`), `${key}: ${equation}`);
    }
    await page.waitForFunction(() =>
      document.querySelector("#heatmap .live").textContent.startsWith("PE(0, 0) = sin("),
    );
  }));

test("the lens shows the values around the cell", () =>
  onPage({ hash: "#n=64&d=40&p=10&k=20" }, async (page) => {
    const { data } = pe.sinusoidal({ length: 64, dim: 40 });
    const cells = (await page.locator(".lens-cell text").allTextContents()).map(number);
    assert.equal(cells.length % 7, 0);
    const columns = cells.length / 7;
    const first = 10 - (columns - 1) / 2;
    cells.forEach((value, at) => {
      const index = first + (at % columns);
      const dimension = 17 + Math.floor(at / columns);
      assert.equal(value, Number(data[index * 40 + dimension].toFixed(4)) || 0);
    });
  }));

test("colours of the heatmap keep the sign and match the colour bar", () =>
  onPage({ hash: "#n=4&d=2" }, async (page) => {
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
      assert.deepEqual(pixels.cells[at], pixels.bar[step], `value ${value}`);
    });
  }));

test("a table larger than the picture is averaged, not sampled", () =>
  onPage({ hash: "#n=2048&d=2&base=1&colours=PuOr", width: 360 }, async (page) => {
    // Both dimensions have a wavelength of 6.28 positions and one pixel holds several: their mean is nearly zero everywhere.
    const spread = await page.evaluate(() => {
      const canvas = document.querySelector(".heat-canvas");
      const { data } = canvas.getContext("2d").getImageData(8, 4, canvas.width - 16, 1);
      return Math.min(...Array.from(data).filter((_, at) => at % 4 !== 3));
    });
    assert.ok(spread > 200, `darkest channel ${spread}`);
  }));

for (const [source, dim, digits] of [
  ["E", 2, 1],
  ["C", 3, 2],
]) {
  test(`post ${source}: printed sums, and the formula's beside them`, () =>
    onPage({ hash: `#source=${source}` }, async (page) => {
      const texts = (selector) => page.locator(`#sum tbody ${selector}`).allInnerTexts();
      const embedding = (await texts("[data-embedding]")).map(vector);
      const printed = (await texts('[data-position="printed"]')).map(vector);
      assert.equal(embedding.length, 6);
      const tensor = (values) => ({ data: Float32Array.from(values.flat()), shape: [6, dim] });
      const asPrinted = pe.add(tensor(embedding), tensor(printed));
      const printedSums = await texts('[data-sum="printed"]');
      assert.deepEqual(
        printedSums.map(vector),
        rows(asPrinted.data, dim).map((row) => shown(row, digits)),
      );
      for (const cell of printedSums) assert.match(cell, /✓/);

      const formula = pe.sinusoidal({ length: 6, dim });
      assert.deepEqual(
        (await texts('[data-position="formula"]')).map(vector),
        rows(formula.data, dim).map((row) => shown(row, 3)),
      );
      const trueSum = pe.add(tensor(embedding), formula);
      assert.deepEqual(
        (await texts('[data-sum="formula"]')).map(vector),
        rows(trueSum.data, dim).map((row) => shown(row, 3)),
      );
    }));
}

test("post E: the and mat collide as printed, not with the formula", () =>
  onPage({}, async (page) => {
    const printed = await page.locator('#sum td.marked[data-sum="printed"]').allInnerTexts();
    assert.deepEqual(printed.map(vector), [
      [1.8, 1.4],
      [1.8, 1.4],
    ]);
    assert.match(printed[0], /= mat \(5\)/);
    assert.match(printed[1], /= the \(4\)/);
    assert.equal(await page.locator('#sum td.marked[data-sum="formula"]').count(), 0);
    assert.equal(await page.locator('.plane[data-kind="printed"] .ring').count(), 2);
    assert.equal(await page.locator('.plane[data-kind="formula"] .ring').count(), 0);
  }));

test("the reader's own sentence: equal words have equal made-up vectors, sums are the library's", () =>
  onPage({ hash: "#source=own&wd=4" }, async (page) => {
    await page.fill("#sum-sentence", "A rose is a  Rose");
    await settled(page);
    const texts = (selector) => page.locator(`#sum tbody ${selector}`).allInnerTexts();
    assert.deepEqual(await texts("th"), ["A", "rose", "is", "a", "Rose"]);
    const embedding = (await texts("[data-embedding]")).map(vector);
    assert.deepEqual(embedding[0], embedding[3]);
    assert.deepEqual(embedding[1], embedding[4]);
    assert.notDeepEqual(embedding[0], embedding[1]);
    const formula = pe.sinusoidal({ length: 5, dim: 4 });
    assert.deepEqual(
      (await texts("[data-position]")).map(vector),
      rows(formula.data, 4).map((row) => shown(row, 3)),
    );
    const sums = (await texts("[data-sum]")).map(vector);
    sums.flat().forEach((value, at) => {
      assert.ok(Math.abs(value - embedding.flat()[at] - formula.data[at]) < 1.1e-3);
    });
    assert.match(await words(page.locator("#sum .note")), /made up/);
    await page.fill("#sum-sentence", "  ");
    await settled(page);
    assert.equal(await page.locator("#sum table").count(), 0);
  }));

test("a scaled word: X = s W + P to six digits, by keys, pointer and slider", () =>
  onPage({ hash: "#ws=2.5&p=1" }, async (page) => {
    const wordsOfE = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2];
    const positionsOfE = [0, 1, 0.8, 0.6, 0.5, 0.8, 0.2, 0.9, 0.9, 0.4, 0.7, 0.2];
    const expectWord = async (word) => {
      await settled(page);
      for (const [kind, position] of [
        ["printed", positionsOfE.slice(2 * word)],
        ["formula", [Math.sin(word), Math.cos(word)]],
      ]) {
        const read = vector(await words(page.locator(`#sum [data-sum-of="${kind}"]`)));
        [0, 1].forEach((dimension) => {
          const sum = 2.5 * wordsOfE[2 * word + dimension] + position[dimension];
          assert.ok(Math.abs(read[dimension] - sum) < 1e-6, `${kind} ${word}: ${read}, expected ${sum}`);
        });
      }
    };
    await expectWord(1);
    const drawing = page.locator('#sum [data-kind="formula"]');
    await drawing.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expectWord(3);
    assert.match(await drawing.getAttribute("aria-valuetext"), /^on \(3\), the formula's: X = 2\.5 × \[0\.7/);
    await page.keyboard.press("End");
    await expectWord(5);
    await page.fill("#sum-word", "0");
    await expectWord(0);
    const shaft = await drawing
      .locator(".move")
      .nth(2)
      .locator(".shaft")
      .evaluate((line) => {
        const at = new DOMPoint(line.x2.baseVal.value, line.y2.baseVal.value).matrixTransform(line.getScreenCTM());
        return { x: at.x, y: at.y };
      });
    await page.mouse.move(shaft.x, shaft.y);
    await expectWord(2);
    // Nothing is printed for scaled words.
    assert.equal(await page.locator("#sum .check").count(), 0);
    await page.fill("#row-sumScale", "1");
    await settled(page);
    assert.equal(await page.locator("#sum .check").count(), 6);
  }));

const linear = (values, weight) =>
  pe.linear({ data: Float32Array.from(values), shape: [3, 2] }, { data: Float32Array.from(weight), shape: [2, 2] });

/** Post C's three tokens, rotated by these degrees. */
function rotation(degrees) {
  const tokens = [1, 0.2, 0.3, 1, -0.9, 0.5];
  const query = linear(tokens, [1, 0.8, -0.8, 1]);
  const key = linear(tokens, [-1, 0.6, 0.6, 1]);
  const value = linear(tokens, [1, 0, 0, 1]);
  const rope = pe.rotary({ dim: 2, layout: "interleaved" });
  const positions = degrees.map((angle) => (angle * Math.PI) / 180);
  const rotate = (x) => ({ data: rope.apply(x.data.slice(), { shape: [3, 2], positions }), shape: [3, 2] });
  const [rotatedQuery, rotatedKey] = [rotate(query), rotate(key)];
  return {
    query,
    key,
    rotatedQuery,
    rotatedKey,
    ...pe.attention({ query: rotatedQuery, key: rotatedKey, value, weights: true }),
  };
}

async function checkRotation(page, degrees) {
  const expected = rotation(degrees);
  for (const [name, x] of [
    ["Q", expected.query],
    ["Q′", expected.rotatedQuery],
    ["K", expected.key],
    ["K′", expected.rotatedKey],
  ]) {
    const cells = await page.locator(`[data-projection="${name}"]`).allInnerTexts();
    assert.deepEqual(
      cells.map(vector),
      rows(x.data, 2).map((row) => shown(row, 6)),
      name,
    );
  }
  const weights = await page.locator('[data-attention="rotated"] [data-weight]').allInnerTexts();
  assert.deepEqual(weights.map(number), shown(Array.from(expected.weights.data), 6));
  for (const text of weights) assert.match(text, /^\d\.\d{6}$/);
  const output = await page.locator('[data-attention="rotated"] [data-output]').allInnerTexts();
  assert.deepEqual(
    output.map(vector),
    rows(expected.output.data, 2).map((row) => shown(row, 6)),
  );
}

test("rotation in the plane: post C's numbers to six digits, twelve arrows", () =>
  onPage({}, async (page) => {
    await checkRotation(page, [10, 20, 30]);
    assert.equal(await page.locator("#rope [data-arrow]").count(), 12);
    const plain = await page.locator('[data-attention="plain"] [data-weight]').allInnerTexts();
    assert.deepEqual(plain.map(number), shown(Array.from(rotation([0, 0, 0]).weights.data), 6));
  }));

test("angles follow number box, keys and dragging; reset brings the post back", () =>
  onPage({}, async (page) => {
    await page.fill("#angle-0", "-45");
    await settled(page);
    await checkRotation(page, [-45, 20, 30]);
    await page.locator('[data-handle="K1′"]').focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("PageUp");
    await settled(page);
    await checkRotation(page, [-45, 31, 30]);

    const drawing = page.locator(".rope-plane");
    await drawing.scrollIntoViewIfNeeded();
    const box = await drawing.boundingBox();
    const knob = await page.locator('[data-handle="Q2′"]').boundingBox();
    await page.mouse.move(knob.x + knob.width / 2, knob.y + knob.height / 2);
    await page.mouse.down();
    // Straight up: Q2 = (-0.5, 1.22) then points 90 degrees, less the angle it starts from.
    await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 5 });
    await page.mouse.up();
    await settled(page);
    const upright = Math.round(90 - (Math.atan2(1.22, -0.5) * 180) / Math.PI);
    await checkRotation(page, [-45, 31, upright]);

    await openSettings(page, "rope");
    await page.click('[data-tool="post"]');
    await settled(page);
    await checkRotation(page, [10, 20, 30]);
  }));

test("a common rotation changes no weight beyond rounding, and the change is shown", () =>
  onPage({ hash: "#shift=77" }, async (page) => {
    const drift = number(await words(page.locator("#rope [data-drift]")));
    assert.ok(drift < 1e-6, `drift ${drift}`);
    const rotated = rotation([87, 97, 107]).weights.data;
    const plain = rotation([10, 20, 30]).weights.data;
    const most = Math.max(...rotated.map((weight, at) => Math.abs(Math.fround(weight - plain[at]))));
    assert.equal(drift, Number(most.toPrecision(3)));
    await checkRotation(page, [87, 97, 107]);
  }));

test("tokens and matrices can be edited", () =>
  onPage({}, async (page) => {
    await unfold(page);
    await openSettings(page, "rope");
    const boxes = page.locator("#rope .matrix").nth(1).locator("input");
    await boxes.nth(0).fill("2.5");
    await settled(page);
    const query = linear([1, 0.2, 0.3, 1, -0.9, 0.5], [2.5, 0.8, -0.8, 1]);
    const cells = await page.locator('[data-projection="Q"]').allInnerTexts();
    assert.deepEqual(
      cells.map(vector),
      rows(query.data, 2).map((row) => shown(row, 6)),
    );
  }));

test("rotation in words first, matrices folded away, and tables that fit a phone", () =>
  onPage({ ready: "rope" }, async (page) => {
    assert.equal(await page.locator("#rope > .prose").first().locator(".formula").count(), 0);
    assert.equal(await page.locator("#rope .matrix input").first().isVisible(), false);
    for (const width of [1280, 360]) {
      await widen(page, width);
      const tables = await page
        .locator("#rope .scroll")
        .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      assert.deepEqual(tables, [0, 0, 0, 0], `${width} px`);
    }
  }));

test("files hold the library's numbers", () =>
  onPage({ hash: "#n=5&d=3" }, async (page) => {
    const lines = (await savedText(page, "heatmap", "csv"))
      .trim()
      .split("\r\n")
      .map((line) => line.split(","));
    const values = lines.slice(1).flatMap((line) => line.slice(1).map(Number).map(Math.fround));
    assert.deepEqual(values, Array.from(pe.sinusoidal({ length: 5, dim: 3 }).data));
    assert.match(await savedText(page, "sum", "csv"), /^index,word,W0,W1,/);
    assert.match(await savedText(page, "rope", "csv"), /weights,0,0\.109/);
  }));
