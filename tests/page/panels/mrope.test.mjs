import { expect, redrawn, savedText, test } from "../fixtures.mjs";
import { inBothLanguages, named, value } from "./numbers.mjs";

// M-RoPE's three positions, against their definition.

test.use({ view: { ready: "mrope", kept: true } });

/** M-RoPE's positions by their definition: text counts on in all three, an image shares one time. */
function mrope(before, [down, across], after) {
  const next = before + Math.max(down, across);
  return [
    ...Array.from({ length: before }, (_, at) => [at, at, at]),
    ...Array.from({ length: down * across }, (_, at) => [
      before,
      before + Math.floor(at / across),
      before + (at % across),
    ]),
    ...Array.from({ length: after }, (_, at) => [next + at, next + at, next + at]),
  ];
}

/** The positions that the steps are drawn at, one line of each axis. */
const drawnIds = (page, most) =>
  page.evaluate((most) => {
    const drawing = document.querySelector(".mrope-drawing");
    return [0, 1, 2].map((axis) => {
      const path = drawing.querySelector(`.steps[data-axis="${axis}"]`).getAttribute("d");
      const heights = [...path.matchAll(/(?:M[\d.]+ |V)([\d.]+)h/g)].map(([, y]) => Number(y));
      const low = Math.max(...heights);
      return heights.map((y) => Math.round(((low - y) * most) / 62));
    });
  }, most);

test("words and an image in one line, their positions as steps, and the next word's", async ({ open }) => {
  const page = await open("#p=1");
  for (const [before, image, after] of [
    [3, [3, 4], 3],
    [2, [4, 2], 5],
    [0, [1, 1], 6],
  ]) {
    await open(`#p=1&before=${before}&ih=${image[0]}&iw=${image[1]}&after=${after}`);
    await expect(page.locator("#mrope [data-tokens]")).toHaveText(String(before + image[0] * image[1] + after));
    const ids = mrope(before, image, after);
    const next = ids.at(-1)[0] + 1;
    const drawn = await drawnIds(page, next - 1);
    for (const axis of [0, 1, 2]) expect(drawn[axis]).toEqual(ids.map((id) => id[axis]));
    await expect.poll(() => value(page, "#mrope [data-next]")).toBe(next);
    await expect.poll(() => value(page, "#mrope [data-rope-delta]")).toBe(next - ids.length);
    await expect(page.locator("#mrope .image-token")).toHaveCount(image[0] * image[1]);
    const csv = (await savedText(page, "mrope", "csv")).trim().split(/\r?\n/);
    expect(csv.slice(1).map((line) => line.split(",").slice(2).map(Number))).toEqual(ids);
  }
  await named(page, "mrope", {
    "[data-tokens]": "Tokens | token 数",
    "[data-next]": "The next word's position | 下一个词的位置",
    textBefore: "Words before image | 图像之前的词",
    textAfter: "Words after it | 图像之后的词",
    imageRows: "Rows of tokens | token 行数",
    imageColumns: "Columns of tokens | token 列数",
  });
  const axes = [
    ["time t", "height h", "width w", "token"],
    ["时间 t", "高 h", "宽 w", "token"],
  ];
  await inBothLanguages(page, "mrope", (at) => expect(page.locator("#mrope .axis-name")).toHaveText(axes[at]));
});

test("a word chosen in the sentence is chosen in the line, and the reverse; what is left is counted", async ({
  open,
}) => {
  const page = await open("#p=1");
  await page.waitForSelector(".sentence-words button");
  const chosen = page.locator("#mrope .token-word.chosen");
  const text = page.locator("#mrope [data-text-token]");
  await expect(chosen).toHaveText(["cat"]);
  await expect(text).toRead(/“cat”, token 1 \(from 0\): t = h = w = 1/);
  await page.click('.sentence-words button:has-text("on")');
  await expect(chosen).toHaveText(["on"]);
  await expect(text).toRead(/“on”, token 15 \(from 0\): t = h = w = 7/);
  await redrawn(page);
  const field = await page.locator("#mrope .token-field").boundingBox();
  await page.mouse.click(field.x + (field.width * 17.5) / 18, field.y + field.height / 2);
  await expect(page.locator('#sentence [aria-pressed="true"]')).toHaveText(["mat"]);
  await page.locator('#mrope [data-cell="11"]').click();
  await expect(page.locator("#mrope [data-image-token]")).toRead(
    /row 2, column 3, token 14 \(all from 0\): t = 3, h = 5, w = 6/,
  );
  const left = page.locator("#mrope [data-left]");
  await expect(left).toHaveCount(0);
  for (const [lang, longer, shorter] of [
    ["en", /^The first 6 words of 8 are here/, /^The sentence has 2 words; a dot/],
    ["zh", /^句子共 8 个词，这里有前 6 个/, /^句子共 2 个词；圆点/],
  ]) {
    await open(`#lang=${lang}&text=a+b+c+d+e+f+g+h`);
    await expect(left).toRead(longer);
    await open(`#lang=${lang}&text=a+b`);
    await expect(page.locator(".token-word").nth(2)).toHaveText("·");
    await expect(left).toRead(shorter);
  }
});
