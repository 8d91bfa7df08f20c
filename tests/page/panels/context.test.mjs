import { readFileSync } from "node:fs";
import { load } from "../../../dist/index.js";
import { expect, openSettings, redrawn, test } from "../fixtures.mjs";
import { named, nearRatio, value } from "./numbers.mjs";

// Methods for longer texts: the library's frequencies with each, and what the lab has measured of them.

test.use({ view: { ready: "context", kept: true } });

const pe = await load();
const [dim, base, factor, originalLength] = [128, 10000, 8, 4096];
const PAIRS = Array.from({ length: dim / 2 }, (_, i) => i);
const OPTIONS = {
  default: {},
  linear: { factor },
  ntk: { factor },
  yarn: { factor, originalLength },
  llama3: { factor, originalLength },
};
const rules = Object.fromEntries(
  Object.entries(OPTIONS).map(([type, rest]) => [type, pe.frequencies({ dim, base, scaling: { type, ...rest } })]),
);
const slower = (rule, i) => rules.default.data[i] / rules[rule].data[i];
const rotations = (i) => (originalLength * base ** (-i / (dim / 2))) / (2 * Math.PI);

test("how many times slower each method makes each pair, and the pairs that this harms", async ({ open }) => {
  const page = await open();
  for (const rule of Object.keys(OPTIONS)) {
    await page.locator(`#context input[value="${rule}"]`).check({ force: true });
    for (const pair of [0, 24, 40, 63]) {
      await openSettings(page, "context");
      await page.fill("#context-pair", String(pair));
      await redrawn(page);
      nearRatio(await value(page, "#context [data-slower]"), slower(rule, pair));
      nearRatio(await value(page, "#context [data-rotations]"), rotations(pair));
    }
    const squeezed = PAIRS.filter((i) => rotations(i) >= 32 && slower(rule, i) > 1.05);
    const unseen = PAIRS.filter((i) => rotations(i) < 1 && slower(rule, i) < factor * (1 - 1e-5));
    await expect(page.locator("#context-caption")).toRead(
      new RegExp(`${squeezed.length} of 64 pairs are fast and yet slower, ${unseen.length} meet new angles`),
    );
    const harmed = await page
      .locator("#context :is(.kept, .harmed)")
      .evaluateAll((all) => all.flatMap(({ classList }, at) => (classList.contains("harmed") ? [at] : [])));
    expect(harmed).toEqual([...squeezed, ...unseen].sort((a, b) => a - b));
  }
  const dot = await page.locator("#context .kept").nth(10).boundingBox();
  await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
  await expect(page.locator("#context-pair")).not.toHaveValue("63");
  await named(page, "context", {
    contextFactor: "Longer by f | 扩展倍数 f",
    contextTrained: "Training length | 训练长度",
    contextBase: "Base b | 底数 b",
    contextPairs: "Pairs, d/2 | 维度对数 d/2",
  });
});

test("bars are the means of the stored trainings, at the stretch nearest to the factor", async ({ open }) => {
  const file = new URL("../../../web/src/training/results.json", import.meta.url);
  const { runs } = JSON.parse(readFileSync(file, "utf8")).tasks.text.encodings.RoPE;
  for (const [f, at] of Object.entries({ 8: 3, 2.2: 1, 1: 1 })) {
    const page = await open(`#f=${f}`);
    for (const [test, rule] of ["default", "linear", "ntk", "yarn"].entries()) {
      const mean = runs.reduce((sum, [, , tests]) => sum + tests[test][at], 0) / runs.length;
      await expect(page.locator(`#context [data-measured="${rule}"] text`).last()).toHaveText(mean.toFixed(1));
    }
  }
});
