import { load } from "../../../dist/index.js";
import { expect, redrawn, test, words } from "../fixtures.mjs";
import { exact, named, nearRatio, shows } from "./numbers.mjs";

// Rules for longer texts: the library's frequencies with each, in numbers and drawn.

test.use({ view: { ready: "context", kept: true } });

const pe = await load();
const [dim, base, factor, originalLength] = [128, 10000, 8, 4096];
const PAIRS = Array.from({ length: dim / 2 }, (_, i) => i);

/** Frequencies and attention factor of each rule as the figure opens; LongRoPE's factors are a ramp of equal ratios. */
const rules = Object.fromEntries(
  Object.entries({
    default: {},
    linear: { factor },
    ntk: { factor },
    yarn: { factor, originalLength },
    longrope: {
      factor,
      originalLength,
      shortFactor: PAIRS.map(() => 1),
      longFactor: PAIRS.map((i) => factor ** (i / 63)),
    },
    llama3: { factor, originalLength },
  }).map(([type, rest]) => [
    type,
    pe.frequencies({ dim, base, scaling: { type, ...rest }, length: originalLength + 1 }),
  ]),
);
const wave = (rule, i) => (2 * Math.PI) / rules[rule].data[i];

test("every rule's numbers; all are drawn, and angles new to the model shaded", async ({ open }) => {
  const page = await open();
  const heights = (selector) =>
    page
      .locator(`#context .wave-chart ${selector}`)
      .evaluateAll((lines) => lines.map(({ points }) => Array.from(points, ({ y }) => y)));
  // Two wavelengths that are known give the axis.
  const [plain] = await heights(".before polyline");
  const perDecade = (plain[63] - plain[0]) / Math.log10(wave("default", 63) / wave("default", 0));
  const at = (wavelength) => plain[0] + perDecade * Math.log10(wavelength / wave("default", 0));
  // A pair that never completed a rotation knows the angles up to the last position trained.
  const unfinished = PAIRS.filter((i) => wave("default", i) > originalLength);
  await expect(page.locator("#context-caption")).toRead(new RegExp(`${unfinished.length} of 64 pairs`));
  for (const chosen of Object.keys(rules)) {
    await page.locator(`#context input[value="${chosen}"]`).check();
    for (const pair of [0, 24, 40, 63]) {
      await page.fill("#context-pair", String(pair));
      await redrawn(page);
      const [before, after] = [wave("default", pair), wave(chosen, pair)];
      await shows(page, { '[data-wave="before"]': before, '[data-wave="after"]': after }, nearRatio);
      // The last number of a line comes after those that it is made of.
      nearRatio((await exact(page, "#context [data-stretch]")).at(-1), after / before);
      nearRatio((await exact(page, "#context [data-rotations]")).at(-1), originalLength / before);
    }
    await shows(page, { "#context [data-attention-factor]": rules[chosen].attentionFactor }, nearRatio);
    const others = Object.keys(rules).filter((rule) => rule !== chosen && rule !== "default");
    const drawn = await heights(".other polyline");
    expect(drawn.length).toBe(others.length);
    for (const [line, rule] of others.entries())
      for (const i of [0, 20, 40, 63]) nearRatio(drawn[line][i], at(wave(rule, i)), 1e-3);
    const isNew = (i) =>
      (factor * originalLength) / wave(chosen, i) > (1 + 1e-5) * (originalLength / wave("default", i));
    const surprised = Number(await words(page.locator("#context [data-surprised]")));
    expect(surprised, chosen).toBe(unfinished.filter(isNew).length);
    const [shade] = await heights("polygon");
    expect(shade.length).toBe(2 * unfinished.length);
    nearRatio(shade[0], at(wave("default", unfinished[0])), 1e-3);
    nearRatio(shade.at(-1), at(factor * wave("default", unfinished[0])), 1e-3);
  }
  await page.locator("#context .wave.before circle").nth(10).hover({ force: true });
  await expect(page.locator("#context-pair")).toHaveValue("10");
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
