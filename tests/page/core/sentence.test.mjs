import { excess, expect, follow, link, redrawn, test } from "../fixtures.mjs";
import { fromSource } from "../from-source.mjs";

// The reader's sentence: its words, and the bar with them that stays in sight.

/** The page's code about words, in a browser that has dictionaries or has none. */
async function wordsCode(hasDictionaries) {
  const { Segmenter } = Intl;
  if (!hasDictionaries) delete Intl.Segmenter;
  const exported = `export * from "./words"; export { reader } from "./page-state";`;
  const code = await fromSource("core", `${exported} export const variant = ${hasDictionaries};`);
  Intl.Segmenter = Segmenter;
  return code;
}

test("words of a sentence keep their punctuation, in Chinese too; without dictionaries a character is a word", async () => {
  const { wordsOf } = await wordsCode(true);
  for (const sentence of [
    "The cat sat on the mat.",
    "don't re-read 3.14",
    "red, blue",
    "say “hi” (you)",
    "you & me",
    "…",
    "",
    // Whoever loves is a word, and so is whoever is loved: dictionaries hold 我爱你, 你爱 + 我 and 我 + 爱她.
    "我 爱 你",
    "你 爱 我",
    "我 爱 她",
    "你好， 我的 自我",
    "我们 爱 你们",
    "猫 坐在 垫子 上。",
    "今天 天气 很好， 我们 去 公园",
    "我爱 NLP 模型".replace("我爱", "我 爱"),
  ]) {
    const isChinese = /\p{Script=Han}/u.test(sentence);
    expect(wordsOf(isChinese ? sentence.replaceAll(" ", "") : sentence.replace(", ", ",")).join(" ")).toBe(sentence);
  }
  expect(wordsOf("  A rose is a  Rose ").join(" ")).toBe("A rose is a Rose");
  const plain = await wordsCode(false);
  expect(plain.wordsOf("位置编码，Transformer 的。The cat.").join(" ")).toBe("位 置 编 码， Transformer 的。 The cat.");
});

test("a position is labelled by its word, as far as words are drawn; a long one is shortened", async () => {
  const { labelOf, reader, mostWords, shortened } = await wordsCode(true);
  reader.sentence.value = "The cat sat on the mat";
  expect([0, 5, 6].map(labelOf)).toEqual(["The", "mat", undefined]);
  reader.sentence.value = "w ".repeat(mostWords + 1);
  expect([labelOf(mostWords - 1), labelOf(mostWords)]).toEqual(["w", undefined]);
  expect([shortened("abc", 3), shortened("abcd", 3)]).toEqual(["abc", "ab…"]);
});

const pressed = (page) => page.locator('#sentence [aria-pressed="true"]').allInnerTexts();

const focused = (page) => page.evaluate(() => document.activeElement.textContent.trim());

test("a word is chosen in bar and figures alike", async ({ open }) => {
  const page = await open({ ready: "waves" });
  await page.waitForSelector(".sentence-bar");
  await expect(page.locator(".sentence-words button")).toHaveText(["The", "cat", "sat", "on", "the", "mat"]);
  await expect.poll(() => pressed(page)).toEqual(["cat"]);
  await page.click('.sentence-words button:has-text("on")');
  await expect(page.locator("#waves-position")).toHaveValue("3");
  await expect(page.locator(".sentence-now").first()).toHaveText("position 3: on");
  await page.fill("#waves-position", "5");
  await expect.poll(() => pressed(page)).toEqual(["mat"]);
  await follow(page, "#p=40");
  await expect(page.locator(".sentence-now").first()).toHaveText("position 40");
  await expect.poll(() => pressed(page)).toEqual([]);
});

test("by keys: Tab reaches the words once, arrows choose among them, Escape closes the text box", async ({ open }) => {
  const page = await open({ ready: "similarity", hash: "#at=similarity", height: 600 });
  await page.waitForSelector(".sentence-bar");
  await redrawn(page);
  // The figure that a link leads to is not behind the bar, nor does it move with the focus or prose above.
  const top = async () => Math.round((await page.locator("#similarity").boundingBox()).y);
  const before = await top();
  expect(before).toBeGreaterThanOrEqual(47);
  await page.focus(".sentence-toggle");
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toBe("cat");
  for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await expect.poll(() => pressed(page)).toEqual(["on"]);
  expect(await focused(page)).toBe("on");
  for (const key of ["End", "ArrowRight"]) await page.keyboard.press(key);
  await expect.poll(() => pressed(page)).toEqual(["mat"]);
  await page.focus(".sentence-toggle");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("我爱你");
  await expect(page.locator(".sentence-words button")).toHaveText(["我", "爱", "你"]);
  await expect.poll(() => link(page)).toMatchObject({ text: "我爱你" });
  await page.keyboard.press("Escape");
  await expect(page.locator("#bar-sentence")).toHaveCount(0);
  await expect(page.locator(".sentence-toggle")).toBeFocused();
  expect(await top()).toBe(before);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("#sentence")).toBeHidden();
});

test("the bar stays in sight, folds on phones, and counts what it leaves out", async ({ open }) => {
  const page = await open({ ready: "mix", width: 360, hash: `#text=${"no+".repeat(31)}` });
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
  await expect(page.locator("#bar-sentence-note")).toHaveText("The first 24 of 31 words are shown.");
  // It lies over the page, which does not move.
  expect(await top()).toBe(before);
  await expect.poll(() => excess(page)).toBe(0);
});

test("each edition begins with a sentence of its own, which a change of language changes", async ({ open }) => {
  const buttons = (page) => page.locator(".sentence-words button");
  const page = await open({ locale: "zh-CN", ready: ".sentence-bar" });
  await expect(buttons(page)).toHaveText(["猫", "追", "狗"]);
  await expect(page.locator("#problem .prose").last()).toRead(/“猫追狗”和“狗追猫”是同一袋词/);
  expect(await link(page)).not.toHaveProperty("text");
  await page.click('[data-choice="en"]');
  await expect(buttons(page)).toHaveText(["The", "cat", "sat", "on", "the", "mat"]);
  await expect(page.locator("#problem .prose").last()).toRead(/mat” and “The mat sat on the cat”/);
  await expect.poll(() => link(page)).toEqual({ lang: "en" });
  // A sentence that a link names stays, though it is another edition's own.
  await follow(page, "#lang=zh&text=The+cat+sat+on+the+mat");
  await expect(buttons(page)).toHaveCount(6);
});
