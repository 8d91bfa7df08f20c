import { load } from "../../../dist/index.js";
import { expect, openSettings, redrawn, test, unfold, widen, words } from "../fixtures.mjs";
import { number, rows, shown, vector } from "./numbers.mjs";

// Rotation in the plane: what the figure shows is what the library gives in this process.

test.use({ view: { ready: "rope" } });

const pe = await load();

const linear = (values, weight) =>
  pe.linear({ data: Float32Array.from(values), shape: [3, 2] }, { data: Float32Array.from(weight), shape: [2, 2] });

/** Post C's three tokens, rotated by these degrees. */
function rotation(degrees) {
  const tokens = [1, 0.2, 0.3, 1, -0.9, 0.5];
  const query = linear(tokens, [1, 0.8, -0.8, 1]);
  const key = linear(tokens, [-1, 0.6, 0.6, 1]);
  const value = linear(tokens, [1, 0, 0, 1]);
  const rope = pe.rotary({ dim: 2, layout: "interleaved" });
  const positions = degrees.map((angle) => (angle * Math.PI) / 180);
  const rotate = (x) => ({ data: rope.apply(x.data.slice(), { shape: [3, 2], positions }), shape: [3, 2] });
  const [rotatedQuery, rotatedKey] = [rotate(query), rotate(key)];
  return {
    query,
    key,
    rotatedQuery,
    rotatedKey,
    ...pe.attention({ query: rotatedQuery, key: rotatedKey, value, weights: true }),
  };
}

async function checkRotation(page, degrees) {
  const expected = rotation(degrees);
  const weights = await page.locator('[data-attention="rotated"] [data-weight]').allInnerTexts();
  expect(weights.map(number)).toEqual(shown(Array.from(expected.weights.data), 3));
  for (const text of weights) expect(text).toMatch(/^\d\.\d{3}$/);
  const output = await page.locator('[data-attention="rotated"] [data-output]').allInnerTexts();
  expect(output.map(vector)).toEqual(rows(expected.output.data, 2).map((row) => shown(row, 3)));
}

test("post C's numbers to three digits, twelve arrows", async ({ page }) => {
  await checkRotation(page, [10, 20, 30]);
  await expect(page.locator("#rope [data-arrow]")).toHaveCount(12);
  const plain = await page.locator('[data-attention="plain"] [data-weight]').allInnerTexts();
  expect(plain.map(number)).toEqual(shown(Array.from(rotation([0, 0, 0]).weights.data), 3));
});

test("angles follow number box, keys and dragging; reset brings post C back", async ({ page }) => {
  await page.fill("#angle-0", "-45");
  await redrawn(page);
  await checkRotation(page, [-45, 20, 30]);
  await page.locator('[data-handle="K1′"]').focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("PageUp");
  await redrawn(page);
  await checkRotation(page, [-45, 31, 30]);

  const drawing = page.locator(".rope-plane");
  await drawing.scrollIntoViewIfNeeded();
  const box = await drawing.boundingBox();
  const knob = await page.locator('[data-handle="Q2′"]').boundingBox();
  await page.mouse.move(knob.x + knob.width / 2, knob.y + knob.height / 2);
  await page.mouse.down();
  // Straight up: Q2 = (-0.5, 1.22) then points 90 degrees, less the angle it starts from.
  await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 5 });
  await page.mouse.up();
  await redrawn(page);
  const upright = Math.round(90 - (Math.atan2(1.22, -0.5) * 180) / Math.PI);
  await checkRotation(page, [-45, 31, upright]);

  await openSettings(page, "rope");
  await page.click('[data-tool="post"]');
  await redrawn(page);
  await checkRotation(page, [10, 20, 30]);
});

test("a common rotation changes no weight beyond rounding, and the change is shown", async ({ open }) => {
  const page = await open("#shift=77");
  const drift = number(await words(page.locator("#rope [data-drift]")));
  expect(drift).toBeLessThan(1e-6);
  const rotated = rotation([87, 97, 107]).weights.data;
  const plain = rotation([10, 20, 30]).weights.data;
  const most = Math.max(...rotated.map((weight, at) => Math.abs(Math.fround(weight - plain[at]))));
  expect(drift).toBe(Number(most.toPrecision(3)));
  await checkRotation(page, [87, 97, 107]);
});

test("rotated values bring the absolute position into the outputs, others do not", async ({ open }) => {
  const change = async (link) => {
    const page = await open(link);
    return number(await words(page.locator("#rope [data-output-drift]")));
  };
  expect(await change("#shift=90")).toBeLessThan(1e-6);
  // By a quarter of a circle each output (a, b) becomes (-b, a).
  const { output, weights } = rotation([10, 20, 30]);
  const rope = pe.rotary({ dim: 2, layout: "interleaved" });
  const positions = [10, 20, 30].map((angle) => (angle * Math.PI) / 180);
  const value = linear([1, 0.2, 0.3, 1, -0.9, 0.5], [1, 0, 0, 1]);
  const turned = rows(rope.apply(value.data.slice(), { shape: [3, 2], positions }), 2);
  const outputs = rows(weights.data, 3).map((row) =>
    [0, 1].map((at) => row.reduce((sum, weight, token) => sum + weight * turned[token][at], 0)),
  );
  expect(output.data.length).toBe(6);
  const most = Math.max(...outputs.flatMap(([a, b]) => [Math.abs(-b - a), Math.abs(a - b)]));
  expect(Math.abs((await change("#shift=90&values=rotated")) - most)).toBeLessThan(0.01);
});

test("tokens and matrices can be edited", async ({ page }) => {
  await unfold(page);
  await openSettings(page, "rope");
  const boxes = page.locator("#rope .matrix").nth(1).locator("input");
  await boxes.nth(0).fill("2.5");
  await redrawn(page);
  const tokens = [1, 0.2, 0.3, 1, -0.9, 0.5];
  const [query, key] = [linear(tokens, [2.5, 0.8, -0.8, 1]), linear(tokens, [-1, 0.6, 0.6, 1])];
  const { weights } = pe.attention({ query, key, value: linear(tokens, [1, 0, 0, 1]), weights: true });
  const cells = await page.locator('[data-attention="plain"] [data-weight]').allInnerTexts();
  expect(cells.map(number)).toEqual(shown(Array.from(weights.data), 3));
});

test("rotation in words first, matrices folded away, and tables that fit a phone", async ({ page }) => {
  await expect(page.locator("#rope > .prose").first().locator(".formula")).toHaveCount(0);
  await expect(page.locator("#rope .matrix input").first()).toBeHidden();
  for (const width of [1280, 360]) {
    await widen(page, width);
    const tables = await page
      .locator("#rope .scroll")
      .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(tables, `${width} px`).toEqual([0, 0]);
  }
});
