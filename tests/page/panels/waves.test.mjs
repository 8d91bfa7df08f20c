import { expect, follow, redrawn, savedText, test } from "../fixtures.mjs";
import { named, nearRatio, press, value } from "./numbers.mjs";

// The table of the encoding, its waves and clock hands, against the formulas in JavaScript's doubles.

test.use({ view: { ready: "waves", kept: true } });

const at = (key) => `#waves [data-value="${key}"]`;

test("hands have their true angles, and the numbers are the formula's", async ({ open }) => {
  const page = await open("#wn=300&wdim=64&wbase=500&pairs=0+3+9+31+99&pair=9&p=123");
  const omega = (pair) => 500 ** ((-2 * pair) / 64);
  nearRatio(await value(page, at("radians")), 123 * omega(9));
  nearRatio(await value(page, at("lambda")), (2 * Math.PI) / omega(9));
  // A pair that 64 dimensions do not have is left out.
  const hands = await page.locator("#waves [data-clock] .hand").evaluateAll((all) =>
    all.map(({ x1, x2, y1, y2, parentNode }) => ({
      pair: Number(parentNode.closest("[data-clock]").dataset.clock),
      angle: Math.atan2(y1.baseVal.value - y2.baseVal.value, x2.baseVal.value - x1.baseVal.value),
    })),
  );
  expect(hands.map(({ pair }) => pair)).toEqual([0, 3, 9, 31]);
  for (const { pair, angle } of hands)
    expect(Math.cos(angle - 123 * omega(pair)), `pair ${pair}`).toBeGreaterThan(1 - 1e-12);
  await named(page, "waves", {
    waveDim: "Dimensions d | 维数 d",
    waveBase: "Base b | 底数 b",
    waveLength: "Length of the text | 文本长度",
  });
});

test("a chosen pair is drawn in place of the nearest; periods longer than the text are marked", async ({ open }) => {
  const page = await open("#wn=100&wdim=16&pairs=0,2,4,7&pair=5");
  const drawn = () => page.locator("#waves [data-wave]").evaluateAll((all) => all.map(({ dataset }) => dataset.wave));
  expect(await drawn()).toEqual(["0", "2", "5", "7"]);
  const longer = await page
    .locator("#waves [data-wave]")
    .evaluateAll((all) => all.map(({ classList }) => classList.contains("longer")));
  expect(longer).toEqual([0, 2, 5, 7].map((pair) => 2 * Math.PI * 10000 ** (pair / 8) > 100));
  await expect(page.locator("#waves-caption")).toRead(/3 of 8 hands go around/);
  await follow(page, "#wdim=16&pair=99");
  await redrawn(page);
  expect((await drawn()).at(-1)).toBe("7");
});

test("pointing and keys choose position and pair, in the table and below it; the file is the table", async ({
  open,
}) => {
  const page = await open("#p=5&wdim=16");
  const expectAt = async (position, pair) => {
    await redrawn(page);
    await expect(page.locator("#waves-position")).toHaveValue(String(position));
    nearRatio(await value(page, at("radians")), position * 10000 ** ((-2 * pair) / 16));
  };
  await press(page, "#waves .waves-field", "ArrowRight", "ArrowDown");
  await expectAt(6, 2);
  await press(page, "#waves .waves-field", "End", "ArrowUp", "ArrowLeft");
  await expectAt(62, 1);
  await expect(page.locator("#waves .live").first()).toRead(/^sin\(p·ω\) = sin\(62 \/ 10000\^\(2\/16\)\) =/);
  const cells = await page.locator("#waves .cells").boundingBox();
  await page.mouse.move(cells.x + (cells.width * 3.5) / 64, cells.y + (cells.height * 10.5) / 16);
  await expectAt(3, 5);
  const dot = await page.locator('#waves [data-wave="5"] .dot').boundingBox();
  await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
  await expectAt(3, 5);
  await page.click('#waves [data-player="back"]');
  await expectAt(2, 5);
  await open("#wn=12&wdim=8");
  const [, ...lines] = (await savedText(page, "waves", "csv")).trim().split("\r\n");
  for (const [position, line] of lines.entries())
    for (const [dimension, text] of line.split(",").slice(1).entries()) {
      const angle = position * 10000 ** ((-2 * Math.floor(dimension / 2)) / 8);
      expect(Math.abs(Number(text) - Math[dimension % 2 ? "cos" : "sin"](angle))).toBeLessThan(6e-8);
    }
  expect(lines.length).toBe(12);
});
