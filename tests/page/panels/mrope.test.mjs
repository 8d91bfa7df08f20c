import { expect, follow, redrawn, savedText, test } from "../fixtures.mjs";
import { value } from "./numbers.mjs";

// M-RoPE's three positions, against their definition.

test.use({ view: { ready: "mrope" } });

/** M-RoPE's positions by their definition: text counts on in all three, an image shares one time. */
function mrope(before, [down, across], after) {
  const same = (id) => [id, id, id];
  const image = Array.from({ length: down * across }, (_, at) => [
    before,
    before + Math.floor(at / across),
    before + (at % across),
  ]);
  const next = before + Math.max(down, across);
  return [
    ...Array.from({ length: before }, (_, at) => same(at)),
    ...image,
    ...Array.from({ length: after }, (_, at) => same(next + at)),
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
    await follow(page, `#p=1&before=${before}&ih=${image[0]}&iw=${image[1]}&after=${after}`);
    await expect(page.locator("#mrope [data-tokens]")).toHaveText(String(before + image[0] * image[1] + after));
    await redrawn(page);
    const ids = mrope(before, image, after);
    const next = ids.at(-1)[0] + 1;
    const drawn = await drawnIds(page, next - 1);
    for (const axis of [0, 1, 2]) expect(drawn[axis]).toEqual(ids.map((id) => id[axis]));
    await expect.poll(() => value(page, "#mrope [data-next]")).toBe(next);
    await expect.poll(() => value(page, "#mrope [data-rope-delta]")).toBe(next - ids.length);
    await expect(page.locator("#mrope .image-token")).toHaveCount(image[0] * image[1]);
  }
  // The sentence has six words; the numbers are those of the library's table, too.
  const csv = (await savedText(page, "mrope", "csv")).trim().split(/\r?\n/);
  expect(csv.slice(1).map((line) => line.split(",").slice(2).map(Number))).toEqual(mrope(0, [1, 1], 6));
});

test("a word chosen in the sentence is chosen in the line, and the reverse", async ({ open }) => {
  const page = await open("#p=1");
  await page.waitForSelector(".sentence-words button");
  const chosen = () => page.locator("#mrope .token-word.chosen").allTextContents();
  await expect.poll(chosen).toEqual(["cat"]);
  await expect(page.locator("#mrope [data-text-token]")).toRead(/“cat”, token 1 \(from 0\): t = h = w = 1/);
  await page.click('.sentence-words button:has-text("on")');
  await redrawn(page);
  await expect.poll(chosen).toEqual(["on"]);
  await expect(page.locator("#mrope [data-text-token]")).toRead(/“on”, token 15 \(from 0\): t = h = w = 7/);
  const field = await page.locator("#mrope .token-field").boundingBox();
  await page.mouse.click(field.x + (field.width * 17.5) / 18, field.y + field.height / 2);
  await expect(page.locator('#sentence [aria-pressed="true"]')).toHaveText(["mat"]);
  await page.locator('#mrope [data-cell="11"]').click();
  await expect(page.locator("#mrope [data-image-token]")).toRead(
    /row 2, column 3, token 14 \(all from 0\): t = 3, h = 5, w = 6/,
  );
  await expect(page.locator("#mrope [data-left]")).toHaveCount(0);
});

for (const [locale, longer, shorter] of [
  ["en-GB", /^The first 6 words of 8 are here/, /^The sentence has 2 words; a dot/],
  ["zh-CN", /^句子共 8 个词，这里有前 6 个/, /^句子共 2 个词；圆点/],
])
  test(`words without a token and tokens without a word are counted: ${locale}`, async ({ open }) => {
    const page = await open({ locale, hash: "#at=mrope&text=a+b+c+d+e+f+g+h" });
    await expect(page.locator("#mrope [data-left]")).toRead(longer);
    await follow(page, "#text=a+b");
    await expect(page.locator(".token-word").nth(2)).toHaveText("·");
    await expect(page.locator("#mrope [data-left]")).toRead(shorter);
  });
