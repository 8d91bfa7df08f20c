import { expect, redrawn, test, words } from "../fixtures.mjs";
import { exact, named, nearRatio, value } from "./numbers.mjs";

// Rules for longer texts, against their formulas in doubles.

test.use({ view: { ready: "context", kept: true } });

const [dim, base, factor, trained] = [128, 10000, 8, 4096];

const omega = (i, b = base) => b ** ((-2 * i) / dim);
/** The index at which a pair completes so many rotations in the training length. */
const indexOf = (rotations) => (dim * Math.log(trained / (rotations * 2 * Math.PI))) / (2 * Math.log(base));
const yarnRamp = (i) => {
  const [low, high] = [Math.floor(indexOf(32)), Math.ceil(indexOf(1))];
  return Math.min(1, Math.max(0, (i - low) / (high - low)));
};

const rules = {
  default: (i) => omega(i),
  linear: (i) => omega(i) / factor,
  ntk: (i) => omega(i, base * factor ** (dim / (dim - 2))),
  yarn: (i) => omega(i) * (1 - yarnRamp(i) + yarnRamp(i) / factor),
  longrope: (i) => omega(i) / factor ** (i / 63),
  llama3: (i) => {
    const rotations = (trained * omega(i)) / (2 * Math.PI);
    const share = Math.min(1, Math.max(0, (rotations - 1) / 3));
    return omega(i) * ((1 - share) / factor + share);
  },
};
const factors = {
  yarn: 0.1 * Math.log(factor) + 1,
  longrope: Math.sqrt(1 + Math.log(factor) / Math.log(trained)),
};

/** The last number of a line, after those that it is made of. */
const result = async (page, name) => (await exact(page, `#context [${name}]`)).at(-1);

test("every rule's wavelengths, stretch and rotations, with the training length", async ({ open }) => {
  const page = await open();
  for (const [rule, expected] of Object.entries(rules)) {
    await page.locator(`#context input[value="${rule}"]`).check();
    for (const pair of [0, 24, 40, 63]) {
      await page.fill("#context-pair", String(pair));
      await redrawn(page);
      nearRatio(await value(page, '[data-wave="before"]'), (2 * Math.PI) / omega(pair));
      nearRatio(await value(page, '[data-wave="after"]'), (2 * Math.PI) / expected(pair));
      nearRatio(await result(page, "data-stretch"), omega(pair) / expected(pair));
      nearRatio(await result(page, "data-rotations"), (trained * omega(pair)) / (2 * Math.PI));
    }
    nearRatio(await value(page, "#context [data-attention-factor]"), factors[rule] ?? 1);
  }
  expect((await page.locator("#context .length-line").allTextContents()).join()).toMatch(/trained to 4096/);
  const unfinished = Array.from({ length: 64 }, (_, i) => (2 * Math.PI) / omega(i)).filter((wave) => wave > trained);
  await expect(page.locator("#context-caption")).toRead(new RegExp(`${unfinished.length} of 64 pairs`));
  await named(page, "context", {
    "[data-stretch]": "Slowed down by ω / ω′ | 放慢倍数 ω / ω′",
    "[data-rotations]": "Rotations in the training length | 训练长度内的圈数",
    "[data-surprised]": "Pairs that meet unseen angles | 遇到未见角度的维度对数",
    "[data-attention-factor]": "Attention factor | 注意力缩放因子",
    contextFactor: "Scaling factor f | 扩展倍数 f",
    contextTrained: "Training length | 训练长度",
    contextBase: "Base b | 底数 b",
    contextPairs: "Pairs, d/2 | 维度对数 d/2",
  });
});

test("all rules are drawn, the chosen one thick, and angles new to the model are shaded", async ({ open }) => {
  const page = await open();
  const heights = (selector) =>
    page.locator(`#context .wave-chart ${selector}`).evaluateAll((lines) =>
      lines.map((line) =>
        line
          .getAttribute("points")
          .split(" ")
          .map((point) => Number(point.split(",")[1])),
      ),
    );
  const wave = (rule, i) => (2 * Math.PI) / rules[rule](i);
  // Two wavelengths that are known give the axis.
  const [plain] = await heights(".before polyline");
  const perDecade = (plain[63] - plain[0]) / Math.log10(wave("default", 63) / wave("default", 0));
  const at = (wavelength) => plain[0] + perDecade * Math.log10(wavelength / wave("default", 0));
  for (const chosen of Object.keys(rules)) {
    await page.locator(`#context input[value="${chosen}"]`).check();
    await redrawn(page);
    const others = Object.keys(rules).filter((rule) => rule !== chosen && rule !== "default");
    const drawn = await heights(".other polyline");
    expect(drawn.length).toBe(others.length);
    for (const [line, rule] of others.entries())
      for (const i of [0, 20, 40, 63]) nearRatio(drawn[line][i], at(wave(rule, i)), 1e-3);
    const [thick, thin] = await page.evaluate(() =>
      [".after", ".other"].map((kind) =>
        Number.parseFloat(
          getComputedStyle(document.querySelector(`#context .wave-chart ${kind} polyline`)).strokeWidth,
        ),
      ),
    );
    expect(thick).toBeGreaterThanOrEqual(2 * thin);
    // A pair that never completed a rotation knows the angles up to the last position trained.
    const pairs = Array.from({ length: 64 }, (_, i) => i).filter((i) => wave("default", i) > trained);
    const isNew = (i) => (factor * trained) / wave(chosen, i) > (1 + 1e-5) * (trained / wave("default", i));
    expect(Number(await words(page.locator("#context [data-surprised]"))), chosen).toBe(pairs.filter(isNew).length);
    const [shade] = await heights("polygon");
    expect(shade.length).toBe(2 * pairs.length);
    nearRatio(shade[0], at(wave("default", pairs[0])), 1e-3);
    nearRatio(shade.at(-1), at(factor * wave("default", pairs[0])), 1e-3);
  }
  // A pair is chosen by keys and by pointing.
  await page.locator("#context .pick").focus();
  const pair = page.locator("#context-pair");
  for (const [key, chosen] of [
    ["ArrowRight", "41"],
    ["End", "63"],
    ["PageDown", "53"],
  ]) {
    await page.keyboard.press(key);
    await expect(pair).toHaveValue(chosen);
  }
  await page.locator("#context .wave.before circle").nth(10).hover({ force: true });
  await expect(pair).toHaveValue("10");
});
