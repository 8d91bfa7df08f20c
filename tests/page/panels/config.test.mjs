import { readFileSync } from "node:fs";
import { load } from "../../../dist/full.js";
import { expect, redrawn, test, words } from "../fixtures.mjs";
import { nearRatio, number, shows, value } from "./numbers.mjs";

// Models' configs: plans against the formulas in doubles, configs of any length, dropped files, reasons in both languages.

test.use({ view: { ready: "config", kept: true } });

/** A line of the table of plans, for the first kind of layer. */
const of = (page, name) => words(page.locator(`#config [data-line="${name}"] td`).first());
const problem = (page) => expect.poll(() => words(page.locator("[data-config-problem=own]")));
const plans = (page, count) => expect(page.locator("#config [data-plan]")).toHaveCount(count);
const own = (page) => page.locator("#row-configText");
const choose = async (page, name, row = "Family") => {
  await page.locator(`#config input[name="row-config${row}"][value="${name}"]`).check();
  await redrawn(page);
};

test("every example names where it was read, and agrees with the table of published models", () => {
  const stored = (path) =>
    JSON.parse(readFileSync(new URL(`../../../web/src/panels/${path}`, import.meta.url), "utf8"));
  const models = stored("choose/published.json");
  const examples = Object.values(stored("config/examples.json"));
  for (const { name, source, config } of examples) {
    expect(source, name).toMatch(/\w+\/\w+/);
    const same = models.find((model) => model.source.startsWith(source))?.config ?? {};
    for (const key of Object.keys(config).filter((each) => each in same))
      expect(same[key], `${name}: ${key}`).toEqual(config[key]);
  }
});

test("Llama 3.1's plan, those of families and of each layer type, and their warnings", async ({ open }) => {
  const page = await open();
  await expect
    .poll(() => Promise.all(["dims", "layout", "base", "rule", "factor"].map((name) => of(page, name))))
    .toEqual(["128 / 128", "half", "500000", "llama3", "1"]);
  await page.fill("#config-pair", "32");
  await redrawn(page);
  const plain = 500000 ** -0.5;
  const share = ((8192 * plain) / (2 * Math.PI) - 1) / 3;
  const scaled = plain * ((1 - share) / 8 + share);
  const numbers = { '[data-config-omega="before"]': plain, '[data-config-wave="after"]': (2 * Math.PI) / scaled };
  await shows(page, { ...numbers, '[data-config-omega="after"]': scaled }, nearRatio);
  nearRatio(number(await of(page, "longest")), 2 * Math.PI * 500000 ** (126 / 128) * 8);
  await choose(page, "gemma3");
  await expect(page.locator('[data-line="base"] td')).toHaveText(["10000", "1000000"]);
  await page.locator('[data-plan="1"] input').check();
  await page.fill("#config-pair", "64");
  await redrawn(page);
  nearRatio(await value(page, '[data-config-omega="after"]'), 1e6 ** -0.5 / 8);
  for (const [family, code, says] of [
    ["neox", "partial", /Only the first 24 of 96 dimensions rotate/],
    ["qwen2vl", "sections", /16, 24, 24/],
  ]) {
    await choose(page, family);
    await expect(page.locator(`#config [data-code=${code}]`)).toRead(says);
  }
  await choose(page, "phi3");
  const attention = Math.sqrt(1 + Math.log(32) / Math.log(4096));
  nearRatio(await value(page, '#config [data-line="factor"] td:nth-of-type(1)'), attention);
  // It speaks of dimensions, whatever the library calls them.
  const said = (await page.locator("#config .findings li").allTextContents()).join(" ");
  expect(said).toMatch(/dimension/);
  expect(said).not.toMatch(/\blanes?\b/i);
  const longest = 2 * Math.PI * 10000 ** (94 / 96);
  nearRatio(number(await of(page, "longest")), longest * 64.81001281738281);
  await page.fill("#row-configLength", "4096");
  await redrawn(page);
  nearRatio(number(await of(page, "longest")), longest * 3.049999999999997);
});

test("two models and their differences, in one table and one picture", async ({ open }) => {
  const page = await open("#model=deepseek");
  await expect(page.locator("#config [data-code=split-head]")).toRead(
    /64 of 192 dimensions rotate, from dimension 128 on/,
  );
  const other = page.locator("#row-configOtherText");
  await choose(page, "deepseek", "Other");
  await expect(page.locator("#config [data-same]")).toHaveCount(1);
  await other.fill((await other.inputValue()).replace('"factor": 40', '"factor": 20'));
  await expect(page.locator('#config [data-line="rule"] td')).toHaveCount(2);
  const all = (selector, name) =>
    page.locator(selector).evaluateAll((rows, key) => rows.map((row) => row.dataset[key]), name);
  await expect.poll(() => all("#config [data-line]:has(.marked)", "line")).toEqual(["last", "longest"]);
  await expect.poll(() => all("#config [data-differing] [data-what]", "what")).toEqual(["scaling", "scale"]);
  await expect(page.locator("#config-waves .curve-3 text")).toRead(/^the other/);
  // What the difference does to angles, at distance 1 to begin with, is the library's.
  const { rotaryDifference, rotary } = await load();
  const yarn = { type: "yarn", originalLength: 4096, betaFast: 32, betaSlow: 1, mscale: 1, mscaleAllDim: 1 };
  const rope = (factor) => rotary({ dim: 64, layout: "deinterleaved", scaling: { ...yarn, factor } });
  const { angle } = rotaryDifference({ a: rope(40), b: rope(20), distances: [1] });
  const first = page.locator("#config [data-effect] tbody tr").first().locator("td").first();
  await expect(first).toHaveText(String(Number(angle[0].toPrecision(6))));
  await expect(page).toHaveURL(/other=own.*config2=/);
  await other.fill("{");
  await expect(page.locator("[data-config-problem=other]")).toRead(/not JSON/);
  await choose(page, "none", "Other");
  await expect(page.locator("#config [data-differing], #config [data-config-problem=other]")).toHaveCount(0);
});

test("a reader's config is kept in the link, explained, or refused in a sentence", async ({ open }) => {
  const page = await open();
  const text = own(page);
  await text.fill('{"model_type": "bloom", "n_head": 16, "hidden_size": 1024, "n_layer": 24}');
  await expect(page.locator("#config [data-code=alibi]")).toRead(/16 heads/);
  await plans(page, 0);
  await text.fill(
    '{"model_type": "my-own", "head_dim": 64, "rope_scaling": {"type": "linear", "factor": 2, "other": 1}}',
  );
  await expect(page.locator("#config [data-kind=risk]")).toRead(/rope_scaling\.other is ignored/);
  await expect(page).toHaveURL(/model=own.*my-own/);
  await expect(page.locator("#config [data-kind=risk]")).toRead(/not known for this type of model/);
  await text.fill('{"rope_theta": 10000, "head_dim": 16777216}');
  await problem(page).toBe("At most 4096 pairs of dimensions can be drawn here; this config has 8388608.");
  // A file that is dropped on the text takes its place.
  const files = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['{"model_type": "llama", "head_dim": 32}'], "config.json"));
    return transfer;
  });
  await page.dispatchEvent("#row-configText", "drop", { dataTransfer: files });
  await expect(text).toHaveValue(/"head_dim": 32/);
  await expect(page.locator('#config [data-line="dims"] td')).toRead(/^32 \/ 32$/);
  for (const [lang, ...reasons] of [
    [
      "en",
      "Invalid input: rope_theta is -1; expected a finite number > 0.",
      "Invalid input: head_dim is missing; expected a whole number, or hidden_size in its place.",
      "This is not JSON: “x” is out of place in line 2.",
    ],
    [
      "zh",
      "输入无效：rope_theta 的值是 -1，应为大于 0 的有限数。",
      "输入无效：缺少 head_dim，应为整数，或以 hidden_size 代替。",
      "这不是 JSON：第 2 行不该出现“x”。",
    ],
  ]) {
    await open(`#lang=${lang}`);
    const given = ['{"head_dim": 64, "rope_theta": -1}', '{"model_type": "qwen2"}', '{\n"head_dim": x}'];
    for (const [at, config] of given.entries()) {
      await text.fill(config);
      await problem(page).toBe(reasons[at]);
      await plans(page, 0);
    }
  }
});

test("a config of 16 KB is read as a whole and not in the link, one of 5 MB is answered or refused", async ({
  open,
}) => {
  const page = await open();
  const config = (length) =>
    JSON.stringify({ model_type: "llama", head_dim: 64, rope_theta: 10000, comment: "x".repeat(length) });
  const given = config(16_384);
  await own(page).fill(given);
  await plans(page, 1);
  await problem(page).toBe("");
  await expect(own(page)).toHaveValue(given);
  await expect(page.locator("#config [data-not-in-link]")).toRead(new RegExp(`${given.length} characters`));
  await expect(page).toHaveURL(/#.{0,99}model=own.{0,99}$/);
  await own(page).fill(config(10));
  await expect(page).toHaveURL(/head_dim/);
  await expect(page.locator("#config [data-not-in-link]")).toHaveCount(0);
  const set = (value) =>
    own(page).evaluate((box, text) => {
      box.value = text;
      box.dispatchEvent(new Event("input", { bubbles: true }));
    }, value);
  // Spaces do not count: there are programs that indent a lot.
  for (const [text, count, reason] of [
    ['{"head_dim":', 0, /^This is not JSON: see line 1\.$/],
    [`${" ".repeat(900_000)}${config(100_000)}`, 1, /^$/],
    [config(5_000_000), 0, /^Invalid input: .+; expected at most 4194304 bytes in all of a config\.$/],
  ]) {
    await set(text);
    await problem(page).toMatch(reason);
    await plans(page, count);
  }
});

test("what an engine is given: flags, keys, why it cannot, and the cache", async ({ open }) => {
  const page = await open();
  const figure = page.locator("#config");
  const engine = async (name, status) => {
    await choose(page, name, "Engine");
    for (const shown of [`engine="${name}"`, `engine-status="${status}"`])
      await expect(figure.locator(`[data-${shown}]`)).toBeVisible();
  };
  await engine("vllm", "as-is");
  expect(JSON.parse(await figure.locator("pre.given").last().textContent()).rope_parameters.rope_type).toBe("llama3");
  await choose(page, "own");
  const shape = { num_attention_heads: 32, num_key_value_heads: 8, head_dim: 128, num_hidden_layers: 36 };
  const rest = { rope_theta: 1e6, max_position_embeddings: 40960, torch_dtype: "bfloat16" };
  await own(page).fill(JSON.stringify({ model_type: "qwen3", ...shape, ...rest }));
  await engine("llama.cpp", "write");
  await expect(figure.locator("pre.given").first()).toHaveText(
    "--rope-freq-base 1000000 --rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 32768 -c 131072",
  );
  expect(await words(figure.locator("[data-cache-bytes]"))).toContain(
    `${((36 * 4096 * 131072) / 2 ** 30).toFixed(1)} GiB`,
  );
  await engine("candle", "cannot");
  await expect(figure.locator("[data-engine-departures] li")).toHaveCount(1);
});
