import { expect, redrawn, test } from "../fixtures.mjs";

// Published models: what their configs say, and the order that a reader chooses.

test.use({ view: { ready: "models" } });

const row = async (page, name) =>
  (await page.locator(`#models [data-model="${name}"] :is(td, th)`).allTextContents()).map((text) => text.trim());
const names = (page) => page.locator("#models tbody tr").evaluateAll((all) => all.map(({ dataset }) => dataset.model));

test("encoding, base, rule, context and cache of models that many know", async ({ page }) => {
  expect(await row(page, "GPT-2")).toEqual(["2019", "GPT-2", "learned", "–", "–", "1024", "36 KiB"]);
  // Two vectors of 128 numbers for each of 8 heads in 32 layers, two bytes a number.
  const cache = `${(2 * 128 * 8 * 32 * 2) / 1024} KiB`;
  expect(await row(page, "Llama 3.1 8B")).toEqual([
    "2024",
    "Llama 3.1 8B",
    "RoPE",
    "500000",
    "llama3",
    "131072",
    cache,
  ]);
  expect((await row(page, "BLOOM"))[2]).toBe("ALiBi");
  expect((await row(page, "T5-small"))[5]).toBe("512");
  expect((await row(page, "Gemma 3 4B"))[3]).toBe("10000 / 1000000");
  // 512 numbers for all heads and 64 that rotate, in 61 layers.
  expect((await row(page, "DeepSeek-V3"))[6]).toBe(`${((512 + 64) * 61 * 2) / 1024} KiB`.replace("68.625", "68.6"));
});

test("sorted by year, base, context or cache", async ({ page }) => {
  expect((await names(page))[0]).toBe("BERT");
  for (const [by, first] of [
    ["base", "Qwen2.5 7B Instruct"],
    ["context", "DeepSeek-V3"],
    ["cache", "BLOOM"],
  ]) {
    await page.locator(`#models input[value="${by}"]`).check({ force: true });
    await redrawn(page);
    expect((await names(page))[0], by).toBe(first);
    // The bars are of what the models are sorted by: each is at most as long as the one before.
    const bars = await page.locator("#models rect").evaluateAll((all) => all.map((bar) => bar.width.baseVal.value));
    expect(bars, by).toEqual([...bars].sort((a, b) => b - a));
  }
});
