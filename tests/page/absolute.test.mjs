import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, settled, showTable, words } from "./browser.mjs";

// Absolute positions and relative offsets of two sentences with the same words.

const { onPage } = pageTests();
const onPanel = (options, check) =>
  onPage({ ready: "absolute", ...(typeof options === "string" ? { hash: options } : options) }, check);
const number = (text) => Number(text.replaceAll("−", "-"));
/** The figure's numbers, a line for each word, without their names. */
async function lines(page) {
  await settled(page);
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

test("post C's sentences: positions 5 6 7 1 2 3, four of five offsets the same", () =>
  onPanel("", async (page) => {
    await showTable(page, "absolute");
    assert.deepEqual(await lines(page), [
      ["The", "1", "5", "cat", "1", "1"],
      ["cat", "2", "6", "sat", "1", "1"],
      ["sat", "3", "7", "on", "1", "−6"],
      ["on", "4", "1", "the", "1", "1"],
      ["the", "5", "2", "mat", "1", "1"],
      ["mat", "6", "3", "", "", ""],
    ]);
    assert.match(await words(page.locator("#absolute-caption")), /0 of 6 words.* 4 of 5 pairs/);
    assert.equal(await page.locator("#absolute .tie").count(), 6);
  }));

test("every offset has an arc; the one that differs is dashed and in red, above and below", () =>
  onPanel("", async (page) => {
    assert.equal(await arcs(page), "+1 +1 (+1) +1 +1 +1 +1 +1 +1 (−6)");
    const styles = await page.locator("#absolute .offset").evaluateAll((all) =>
      all.map((arc) => {
        const { stroke, strokeDasharray } = getComputedStyle(arc.querySelector("path"));
        return [arc.classList.contains("differs"), strokeDasharray !== "none", stroke];
      }),
    );
    for (const [differs, dashed] of styles) assert.equal(dashed, differs);
    const [red] = styles.filter(([differs]) => differs).map(([, , stroke]) => stroke.match(/\d+/g).map(Number));
    assert.ok(red[0] > 2 * red[1] && red[0] > 2 * red[2], `${red}`);
    // An arc that holds others lies outside of them.
    const far = await page.locator("#absolute .offset.differs path").last().boundingBox();
    const near = await page.locator("#absolute .offset:not(.differs) path").last().boundingBox();
    assert.ok(far.y + far.height > near.y + near.height + 20);
    assert.equal(await page.locator("#absolute .panel-body table").count(), 0);
  }));

test("a pair by keys, by pointer and by slider: its offsets and products of codes", () =>
  onPanel("#p=0", async (page) => {
    const said = async () => {
      await settled(page);
      return page.locator("#absolute [data-line]").allInnerTexts();
    };
    await page.locator("#absolute .ties").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const [one, other] = await said();
    assert.match(one, /^sat → on: 4 − 3 = \+1; PE\(3\) · PE\(4\) = /);
    assert.match(other, /^sat → on: 1 − 7 = −6; PE\(7\) · PE\(1\) = /);
    assert.ok(Math.abs(number(one.split(" = ").at(-1)) - product(1)) < 1e-4, one);
    assert.ok(Math.abs(number(other.split(" = ").at(-1)) - product(6)) < 1e-4, other);
    assert.match(await page.locator("#absolute .ties").getAttribute("aria-valuetext"), /^sat → on: 4 − 3/);
    const words = page.locator("#absolute .token text").filter({ hasText: /^mat$/ }).first();
    await words.scrollIntoViewIfNeeded();
    const box = await words.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match((await said())[0], /^the → mat: 6 − 5 = \+1/);
    await page.fill("#absolute-pair", "0");
    assert.match((await said())[1], /^The → cat: 6 − 5 = \+1/);
  }));

test("a second sentence is made of the reader's first one, until the reader writes one", () =>
  onPanel("#text=one+two+three+four", async (page) => {
    const second = () => page.inputValue("#row-absoluteSecond");
    assert.equal(await second(), "three four, one two");
    assert.equal(await arcs(page), "+1 (+1) +1 +1 +1 (−4)");
    await page.fill("#absolute-sentence", "我爱你");
    await settled(page);
    assert.equal(await second(), "你，我爱");
    await page.fill("#row-absoluteSecond", "我，爱你");
    await settled(page);
    assert.equal(await arcs(page), "(+1) +1 +1 (+2)");
    await page.fill("#absolute-sentence", "The cat sat on the mat");
    await settled(page);
    assert.equal(await second(), "我，爱你");
  }));

test("tokens that are not drawn are told, and a long word is shortened", () =>
  onPanel({ width: 360, hash: "" }, async (page) => {
    await page.fill("#absolute-sentence", "a b c d e f g h, i j k l m n o p q");
    await settled(page);
    assert.match(await words(page.locator("#absolute-sentence-note")), /first 16 of 18 tokens/);
    assert.equal(await page.locator("#absolute .position").count(), 31);
    const long = "w".repeat(150);
    await page.fill("#absolute-sentence", `${long} and more`);
    await settled(page);
    const [left, next] = await page
      .locator("#absolute .token text:not(.position)")
      .evaluateAll((all) => all.slice(0, 2).map((text) => text.getBoundingClientRect().toJSON()));
    assert.ok(left.right <= next.left + 1 && left.left >= 0, JSON.stringify([left, next]));
    assert.equal(await page.locator("#absolute .token title").first().textContent(), long);
  }));

test("other sentences, Chinese too; a missing word is reported", () =>
  onPanel("", async (page) => {
    await showTable(page, "absolute");
    await page.fill("#absolute-sentence", "我爱你");
    // The second box is about to be given its own new text.
    await settled(page);
    await page.fill("#row-absoluteSecond", "你，爱我");
    assert.deepEqual(await lines(page), [
      ["我", "1", "4", "爱", "1", "−1"],
      ["爱", "2", "3", "你", "1", "−2"],
      ["你", "3", "1", "", "", ""],
    ]);
    await page.fill("#row-absoluteSecond", "我爱她");
    assert.deepEqual((await lines(page))[2].slice(0, 3), ["你", "3", ""]);
    assert.equal(await arcs(page), "+1 (+1) +1");
    await page.fill("#absolute-sentence", "我");
    await settled(page);
    assert.equal(await page.locator("#absolute .offset").count(), 0);
    assert.match(await words(page.locator("#absolute [data-line]")), /two words or more/);
  }));
