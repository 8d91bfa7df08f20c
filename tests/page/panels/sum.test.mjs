import { load } from "../../../dist/index.js";
import { expect, redrawn, test } from "../fixtures.mjs";
import { exact, named, near, press, rows, shown, vector } from "./numbers.mjs";

// Words and positions, added: what the figure shows is what the library gives in this process.

test.use({ view: { ready: "sum", kept: true } });

const pe = await load();
const texts = (page, selector) => page.locator(`#sum tbody ${selector}`).allInnerTexts();
const vectors = async (page, selector) => (await texts(page, selector)).map(vector);

for (const [source, dim, digits] of [
  ["E", 2, 1],
  ["C", 3, 2],
])
  test(`post ${source}: printed sums, and the formula's beside them`, async ({ open }) => {
    const page = await open(`#source=${source}`);
    const embedding = await vectors(page, "[data-embedding]");
    const printed = await vectors(page, '[data-position="printed"]');
    expect(embedding.length).toBe(6);
    const tensor = (values) => ({ data: Float32Array.from(values.flat()), shape: [6, dim] });
    const roundedRows = ({ data }, to) => rows(data, dim).map((row) => shown(row, to));
    const asPrinted = pe.add(tensor(embedding), tensor(printed));
    expect(await vectors(page, '[data-sum="printed"]')).toEqual(roundedRows(asPrinted, digits));
    for (const cell of await texts(page, '[data-sum="printed"]')) expect(cell).toMatch(/✓/);
    const formula = pe.sinusoidal({ length: 6, dim });
    expect(await vectors(page, '[data-position="formula"]')).toEqual(roundedRows(formula, 3));
    expect(await vectors(page, '[data-sum="formula"]')).toEqual(roundedRows(pe.add(tensor(embedding), formula), 3));
    // Post E's "the" and "mat" collide as printed, not with the formula.
    for (const [kind, collide] of Object.entries({ printed: source === "E" ? 2 : 0, formula: 0 })) {
      await expect(page.locator(`#sum td.marked[data-sum="${kind}"]`)).toHaveCount(collide);
      await expect(page.locator(`.plane[data-kind="${kind}"] .ring`)).toHaveCount(collide);
    }
    if (source === "E") expect((await texts(page, "td.marked")).join()).toMatch(/= mat \(5\).*= the \(4\)/s);
    await named(page, "sum", {
      ".sums thead": `Pos. Word W, as printed With the positions post ${source} prints With the formula's positions, d = ${dim} | 位置 词 W（原文） 用帖子 ${source} 给出的位置向量 用公式的位置向量，d = ${dim}`,
    });
  });

test("the reader's own sentence: equal words have equal made-up vectors, sums are the library's", async ({ open }) => {
  const page = await open("#source=own&wd=4");
  await page.fill("#sum-sentence", "A rose is a  Rose");
  await redrawn(page);
  expect(await texts(page, "th")).toEqual(["A", "rose", "is", "a", "Rose"]);
  const embedding = await vectors(page, "[data-embedding]");
  expect(embedding.slice(3)).toEqual(embedding.slice(0, 2));
  expect(embedding[0]).not.toEqual(embedding[1]);
  const formula = pe.sinusoidal({ length: 5, dim: 4 });
  expect(await vectors(page, "[data-position]")).toEqual(rows(formula.data, 4).map((row) => shown(row, 3)));
  for (const [at, sum] of (await vectors(page, "[data-sum]")).flat().entries())
    near(sum, embedding.flat()[at] + formula.data[at], 1.1e-3);
  await expect(page.locator("#sum .note")).toRead(/made by a rule/);
  await page.fill("#sum-sentence", "  ");
  await expect(page.locator("#sum table")).toHaveCount(0);
});

test("a scaled word: X = s W + P to six digits, by keys, pointer and slider", async ({ open }) => {
  const page = await open("#ws=2.5&p=1");
  const [embedding, printed] = [
    await vectors(page, "[data-embedding]"),
    await vectors(page, '[data-position="printed"]'),
  ];
  const expectWord = async (word) => {
    await redrawn(page);
    for (const [kind, position] of [
      ["printed", printed[word]],
      ["formula", [Math.sin(word), Math.cos(word)]],
    ]) {
      const read = await exact(page, `#sum [data-sum-of="${kind}"]`);
      expect(read.length).toBe(2);
      for (const [at, sum] of read.entries()) near(sum, 2.5 * embedding[word][at] + position[at], 1e-6);
    }
  };
  await expectWord(1);
  const drawing = page.locator('#sum [data-kind="formula"]');
  await press(page, '#sum [data-kind="formula"]', "ArrowRight", "ArrowRight");
  await expectWord(3);
  await expect(drawing).toHaveAttribute("aria-valuetext", /^on \(3\), the formula's: X = 2\.5 × \[0\.7/);
  await page.fill("#sum-word", "0");
  await expectWord(0);
  const shaft = await drawing
    .locator(".move >> nth=2")
    .locator(".shaft")
    .evaluate((line) => {
      const end = new DOMPoint(line.x2.baseVal.value, line.y2.baseVal.value).matrixTransform(line.getScreenCTM());
      return [end.x, end.y];
    });
  await page.mouse.move(...shaft);
  await expectWord(2);
  // Nothing is printed for scaled words.
  await expect(page.locator("#sum .check")).toHaveCount(0);
  await page.fill("#row-sumScale", "1");
  await expect(page.locator("#sum .check")).toHaveCount(6);
});
