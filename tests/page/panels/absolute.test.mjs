import { expect, redrawn, showTable, test } from "../fixtures.mjs";
import { exact } from "./numbers.mjs";

// Absolute positions and relative offsets of two sentences with the same words.

test.use({ view: { ready: "absolute" } });
/** The figure's numbers, a line for each word, without their names. */
async function lines(page) {
  await redrawn(page);
  return page
    .locator("#absolute .data-table tbody tr")
    .evaluateAll((all) => all.map((line) => [...line.cells].slice(0, 6).map((cell) => cell.textContent.trim())));
}
/** The offsets written at the arcs, those that differ in parentheses: of the first sentence, then of the second. */
const arcs = (page) =>
  page.locator("#absolute .offset").evaluateAll((all) =>
    all
      .map((arc) => [arc.querySelector("text"), arc.classList.contains("differs")])
      .sort(
        ([a], [b]) =>
          Math.sign(a.y.baseVal[0].value - b.y.baseVal[0].value) * 1e6 + a.x.baseVal[0].value - b.x.baseVal[0].value,
      )
      .map(([{ textContent }, differs]) => (differs ? `(${textContent})` : textContent))
      .join(" "),
  );

/** The product of the codes of two positions, from sums of cosines in doubles. */
function product(distance) {
  let sum = 0;
  for (let i = 0; i < 32; i++) sum += Math.cos(distance / 10000 ** ((2 * i) / 64));
  return sum;
}

test("post C's sentences: positions 5 6 7 1 2 3, four of five offsets the same", async ({ page }) => {
  await showTable(page, "absolute");
  await expect
    .poll(() => lines(page))
    .toEqual([
      ["The", "1", "5", "cat", "1", "1"],
      ["cat", "2", "6", "sat", "1", "1"],
      ["sat", "3", "7", "on", "1", "−6"],
      ["on", "4", "1", "the", "1", "1"],
      ["the", "5", "2", "mat", "1", "1"],
      ["mat", "6", "3", "", "", ""],
    ]);
  await expect(page.locator("#absolute-caption")).toRead(/0 of 6 words.* 4 of 5 pairs/);
  await expect(page.locator("#absolute .tie")).toHaveCount(6);
});

test("every offset has an arc; the one that differs is dashed and in red, above and below", async ({ page }) => {
  await expect.poll(() => arcs(page)).toBe("+1 +1 (+1) +1 +1 +1 +1 +1 +1 (−6)");
  const styles = await page.locator("#absolute .offset").evaluateAll((all) =>
    all.map((arc) => {
      const { stroke, strokeDasharray } = getComputedStyle(arc.querySelector("path"));
      return [arc.classList.contains("differs"), strokeDasharray !== "none", stroke];
    }),
  );
  for (const [differs, dashed] of styles) expect(dashed).toBe(differs);
  const [red] = styles.filter(([differs]) => differs).map(([, , stroke]) => stroke.match(/\d+/g).map(Number));
  expect(red[0] > 2 * red[1] && red[0] > 2 * red[2], `${red}`).toBeTruthy();
  // An arc that holds others lies outside of them.
  const far = await page.locator("#absolute .offset.differs path").last().boundingBox();
  const near = await page.locator("#absolute .offset:not(.differs) path").last().boundingBox();
  expect(far.y + far.height).toBeGreaterThan(near.y + near.height + 20);
  await expect(page.locator("#absolute .panel-body table")).toHaveCount(0);
});

test("a pair by keys, by pointer and by slider: its offsets and products of codes", async ({ open }) => {
  const page = await open("#p=0");
  const said = async () => {
    await redrawn(page);
    return page.locator("#absolute [data-line]").allInnerTexts();
  };
  await page.locator("#absolute .ties").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const [one, other] = await said();
  expect(one).toMatch(/^sat → on: 4 − 3 = \+1; PE\(3\) · PE\(4\) = /);
  expect(other).toMatch(/^sat → on: 1 − 7 = −6; PE\(7\) · PE\(1\) = /);
  const products = await exact(page, "#absolute [data-line]");
  expect(Math.abs(products[0] - product(1)), one).toBeLessThan(1e-4);
  expect(Math.abs(products[1] - product(6)), other).toBeLessThan(1e-4);
  await expect(page.locator("#absolute .ties")).toHaveAttribute("aria-valuetext", /^sat → on: 4 − 3/);
  const words = page.locator("#absolute .token text").filter({ hasText: /^mat$/ }).first();
  await words.scrollIntoViewIfNeeded();
  const box = await words.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  expect((await said())[0]).toMatch(/^the → mat: 6 − 5 = \+1/);
  await page.fill("#absolute-pair", "0");
  expect((await said())[1]).toMatch(/^The → cat: 6 − 5 = \+1/);
});

test("a second sentence is made of the reader's first one, until the reader writes one", async ({ open }) => {
  const page = await open("#text=one+two+three+four");
  const second = () => page.inputValue("#row-absoluteSecond");
  await expect.poll(second).toBe("three four, one two");
  await expect.poll(() => arcs(page)).toBe("+1 (+1) +1 +1 +1 (−4)");
  await page.fill("#absolute-sentence", "我爱你");
  await expect.poll(second).toBe("你，我爱");
  await page.fill("#row-absoluteSecond", "我，爱你");
  await expect.poll(() => arcs(page)).toBe("(+1) +1 +1 (+2)");
  await page.fill("#absolute-sentence", "The cat sat on the mat");
  await redrawn(page);
  await expect.poll(second).toBe("我，爱你");
});

test("tokens that are not drawn are counted, and a long word is shortened", async ({ open }) => {
  const page = await open({ width: 360, hash: "" });
  await page.fill("#absolute-sentence", "a b c d e f g h, i j k l m n o p q");
  await redrawn(page);
  await expect(page.locator("#absolute-sentence-note")).toRead(/first 16 of 18 tokens/);
  await expect(page.locator("#absolute .position")).toHaveCount(31);
  const long = "w".repeat(150);
  await page.fill("#absolute-sentence", `${long} and more`);
  await redrawn(page);
  const [left, next] = await page
    .locator("#absolute .token text:not(.position)")
    .evaluateAll((all) => all.slice(0, 2).map((text) => text.getBoundingClientRect().toJSON()));
  expect(left.right <= next.left + 1 && left.left >= 0, JSON.stringify([left, next])).toBeTruthy();
  await expect.poll(() => page.locator("#absolute .token title").first().textContent()).toBe(long);
});

test("other sentences, Chinese too; a missing word is reported", async ({ page }) => {
  await showTable(page, "absolute");
  await page.fill("#absolute-sentence", "我爱你");
  // The second box is about to be given its own new text.
  await redrawn(page);
  await page.fill("#row-absoluteSecond", "你，爱我");
  await expect
    .poll(() => lines(page))
    .toEqual([
      ["我", "1", "4", "爱", "1", "−1"],
      ["爱", "2", "3", "你", "1", "−2"],
      ["你", "3", "1", "", "", ""],
    ]);
  await page.fill("#row-absoluteSecond", "我爱她");
  expect((await lines(page))[2].slice(0, 3)).toEqual(["你", "3", ""]);
  await expect.poll(() => arcs(page)).toBe("+1 (+1) +1");
  await page.fill("#absolute-sentence", "我");
  await redrawn(page);
  await expect(page.locator("#absolute .offset")).toHaveCount(0);
  await expect(page.locator("#absolute [data-line]")).toRead(/two words or more/);
});
