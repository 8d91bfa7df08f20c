import { readFileSync } from "node:fs";
import { expect, redrawn, savedText, test, words } from "../fixtures.mjs";
import { number } from "./numbers.mjs";

// Figures that compare: what fails of four codes for a position, and adding against concatenating, with the numbers of
// doubles; what published models do about positions.

const choose = async (page, figure, value) => {
  await page.locator(`#${figure} input[value="${value}"]`).check({ force: true });
  await redrawn(page);
};
const sum = (values) => values.reduce((a, b) => a + b);
const frequencies = (pairs) => Array.from({ length: pairs }, (_, i) => 10000 ** (-i / pairs));

test("codes: counting swamps the words, a share depends on the text, bits jump, waves do neither", async ({ open }) => {
  const page = await open({ hash: "#cn=20", ready: "codes" });
  const said = async (name) => words(page.locator(`#codes [data-code="${name}"]`));
  // A word's vector has a square of 1 in each of eight pairs.
  expect(await said("count")).toContain(`position ${Math.ceil(Math.sqrt(8))} on`);
  expect(await said("share")).toContain(`a step is ${(1 / 19).toFixed(2)},`);
  expect(await said("share")).toContain(`in 6 words ${(1 / 5).toFixed(2)}`);
  // From 15 to 16 five bits change, the most.
  expect(await said("bits")).toContain("15 to 16 flips 5");
  const step = Math.sqrt(sum(frequencies(8).map((omega) => 2 - 2 * Math.cos(omega))));
  await expect(page.locator("#codes-caption")).toRead(new RegExp(`waves is ${step.toPrecision(3)} in any text`));
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

/** Lines of the file for models that many know: encoding, layers, of them rotating, without positions and recurrent, … */
const MODELS = {
  "GPT-2": "2019,GPT-2,learned,12,0,0,0,,,,,1024",
  "GPT-J 6B": "2021,GPT-J 6B,rotary,28,28,0,0,0.25,10000,,,2048",
  BLOOM: "2022,BLOOM,alibi,70,0,0,0,,,,,",
  "DeepSeek-V3": `2024,DeepSeek-V3,rotary,61,61,0,0,${64 / 192},10000,yarn,,163840`,
  ModernBERT: "2024,ModernBERT,rotary,22,22,0,0,1,160000 / 10000,,129,8192",
  "Llama 4 Scout": "2025,Llama 4 Scout,rotary,48,36,12,0,1,500000,llama3,8192,10485760",
  "SmolLM3 3B": "2025,SmolLM3 3B,rotary,36,27,9,0,1,5000000,,,65536",
  "Qwen3.5 397B": "2026,Qwen3.5 397B,rotary,60,15,0,45,0.25,10000000,,,262144",
};

test("choose: what layers do in published models; a purpose leaves its models in ink", async ({ open }) => {
  const page = await open({ ready: "choose" });
  const lines = (await savedText(page, "choose", "csv")).trim().split("\r\n");
  for (const [name, line] of Object.entries(MODELS)) expect(lines.find((each) => each.includes(name))).toBe(line);
  const published = JSON.parse(
    readFileSync(new URL("../../../web/src/panels/choose/published.json", import.meta.url), "utf8"),
  );
  expect(lines.length - 1).toBe(published.length);
  expect(published.filter(({ source }) => !source)).toEqual([]);
  const inInk = () =>
    page.locator("#choose .row:not(.faint)").evaluateAll((rows) => rows.map(({ dataset }) => dataset.model));
  expect(await inInk()).toEqual(published.map(({ name }) => name));
  for (const [purpose, some, not] of [
    ["short", "Llama 2 7B", "Mistral 7B"],
    ["long", "Llama 4 Scout", "Llama 3.1 8B"],
    ["extend", "Llama 3.1 8B", "Llama 2 7B"],
    ["untrained", "BLOOM", "GPT-2"],
    ["encoder", "ModernBERT", "GPT-2"],
  ]) {
    await choose(page, "choose", purpose);
    const found = await inInk();
    expect([found.includes(some), found.includes(not)], purpose).toEqual([true, false]);
    await expect(page.locator("#choose .advice")).toRead(/\.$/);
    await expect(page.locator("#choose-caption")).toRead(new RegExp(`^${found.length} of ${published.length} models`));
  }
  // Every fourth layer of SmolLM3 has no positions.
  const marks = await page
    .locator('#choose [data-model="SmolLM3 3B"]')
    .evaluate((row) => [...row.querySelectorAll("rect.none, g.rotates")].map((mark) => mark.matches("rect")));
  expect(marks).toEqual(Array.from({ length: 12 }, (_, at) => at % 4 === 3));
});
