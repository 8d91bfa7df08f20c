import { load } from "../../../dist/index.js";
import { expect, openSettings, redrawn, savedText, test, unfold, words } from "../fixtures.mjs";
import { drag, named, near, number, press, rows, shown, vector } from "./numbers.mjs";

// Rotation in the plane: what the figure shows is what the library gives in this process.

test.use({ view: { ready: "rope", kept: true } });

const pe = await load();
const TOKENS = [1, 0.2, 0.3, 1, -0.9, 0.5];
const linear = (weight) =>
  pe.linear({ data: Float32Array.from(TOKENS), shape: [3, 2] }, { data: Float32Array.from(weight), shape: [2, 2] });

/** Attention of post C's three tokens, rotated by these degrees. */
function rotation(degrees, { q = [1, 0.8, -0.8, 1], values = "kept" } = {}) {
  const [query, key, value] = [linear(q), linear([-1, 0.6, 0.6, 1]), linear([1, 0, 0, 1])];
  const rope = pe.rotary({ dim: 2, layout: "interleaved" });
  const positions = degrees.map((angle) => (angle * Math.PI) / 180);
  const rotate = (x) => ({ data: rope.apply(x.data.slice(), { shape: [3, 2], positions }), shape: [3, 2] });
  return pe.attention({
    query: rotate(query),
    key: rotate(key),
    value: values === "kept" ? value : rotate(value),
    weights: true,
  });
}

async function checkRotation(page, degrees, { kind = "rotated", ...options } = {}) {
  await redrawn(page);
  const expected = rotation(degrees, options);
  const weights = await page.locator(`[data-attention="${kind}"] [data-weight]`).allInnerTexts();
  expect(weights.map(number)).toEqual(shown(Array.from(expected.weights.data), 3));
  const output = await page.locator(`[data-attention="${kind}"] [data-output]`).allInnerTexts();
  expect(output.map(vector)).toEqual(rows(expected.output.data, 2).map((row) => shown(row, 3)));
}

test("post C's numbers; angles follow number box, keys and dragging, until a reset", async ({ open }) => {
  const page = await open();
  await checkRotation(page, [10, 20, 30]);
  await checkRotation(page, [0, 0, 0], { kind: "plain" });
  await expect(page.locator("#rope [data-arrow]")).toHaveCount(12);
  expect(await savedText(page, "rope", "csv")).toMatch(/weights,0,0\.109/);
  await named(page, "rope", {
    '.panel-body [data-attention="plain"]': "Attention weights without rotation | 不旋转的注意力权重",
    '.panel-body [data-attention="rotated"]': "Attention weights with rotation | 旋转后的注意力权重",
  });
  await page.fill("#angle-0", "-45");
  await checkRotation(page, [-45, 20, 30]);
  await press(page, '[data-handle="K1′"]', "ArrowLeft", "PageUp");
  await checkRotation(page, [-45, 31, 30]);
  // Straight up: Q2 = (-0.5, 1.22) then points 90 degrees, less the angle it starts from.
  await drag(page, '[data-handle="Q2′"]', ".rope-plane", [0.5, 0.05]);
  await checkRotation(page, [-45, 31, Math.round(90 - (Math.atan2(1.22, -0.5) * 180) / Math.PI)]);
  await openSettings(page, "rope");
  await page.click('[data-tool="post"]');
  await checkRotation(page, [10, 20, 30]);
  // A matrix can be edited, too.
  await unfold(page);
  await page.locator("#rope .matrix").nth(1).locator("input").nth(0).fill("2.5");
  await checkRotation(page, [0, 0, 0], { kind: "plain", q: [2.5, 0.8, -0.8, 1] });
});

test("a common rotation changes no weight beyond rounding; rotated values change the outputs", async ({ open }) => {
  const drift = async (name) => number(await words(page.locator(`#rope [data-${name}]`)));
  const most = (a, b) => Math.max(...a.map((value, at) => Math.abs(Math.fround(value - b[at]))));
  const page = await open("#shift=77");
  await checkRotation(page, [87, 97, 107]);
  const weights = await drift("drift");
  const [before, after] = [rotation([10, 20, 30]), rotation([87, 97, 107])];
  expect(weights).toBe(Number(most(after.weights.data, before.weights.data).toPrecision(3)));
  expect(Math.max(weights, await drift("output-drift"))).toBeLessThan(1e-6);
  await open("#shift=90&values=rotated");
  const values = "rotated";
  await checkRotation(page, [100, 110, 120], { values });
  const moved = most(rotation([100, 110, 120], { values }).output.data, rotation([10, 20, 30], { values }).output.data);
  near(await drift("output-drift"), moved, 0.01);
});
