import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { excess, expect, follow, link, redrawn, test } from "../fixtures.mjs";

// The reader's sentence: its words, and the bar with them that stays in sight.

/** The page's code about words, in a browser that has dictionaries or has none. */
async function wordsCode(hasDictionaries) {
  const { Segmenter } = Intl;
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from "./words"; export { reader } from "./page-state"; // ${hasDictionaries}`,
      resolveDir: fileURLToPath(new URL("../../../web/src/core/", import.meta.url)),
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

test("words of a sentence keep their punctuation", async () => {
  const { wordsOf } = await wordsCode(true);
  for (const [sentence, wanted] of [
    ["The cat sat on the mat.", "The cat sat on the mat."],
    ["  A rose is a  Rose ", "A rose is a Rose"],
    ["don't re-read 3.14", "don't re-read 3.14"],
    ["red,blue", "red, blue"],
    ["say “hi” (you)", "say “hi” (you)"],
    ["you & me", "you & me"],
    ["…", "…"],
    ["", ""],
  ])
    expect(spaced(wordsOf(sentence))).toBe(wanted);
});

test("Chinese is segmented into words: whoever loves is a word, and so is whoever is loved", async () => {
  const { wordsOf } = await wordsCode(true);
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
    expect(spaced(wordsOf(sentence))).toBe(wanted);
});

test("without dictionaries Chinese falls into single characters, and nothing else changes", async () => {
  const { wordsOf } = await wordsCode(false);
  expect(spaced(wordsOf("我爱你"))).toBe("我 爱 你");
  expect(spaced(wordsOf("位置编码，Transformer 的位置。"))).toBe("位 置 编 码， Transformer 的 位 置。");
  expect(spaced(wordsOf("The cat."))).toBe("The cat.");
});

test("a position is labelled by its word, as far as words are drawn; a long one is shortened", async () => {
  const { labelOf, reader, mostWords, shortened } = await wordsCode(true);
  expect([0, 5, 6].map(labelOf)).toEqual(["The", "mat", undefined]);
  reader.sentence.value = "w ".repeat(mostWords + 1);
  expect(labelOf(mostWords - 1)).toBe("w");
  expect(labelOf(mostWords)).toBe(undefined);
  expect(shortened("abc", 3)).toBe("abc");
  expect(shortened("abcd", 3)).toBe("ab…");
});

const pressed = (page) => page.locator('#sentence [aria-pressed="true"]').allInnerTexts();

test("a word chosen in the bar is chosen in the figures, and one chosen in a figure in the bar", async ({ open }) => {
  const page = await open({ ready: "sum" });
  await page.waitForSelector(".sentence-bar");
  await expect(page.locator(".sentence-words button")).toHaveText(["The", "cat", "sat", "on", "the", "mat"]);
  await expect.poll(() => pressed(page)).toEqual(["cat"]);
  await page.click('.sentence-words button:has-text("on")');
  await expect(page.locator("#sum-word")).toHaveValue("3");
  await expect(page.locator(".sentence-now").first()).toHaveText("position 3: on");
  await page.fill("#sum-word", "5");
  await expect.poll(() => pressed(page)).toEqual(["mat"]);
  await follow(page, "#p=40");
  await expect(page.locator(".sentence-now").first()).toHaveText("position 40");
  await expect.poll(() => pressed(page)).toEqual([]);
});

test("by keys: Tab reaches the words once, arrows choose among them, Escape closes the text box", async ({ open }) => {
  const page = await open({ ready: "problem" });
  await page.waitForSelector(".sentence-bar");
  await page.focus(".sentence-toggle");
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement.textContent.trim())).toBe("cat");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => pressed(page)).toEqual(["on"]);
  await expect.poll(() => page.evaluate(() => document.activeElement.textContent.trim())).toBe("on");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => pressed(page)).toEqual(["mat"]);
  const scrolled = await page.evaluate(() => scrollY);
  await page.focus(".sentence-toggle");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("我爱你");
  await expect(page.locator(".sentence-words button")).toHaveText(["我", "爱", "你"]);
  await expect.poll(() => link(page)).toMatchObject({ text: "我爱你" });
  await page.keyboard.press("Escape");
  await expect(page.locator("#bar-sentence")).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.activeElement.className)).toBe("sentence-toggle");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
});

test("play walks through the words and starts over; with reduced motion a word a second", async ({ open }) => {
  const page = await open({ ready: "heatmap", hash: "#text=a+b+c&p=2", fresh: true });
  await page.waitForSelector(".sentence-bar");
  await page.clock.install({ time: 0 });
  // Its time passes when the test says so.
  await page.clock.pauseAt(10_000);
  await page.click('.sentence-bar [data-player="play"]');
  const after = [];
  for (let times = 0; times < 4; times++) {
    await page.clock.runFor(1000);
    after.push(...(await pressed(page)));
  }
  expect(after).toEqual(["a", "b", "c", "a"]);
  await page.click('.sentence-bar [data-player="pause"]');
  await page.clock.runFor(3000);
  await expect.poll(() => pressed(page)).toEqual(["a"]);
});

for (const [locale, note] of [
  ["en-GB", "The first 24 of 31 words are shown."],
  ["zh-CN", "共 31 个词，这里显示前 24 个。"],
])
  test(`the bar stays in sight, folds on phones, and counts what it leaves out: ${locale}`, async ({ open }) => {
    const page = await open({ ready: "sum", locale, width: 360, hash: `#text=${"no+".repeat(31)}` });
    await page.waitForSelector(".sentence-bar");
    const box = () => page.locator(".sentence-bar").evaluate((bar) => bar.getBoundingClientRect().toJSON());
    // The part after the bar is looked at: the page itself grows while figures further down are drawn.
    const top = () => page.locator("#problem").evaluate((figure) => figure.getBoundingClientRect().top + scrollY);
    const before = await top();
    expect([(await box()).top, (await box()).height]).toEqual([0, 48]);
    await expect(page.locator(".sentence-words")).toBeHidden();
    await page.click(".sentence-toggle");
    await redrawn(page);
    await expect(page.locator(".sentence-words button")).toHaveCount(24);
    expect((await box()).height).toBeGreaterThan(96);
    await expect(page.locator("#bar-sentence-note")).toHaveText(note);
    // It lies over the page, which does not move.
    expect(await top()).toBe(before);
    await expect.poll(() => excess(page)).toBe(0);
    await page.click(".sentence-toggle");
    await redrawn(page);
    expect([(await box()).top, (await box()).height]).toEqual([0, 48]);
  });

test("the figure that a link leads to is not behind the bar, and paper has none", async ({ open }) => {
  const page = await open({ ready: "similarity", hash: "#at=similarity", height: 600 });
  await page.waitForSelector("#similarity .tools");
  await page.waitForSelector(".sentence-bar");
  await redrawn(page);
  const { y } = await page.locator("#similarity").boundingBox();
  expect(y).toBeGreaterThanOrEqual(47);
  // Nor does the page move when the focus goes to the bar, which is in sight.
  const scrolled = await page.evaluate(() => scrollY);
  await page.focus(".sentence-toggle");
  await page.keyboard.press("Tab");
  await redrawn(page);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("#sentence")).toBeHidden();
});

test("the bar is no part of the first load, and a page without it works", async ({ open }) => {
  const held = /assets\/sentence-[\w-]+\.js$/;
  let asked = 0;
  const route = (target) =>
    target.route(held, (answer) => {
      asked++;
      return answer.fulfill({ contentType: "text/javascript", body: "export const sentenceBar = () => {};" });
    });
  const page = await open({ ready: "heatmap", route });
  await page.waitForSelector("#footer a");
  expect(asked).toBe(1);
  await expect.poll(() => page.locator("#sentence").evaluate(({ offsetHeight }) => offsetHeight)).toBe(48);
});

test("one word is one word, not 1 words", async ({ open }) => {
  const page = await open("#text=Hello");
  await expect(page.locator("#sum-caption")).toRead(/^1 word\. /);
  await expect.poll(() => page.locator("main").textContent()).not.toMatch(/\b1 words/);
});

test("the posts' numbers belong to their sentence, any other is the reader's", async ({ open }) => {
  const page = await open({ ready: "sum" });
  const chosen = () => page.locator('#sum [name="row-source"]:checked').getAttribute("value");
  await expect.poll(chosen).toBe("E");
  await expect(page.locator("#sum .note").first()).toRead(/深度解析 Transformer/);
  await page.click(".sentence-toggle");
  await page.fill("#bar-sentence", "to be or not to be");
  await expect.poll(chosen).toBe("own");
  await expect(page.locator("#sum tbody th")).toHaveText(["to", "be", "or", "not", "to", "be"]);
  await page.keyboard.press("Escape");
  await page.locator('#sum [value="C"]').check();
  await redrawn(page);
  await expect.poll(chosen).toBe("C");
  await expect(page.locator(".sentence-words button")).toHaveText(["The", "cat", "sat", "on", "the", "mat"]);
  // The pictures come before anything else.
  const order = await page.locator("#sum .panel-body").evaluate((body) => body.firstElementChild.className);
  expect(order).toBe("planes");
});
