import { expect, follow, redrawn, test, words } from "../fixtures.mjs";
import { number } from "./numbers.mjs";

// Figures that compare: what fails of four codes for a position, and adding against concatenating, with the numbers of
// doubles; published models in the order that a reader chooses.

const choose = async (page, figure, value) => {
  await page.locator(`#${figure} input[value="${value}"]`).check({ force: true });
  await redrawn(page);
};
const three = (value) => String(Number(value.toPrecision(3)));
const sum = (values) => values.reduce((a, b) => a + b);
const frequencies = (pairs) => Array.from({ length: pairs }, (_, i) => 10000 ** (-i / pairs));

test("codes: counting swamps the words, a share depends on the text, bits jump, waves do neither", async ({ open }) => {
  const page = await open({ ready: "codes" });
  const said = async (rule) => {
    await choose(page, "codes", rule);
    return words(page.locator("#codes figcaption"));
  };
  // A word's vector has a square of 1 in each of six pairs.
  expect(await said("count")).toContain(`Position 19 has a code ${three(19 / Math.sqrt(6))} times`);
  expect(await said("share")).toContain(
    `One step is ${three(1 / 9)} in the one text and ${three(1 / 19)} in the other`,
  );
  // From 15 to 16 five bits change, the most.
  expect(await said("bits")).toContain(`from 1 to ${three(Math.sqrt(5))}: from 15 to`);
  const step = Math.sqrt(sum(frequencies(6).map((omega) => 2 - 2 * Math.cos(omega))));
  expect(await said("waves")).toContain(`Every step is ${three(step)} and every code ${three(Math.sqrt(6))} long`);
  await follow(page, "#written=bits&p=6");
  await expect(page.locator("#codes [data-code]")).toHaveText("0, 1, 1, 0, 0, 0, 0");
});

test("mix: a concatenation has no mixed parts, and wider matrices", async ({ open }) => {
  const page = await open({ ready: "mix" });
  /** The bars' numbers, with nothing for a part that is not there. */
  const bars = async () => {
    const texts = await page.locator("#mix .mix-bars g text:last-of-type").allTextContents();
    return texts.map((text) => text.trim());
  };
  const score = async () => number(await words(page.locator("#mix [data-score]")));
  const added = await bars();
  // Positions 1 and 10, with 16 dimensions.
  expect(Math.abs(number(added[3]) - sum(frequencies(8).map((omega) => Math.cos(9 * omega))))).toBeLessThan(1e-3);
  expect(Math.abs((await score()) - sum(added.map(number)))).toBeLessThan(3e-3);
  await expect(page.locator("#mix [data-parameters]")).toHaveText(String(3 * 16 * 16));
  await choose(page, "mix", "concatenate");
  expect(await bars()).toEqual([added[0], "–", "–", added[3]]);
  expect(Math.abs((await score()) - number(added[0]) - number(added[3]))).toBeLessThan(2e-3);
  await expect(page.locator("#mix [data-parameters]")).toHaveText(String(3 * 16 * 32));
});

/** What the table says of models that many know. */
const MODELS = [
  ["2019", "GPT-2", "learned", "–", "–", "1024", "36 KiB"],
  // Two vectors of 128 numbers for each of 8 heads in 32 layers, two bytes a number.
  ["2024", "Llama 3.1 8B", "RoPE", "500000", "llama3", "131072", `${(2 * 128 * 8 * 32 * 2) / 1024} KiB`],
];

test("models: encoding, base, rule, context and cache; sorted by year, base, context or cache", async ({ open }) => {
  const page = await open({ ready: "models" });
  const row = async (name) =>
    (await page.locator(`#models [data-model="${name}"] :is(td, th)`).allTextContents()).map((text) => text.trim());
  for (const model of MODELS) expect(await row(model[1])).toEqual(model);
  expect((await row("BLOOM"))[2]).toBe("ALiBi");
  expect((await row("Gemma 3 4B"))[3]).toBe("10000 / 1000000");
  // 512 numbers for all heads and 64 that rotate, in 61 layers.
  expect((await row("DeepSeek-V3"))[6]).toBe(`${three(((512 + 64) * 61 * 2) / 1024)} KiB`);
  const first = page.locator("#models tbody tr").first();
  await expect(first).toHaveAttribute("data-model", "BERT");
  for (const [by, name] of [
    ["base", "Qwen2.5 7B Instruct"],
    ["context", "DeepSeek-V3"],
    ["cache", "BLOOM"],
  ]) {
    await choose(page, "models", by);
    await expect(first, by).toHaveAttribute("data-model", name);
    // The bars are of what the models are sorted by: each is at most as long as the one before.
    const bars = await page.locator("#models rect").evaluateAll((all) => all.map((bar) => bar.width.baseVal.value));
    expect(bars, by).toEqual([...bars].sort((a, b) => b - a));
  }
});
