import { load } from "../../../dist/index.js";
import { expect, openSettings, redrawn, savedText, test } from "../fixtures.mjs";
import { drag, near, press, rows } from "./numbers.mjs";

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

/** The file has the weights and outputs of this rotation, and outputs are drawn as arrows. */
async function checkRotation(page, degrees, options = {}) {
  await redrawn(page);
  const expected = rotation(degrees, options);
  const lines = (await savedText(page, "rope", "csv")).trim().split("\r\n");
  const of = (name) =>
    lines.filter((line) => line.startsWith(`${name},`)).map((line) => line.split(",").slice(2).map(Number));
  expect(of("weights").flat().map(Math.fround)).toEqual([...expected.weights.data]);
  expect(of("output").flat().map(Math.fround)).toEqual([...expected.output.data]);
  const drawn = await page
    .locator("#rope .rope-outputs .after line")
    .evaluateAll((all) => all.map(({ x2, y2 }) => Math.atan2(-y2.baseVal.value, x2.baseVal.value)));
  for (const [token, [x, y]] of rows(expected.output.data, 2).entries()) near(drawn[token], Math.atan2(y, x), 1e-4);
}

test("no label of an arrow lies on another", async ({ open }) => {
  for (const [locale, width] of Object.entries({ "en-GB": 390, "zh-CN": 1440 })) {
    const page = await open({ locale, width });
    const boxes = await page
      .locator("#rope .rope-plane [data-arrow] text")
      .evaluateAll((all) => all.map((label) => label.getBoundingClientRect().toJSON()));
    const touch = (a, b) =>
      a.left < b.right + 3 && b.left < a.right + 3 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
    expect(boxes.filter((one, at) => boxes.slice(at + 1).some((other) => touch(one, other)))).toEqual([]);
  }
});

test("post C's numbers; angles follow number box, keys and dragging, until a reset", async ({ open }) => {
  const page = await open();
  await checkRotation(page, [10, 20, 30]);
  await expect(page.locator("#rope .rope-plane [data-arrow]")).toHaveCount(12);
  await openSettings(page, "rope");
  await page.fill("#angle-0", "-45");
  await checkRotation(page, [-45, 20, 30]);
  await press(page, '[data-handle="K1′"]', "ArrowLeft", "PageUp");
  await checkRotation(page, [-45, 31, 30]);
  // Straight up: Q2 = (-0.5, 1.22) then points 90 degrees, less the angle it starts from.
  await drag(page, '[data-handle="Q2′"]', ".rope-plane", [0.5, 0.05]);
  await checkRotation(page, [-45, 31, Math.round(90 - (Math.atan2(1.22, -0.5) * 180) / Math.PI)]);
  await page.click('#rope [data-tool="reset"]');
  await checkRotation(page, [10, 20, 30]);
  // A matrix can be edited, too.
  await page.locator("#rope .matrix").nth(1).locator("input").nth(0).fill("2.5");
  await checkRotation(page, [10, 20, 30], { q: [2.5, 0.8, -0.8, 1] });
});

test("a common rotation changes no weight beyond rounding; rotated values turn the outputs", async ({ open }) => {
  const page = await open("#shift=77");
  const caption = page.locator("#rope-caption");
  await checkRotation(page, [87, 97, 107]);
  await expect(caption).toRead(/by 77°: attention weights stay as they were, outputs stay\.$/);
  await open("#shift=90&values=rotated");
  await checkRotation(page, [100, 110, 120], { values: "rotated" });
  await expect(caption).toRead(/weights stay as they were, outputs turn with the text\.$/);
});
