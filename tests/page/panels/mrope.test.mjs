import { load } from "../../../dist/full.js";
import { expect, redrawn, savedText, test } from "../fixtures.mjs";
import { inBothLanguages, named, rows, shows } from "./numbers.mjs";

// M-RoPE's three positions: those of the library, drawn as steps and in the file.

test.use({ view: { ready: "mrope", kept: true } });

/** The positions that the steps are drawn at, one line of each axis. */
const drawnIds = (page, most) =>
  page.locator(".mrope-drawing .steps").evaluateAll(
    (all, most) =>
      all.map((steps) => {
        const heights = [...steps.getAttribute("d").matchAll(/(?:M[\d.]+ |V)([\d.]+)h/g)].map(([, y]) => Number(y));
        const low = Math.max(...heights);
        return heights.map((y) => Math.round(((low - y) * most) / 62));
      }),
    most,
  );

test("words and an image in one line, their positions as steps, and the next word's", async ({ open }) => {
  const pe = await load();
  let page;
  for (const [before, [down, across], after] of [
    [3, [3, 4], 3],
    [2, [4, 2], 5],
    [0, [1, 1], 6],
  ]) {
    page = await open(`#p=1&before=${before}&ih=${down}&iw=${across}&after=${after}`);
    const { positions, ropeDeltas } = pe.mropePositions({
      preset: "qwen2-vl",
      segments: [{ text: before }, { image: [1, 2 * down, 2 * across] }, { text: after }],
    });
    const count = before + down * across + after;
    const ids = rows(positions.data, count);
    const next = ids[0].at(-1) + 1;
    await redrawn(page);
    await expect(page.locator("#mrope [data-tokens]")).toHaveText(String(count));
    expect(await drawnIds(page, next - 1)).toEqual(ids);
    await shows(page, { "#mrope [data-next]": next, "#mrope [data-rope-delta]": ropeDeltas[0] });
    await expect(page.locator("#mrope .image-token")).toHaveCount(down * across);
    const lines = (await savedText(page, "mrope", "csv")).trim().split(/\r?\n/).slice(1);
    for (const [token, line] of lines.entries())
      expect(line.split(",").slice(2).map(Number)).toEqual(ids.map((axis) => axis[token]));
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

test("a word chosen in the line is chosen in the sentence; what is left is counted", async ({ open }) => {
  const page = await open("#p=1");
  await page.waitForSelector(".sentence-words button");
  const text = page.locator("#mrope [data-text-token]");
  await expect(text).toRead(/“cat”, token 1 \(from 0\): t = h = w = 1/);
  await page.locator("#mrope .token-field").scrollIntoViewIfNeeded();
  const field = await page.locator("#mrope .token-field").boundingBox();
  await page.mouse.click(field.x + (field.width * 17.5) / 18, field.y + field.height / 2);
  await expect(page.locator('#sentence [aria-pressed="true"]')).toHaveText(["mat"]);
  await expect(page.locator("#mrope .token-word.chosen-name")).toHaveText(["mat"]);
  await page.locator('#mrope [data-cell="11"]').click();
  await expect(page.locator("#mrope [data-image-token]")).toRead(
    /row 2, column 3, token 14 \(all from 0\): t = 3, h = 5, w = 6/,
  );
  const left = page.locator("#mrope [data-left]");
  await expect(left).toHaveCount(0);
  await open("#text=a+b+c+d+e+f+g+h");
  await expect(left).toRead(/^The first 6 words of 8 are here/);
  await open("#lang=zh&text=a+b");
  await expect(left).toRead(/^句子共 2 个词；圆点/);
});
