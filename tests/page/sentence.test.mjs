import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { pageTests, settled, words } from "./browser.mjs";

// The reader's sentence: its words, and the bar with them that stays in sight.

const { onPage } = pageTests();

/** The page's code about words, in a browser that has dictionaries or has none. */
async function wordsCode(hasDictionaries) {
  const { Segmenter } = Intl;
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from "./words"; export { reader } from "./page-state"; // ${hasDictionaries}`,
      resolveDir: fileURLToPath(new URL("../../web/src/core/", import.meta.url)),
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    write: false,
  });
  const code = `${outputFiles[0].text}\nexport const variant = ${hasDictionaries};`;
  if (!hasDictionaries) delete Intl.Segmenter;
  try {
    return await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
  } finally {
    Intl.Segmenter = Segmenter;
  }
}

const spaced = (list) => list.join(" ");

test("words of a sentence keep their punctuation; as tokens, marks stand alone", async () => {
  const { wordsOf, tokensOf } = await wordsCode(true);
  for (const [sentence, wanted, tokens = wanted] of [
    ["The cat sat on the mat.", "The cat sat on the mat.", "The cat sat on the mat ."],
    ["  A rose is a  Rose ", "A rose is a Rose"],
    ["don't re-read 3.14", "don't re-read 3.14"],
    ["red,blue", "red, blue", "red , blue"],
    ["say “hi” (you)", "say “hi” (you)", "say “ hi ” ( you )"],
    ["you & me", "you & me"],
    ["…", "…"],
    ["", ""],
  ]) {
    assert.equal(spaced(wordsOf(sentence)), wanted);
    assert.equal(spaced(tokensOf(sentence)), tokens);
  }
});

test("Chinese is segmented into words: whoever loves is a word, and so is whoever is loved", async () => {
  const { wordsOf, tokensOf } = await wordsCode(true);
  for (const [sentence, wanted] of [
    // Dictionaries hold these as 我爱你, 你爱 + 我 and 我 + 爱她.
    ["我爱你", "我 爱 你"],
    ["你爱我", "你 爱 我"],
    ["她爱他", "她 爱 他"],
    ["我爱她", "我 爱 她"],
    ["你好，我的自我", "你好， 我的 自我"],
    ["狗追猫", "狗 追 猫"],
    ["我们爱你们", "我们 爱 你们"],
    ["猫坐在垫子上。", "猫 坐在 垫子 上。"],
    ["今天天气很好，我们去公园", "今天 天气 很好， 我们 去 公园"],
    ["位置编码", "位置 编码"],
    ["我爱 NLP模型", "我 爱 NLP 模型"],
  ])
    assert.equal(spaced(wordsOf(sentence)), wanted);
  assert.equal(spaced(tokensOf("你，爱我")), "你 ， 爱 我");
});

test("without dictionaries Chinese falls into single characters, and nothing else changes", async () => {
  const { wordsOf } = await wordsCode(false);
  assert.equal(spaced(wordsOf("我爱你")), "我 爱 你");
  assert.equal(spaced(wordsOf("位置编码，Transformer 的位置。")), "位 置 编 码， Transformer 的 位 置。");
  assert.equal(spaced(wordsOf("The cat.")), "The cat.");
});

test("a position is labelled by its word, as far as words are drawn; a long one is shortened", async () => {
  const { labelOf, reader, mostWords, shortened } = await wordsCode(true);
  assert.deepEqual([0, 5, 6].map(labelOf), ["The", "mat", undefined]);
  reader.sentence.value = "w ".repeat(mostWords + 1);
  assert.equal(labelOf(mostWords - 1), "w");
  assert.equal(labelOf(mostWords), undefined);
  assert.equal(shortened("abc", 3), "abc");
  assert.equal(shortened("abcd", 3), "ab…");
});

const pressed = (page) => page.locator('#sentence [aria-pressed="true"]').allInnerTexts();

test("a word chosen in the bar is chosen in the figures, and one chosen in a figure in the bar", () =>
  onPage({ ready: "order" }, async (page) => {
    await page.waitForSelector(".sentence-bar");
    assert.deepEqual(await page.locator(".sentence-words button").allInnerTexts(), [
      "The",
      "cat",
      "sat",
      "on",
      "the",
      "mat",
    ]);
    assert.deepEqual(await pressed(page), ["on"]);
    await page.click('.sentence-words button:has-text("cat")');
    await settled(page);
    assert.equal(await page.inputValue("#order-word"), "1");
    assert.equal(await words(page.locator(".sentence-now")), "position 1: cat");
    await page.fill("#order-word", "5");
    await settled(page);
    assert.deepEqual(await pressed(page), ["mat"]);
    await page.evaluate(() => {
      location.hash = "#p=40";
    });
    await page.waitForFunction(() => document.querySelector(".sentence-now").textContent === "position 40");
    assert.deepEqual(await pressed(page), []);
  }));

test("by keys: Tab reaches the words once, arrows choose among them, Escape closes the text box", () =>
  onPage({ ready: "problem" }, async (page) => {
    await page.waitForSelector(".sentence-bar");
    await page.focus(".sentence-toggle");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "on");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.deepEqual(await pressed(page), ["cat"]);
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "cat");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await pressed(page), ["mat"]);
    const scrolled = await page.evaluate(() => scrollY);
    await page.focus(".sentence-toggle");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("我爱你");
    assert.deepEqual(await page.locator(".sentence-words button").allInnerTexts(), ["我", "爱", "你"]);
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("text") === "我爱你");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#bar-sentence").count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.className), "sentence-toggle");
    assert.equal(await page.evaluate(() => scrollY), scrolled);
  }));

test("play walks through the words and starts over; with reduced motion a word a second", () =>
  onPage({ ready: "heatmap", hash: "#text=a+b+c&p=2" }, async (page) => {
    await page.waitForSelector(".sentence-bar");
    await page.clock.install();
    await page.click('.sentence-bar [data-player="play"]');
    const after = [];
    for (let times = 0; times < 4; times++) {
      await page.clock.runFor(1000);
      after.push(...(await pressed(page)));
    }
    assert.deepEqual(after, ["a", "b", "c", "a"]);
    await page.click('.sentence-bar [data-player="pause"]');
    await page.clock.runFor(3000);
    assert.deepEqual(await pressed(page), ["a"]);
  }));

for (const [locale, note] of [
  ["en-GB", "The first 24 of 31 words are shown."],
  ["zh-CN", "共 31 个词，这里显示前 24 个。"],
])
  test(`the bar stays in sight, folds on phones, and says what it leaves out: ${locale}`, () =>
    onPage({ ready: "order", locale, width: 360, hash: `#text=${"no+".repeat(31)}` }, async (page) => {
      await page.waitForSelector(".sentence-bar");
      const box = () => page.locator(".sentence-bar").evaluate((bar) => bar.getBoundingClientRect().toJSON());
      const height = await page.evaluate(() => document.body.offsetHeight);
      assert.deepEqual([(await box()).top, (await box()).height], [0, 48]);
      assert.equal(await page.locator(".sentence-words").isVisible(), false);
      await page.click(".sentence-toggle");
      await settled(page);
      assert.equal(await page.locator(".sentence-words button").count(), 24);
      assert.ok((await box()).height > 96);
      assert.equal(await words(page.locator("#bar-sentence-note")), note);
      // It lies over the page, which does not move.
      assert.equal(await page.evaluate(() => document.body.offsetHeight), height);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      await page.click(".sentence-toggle");
      await settled(page);
      assert.deepEqual([(await box()).top, (await box()).height], [0, 48]);
    }));

test("what is gone to is not behind the bar, and paper has none", () =>
  onPage({ ready: "similarity", hash: "#at=similarity", height: 600 }, async (page) => {
    await page.waitForSelector("#similarity .tools");
    await page.waitForSelector(".sentence-bar");
    await settled(page);
    const { y } = await page.locator("#similarity").boundingBox();
    assert.ok(y >= 47, `${y} px from the top`);
    // Nor does the page move when the focus goes to the bar, which is in sight.
    const scrolled = await page.evaluate(() => scrollY);
    await page.focus(".sentence-toggle");
    await page.keyboard.press("Tab");
    await settled(page);
    assert.equal(await page.evaluate(() => scrollY), scrolled);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("#sentence").isVisible(), false);
  }));

test("the bar is no part of the first load, and a page without it works", async () => {
  const held = /assets\/sentence-[\w-]+\.js$/;
  let asked = 0;
  const route = (target) =>
    target.route(held, (answer) => {
      asked++;
      return answer.fulfill({ contentType: "text/javascript", body: "export const sentenceBar = () => {};" });
    });
  await onPage({ ready: "heatmap", route }, async (page) => {
    await page.waitForSelector("#footer a");
    assert.equal(asked, 1);
    assert.equal(await page.locator("#sentence").evaluate(({ offsetHeight }) => offsetHeight), 48);
  });
});

test("one word is one word, not 1 words", () =>
  onPage({ hash: "#text=Hello" }, async (page) => {
    await settled(page);
    assert.match(await words(page.locator("#sum-caption")), /^1 word\. /);
    assert.match(await words(page.locator("#absolute-caption")), /of 1 word kept/);
    assert.match(await words(page.locator("#order [data-why]")), /only one order/);
    assert.doesNotMatch(await page.locator("main").textContent(), /\b1 words/);
  }));

test("the posts' numbers belong to their own sentence, any other is the reader's", () =>
  onPage({ ready: "sum" }, async (page) => {
    const chosen = () => page.locator('#sum [name="row-source"]:checked').getAttribute("value");
    assert.equal(await chosen(), "E");
    assert.match(await words(page.locator("#sum .note").first()), /深度解析 Transformer/);
    await page.click(".sentence-toggle");
    await page.fill("#bar-sentence", "to be or not to be");
    await settled(page);
    assert.equal(await chosen(), "own");
    assert.deepEqual(await page.locator("#sum tbody th").allInnerTexts(), ["to", "be", "or", "not", "to", "be"]);
    await page.keyboard.press("Escape");
    await page.locator('#sum [value="C"]').check();
    await settled(page);
    assert.equal(await chosen(), "C");
    assert.deepEqual(await page.locator(".sentence-words button").allInnerTexts(), [
      "The",
      "cat",
      "sat",
      "on",
      "the",
      "mat",
    ]);
    // The pictures come before anything else.
    const order = await page.locator("#sum .panel-body").evaluate((body) => body.firstElementChild.className);
    assert.equal(order, "planes");
  }));
