import { load } from "../../../dist/index.js";
import { expect, redrawn, test } from "../fixtures.mjs";
import { exact, rows, shown, vector } from "./numbers.mjs";

// Words and positions, added: what the figure shows is what the library gives in this process.

test.use({ view: { ready: "sum" } });

const pe = await load();

for (const [source, dim, digits] of [
  ["E", 2, 1],
  ["C", 3, 2],
]) {
  test(`post ${source}: printed sums, and the formula's beside them`, async ({ open }) => {
    const page = await open(`#source=${source}`);
    const texts = (selector) => page.locator(`#sum tbody ${selector}`).allInnerTexts();
    const embedding = (await texts("[data-embedding]")).map(vector);
    const printed = (await texts('[data-position="printed"]')).map(vector);
    expect(embedding.length).toBe(6);
    const tensor = (values) => ({ data: Float32Array.from(values.flat()), shape: [6, dim] });
    const asPrinted = pe.add(tensor(embedding), tensor(printed));
    const printedSums = await texts('[data-sum="printed"]');
    expect(printedSums.map(vector)).toEqual(rows(asPrinted.data, dim).map((row) => shown(row, digits)));
    for (const cell of printedSums) expect(cell).toMatch(/✓/);

    const formula = pe.sinusoidal({ length: 6, dim });
    expect((await texts('[data-position="formula"]')).map(vector)).toEqual(
      rows(formula.data, dim).map((row) => shown(row, 3)),
    );
    const trueSum = pe.add(tensor(embedding), formula);
    expect((await texts('[data-sum="formula"]')).map(vector)).toEqual(
      rows(trueSum.data, dim).map((row) => shown(row, 3)),
    );
  });
}

test("post E: the and mat collide as printed, not with the formula", async ({ page }) => {
  const printed = await page.locator('#sum td.marked[data-sum="printed"]').allInnerTexts();
  expect(printed.map(vector)).toEqual([
    [1.8, 1.4],
    [1.8, 1.4],
  ]);
  expect(printed[0]).toMatch(/= mat \(5\)/);
  expect(printed[1]).toMatch(/= the \(4\)/);
  await expect(page.locator('#sum td.marked[data-sum="formula"]')).toHaveCount(0);
  await expect(page.locator('.plane[data-kind="printed"] .ring')).toHaveCount(2);
  await expect(page.locator('.plane[data-kind="formula"] .ring')).toHaveCount(0);
});

test("the reader's own sentence: equal words have equal made-up vectors, sums are the library's", async ({ open }) => {
  const page = await open("#source=own&wd=4");
  await page.fill("#sum-sentence", "A rose is a  Rose");
  await redrawn(page);
  const texts = (selector) => page.locator(`#sum tbody ${selector}`).allInnerTexts();
  expect(await texts("th")).toEqual(["A", "rose", "is", "a", "Rose"]);
  const embedding = (await texts("[data-embedding]")).map(vector);
  expect(embedding[0]).toEqual(embedding[3]);
  expect(embedding[1]).toEqual(embedding[4]);
  expect(embedding[0]).not.toEqual(embedding[1]);
  const formula = pe.sinusoidal({ length: 5, dim: 4 });
  expect((await texts("[data-position]")).map(vector)).toEqual(rows(formula.data, 4).map((row) => shown(row, 3)));
  const sums = (await texts("[data-sum]")).map(vector);
  sums.flat().forEach((value, at) => {
    expect(Math.abs(value - embedding.flat()[at] - formula.data[at])).toBeLessThan(1.1e-3);
  });
  await expect(page.locator("#sum .note")).toRead(/made by a rule/);
  await page.fill("#sum-sentence", "  ");
  await expect(page.locator("#sum table")).toHaveCount(0);
});

test("a scaled word: X = s W + P to six digits, by keys, pointer and slider", async ({ open }) => {
  const page = await open("#ws=2.5&p=1");
  const wordsOfE = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2];
  const positionsOfE = [0, 1, 0.8, 0.6, 0.5, 0.8, 0.2, 0.9, 0.9, 0.4, 0.7, 0.2];
  const expectWord = async (word) => {
    await redrawn(page);
    for (const [kind, position] of [
      ["printed", positionsOfE.slice(2 * word)],
      ["formula", [Math.sin(word), Math.cos(word)]],
    ]) {
      const read = await exact(page, `#sum [data-sum-of="${kind}"]`);
      expect(read.length).toBe(2);
      [0, 1].forEach((dimension) => {
        const sum = 2.5 * wordsOfE[2 * word + dimension] + position[dimension];
        expect(Math.abs(read[dimension] - sum), `${kind} ${word}: ${read}, expected ${sum}`).toBeLessThan(1e-6);
      });
    }
  };
  await expectWord(1);
  const drawing = page.locator('#sum [data-kind="formula"]');
  await drawing.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expectWord(3);
  await expect(drawing).toHaveAttribute("aria-valuetext", /^on \(3\), the formula's: X = 2\.5 × \[0\.7/);
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
  await expect(page.locator("#sum .check")).toHaveCount(0);
  await page.fill("#row-sumScale", "1");
  await expect(page.locator("#sum .check")).toHaveCount(6);
});
