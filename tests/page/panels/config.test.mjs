import { readFileSync } from "node:fs";
import { load } from "../../../dist/full.js";
import { expect, redrawn, test, words } from "../fixtures.mjs";
import { nearRatio, number, value } from "./numbers.mjs";

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
  const models = stored("models/published.json");
  let compared = 0;
  for (const { name, source, config } of Object.values(stored("config/examples.json"))) {
    expect(source, name).toMatch(/\w+\/\w+/);
    const same = models.find((model) => model.source.startsWith(source));
    if (!same) continue;
    compared++;
    for (const [key, value] of Object.entries(config))
      if (key in same.config) expect(same.config[key], `${name}: ${key}`).toEqual(value);
  }
  expect(compared).toBeGreaterThanOrEqual(3);
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
  nearRatio(await value(page, '[data-config-omega="before"]'), plain);
  nearRatio(await value(page, '[data-config-omega="after"]'), scaled);
  nearRatio(await value(page, '[data-config-wave="after"]'), (2 * Math.PI) / scaled);
  nearRatio(number(await of(page, "longest")), 2 * Math.PI * 500000 ** (126 / 128) * 8);
  await choose(page, "gemma3");
  await expect(page.locator('[data-line="base"] td')).toHaveText(["10000", "1000000"]);
  await page.locator('[data-plan="1"] input').check();
  await page.fill("#config-pair", "64");
  await redrawn(page);
  nearRatio(await value(page, '[data-config-omega="after"]'), 1e6 ** -0.5 / 8);
  await choose(page, "neox");
  await expect(page.locator("#config [data-code=partial]")).toRead(/Only the first 24 of 96 dimensions rotate/);
  await choose(page, "qwen2vl");
  await expect(page.locator("#config [data-code=sections]")).toRead(/16, 24, 24/);
  await choose(page, "phi3");
  const attention = Math.sqrt(1 + Math.log(32) / Math.log(4096));
  nearRatio(await value(page, '#config [data-line="factor"] td:nth-of-type(1)'), attention);
  // It speaks of dimensions, whatever the library calls them.
  const said = (await page.locator("#config .findings li").allTextContents()).join(" ");
  expect(said).toMatch(/dimension/);
  expect(said).not.toMatch(/\blanes?\b/i);
  for (const [length, factor] of [
    [undefined, 64.81001281738281],
    ["4096", 3.049999999999997],
  ]) {
    if (length) await page.fill("#row-configLength", length);
    await redrawn(page);
    nearRatio(number(await of(page, "longest")), 2 * Math.PI * 10000 ** (94 / 96) * factor);
  }
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
  await expect(page.locator("#config .wave-chart .wave.other polyline")).toHaveCount(1);
  // Below the interpolated pairs frequencies are divided by the factor: at distance 1 the largest difference of angles is
  // that of the first pair whose share changes.
  const pe = await load();
  const yarn = { type: "yarn", originalLength: 4096, betaFast: 32, betaSlow: 1, mscale: 1, mscaleAllDim: 1 };
  const [a, b] = [40, 20].map((factor) =>
    pe.rotary({ dim: 64, layout: "deinterleaved", scaling: { ...yarn, factor } }),
  );
  const { angle } = pe.rotaryDifference({ a, b, distances: [1] });
  const first = page.locator("#config [data-effect] tbody tr").first();
  expect(Number(await words(first.locator("td").first()))).toBe(Number(angle[0].toPrecision(6)));
  await expect(page).toHaveURL(/other=own.*config2=/);
  await other.fill("{");
  await expect(page.locator("[data-config-problem=other]")).toRead(/not JSON/);
  await choose(page, "none", "Other");
  await expect(page.locator("#config [data-differing], #config [data-config-problem=other]")).toHaveCount(0);
});

test("a reader's config is kept in the link, and refused in a sentence; one that does not rotate is explained", async ({
  open,
}) => {
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
  await text.fill('{"model_type": "my-own", "head_dim": 64}');
  await expect(page.locator("#config [data-code=unknown]")).toRead(/is not known/);
  await text.fill('{"rope_theta": 10000, "head_dim": 16777216}');
  await problem(page).toBe("At most 4096 pairs of dimensions can be drawn here; this config has 8388608.");
  await text.fill("");
  await problem(page).toBe("");
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
      "This is not JSON: “x” is out of place.",
    ],
    [
      "zh",
      "输入无效：rope_theta 的值是 -1，应为大于 0 的有限数。",
      "输入无效：缺少 head_dim，应为整数，或以 hidden_size 代替。",
      "这不是 JSON：不该出现“x”。",
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

test("a config of 16 KB is read as a whole and not in the link; one of 1 MB gives its reason", async ({ open }) => {
  const page = await open();
  const config = (length) =>
    JSON.stringify({ model_type: "llama", head_dim: 64, rope_theta: 10000, comment: "x".repeat(length) });
  const given = config(16_384);
  await own(page).fill(given);
  await plans(page, 1);
  await problem(page).toBe("");
  await expect(own(page)).toHaveValue(given);
  await expect(page.locator("#config [data-not-in-link]")).toRead(new RegExp(`${given.length} characters`));
  await expect(page).toHaveURL(/model=own/);
  expect(await page.evaluate(() => location.hash.length)).toBeLessThan(100);
  await own(page).fill(config(10));
  await expect(page).toHaveURL(/head_dim/);
  await expect(page.locator("#config [data-not-in-link]")).toHaveCount(0);
  await own(page).evaluate((box, value) => {
    box.value = value;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }, config(1_000_000));
  await problem(page).toMatch(/^Invalid input: .+; expected at most 200000 characters in all of a config\.$/);
  await plans(page, 0);
});

test("what an engine is given: flags, keys, why it cannot, and the cache", async ({ open }) => {
  const page = await open();
  const figure = page.locator("#config");
  const engine = async (name, status) => {
    await choose(page, name, "Engine");
    await expect(figure.locator(`[data-engine="${name}"]`)).toBeVisible();
    await expect(figure.locator(`[data-engine-status="${status}"]`)).toBeVisible();
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
  expect(await words(figure.locator("[data-cache-bytes]"))).toContain(String(36 * 4096 * 131072));
  await engine("candle", "cannot");
  await expect(figure.locator("[data-engine-departures] li")).toHaveCount(1);
});
