import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/full.js";
import { pageTests, settled, words } from "./browser.mjs";

// Methods side by side, rules for longer texts, models' configs: held against the formulas in doubles.

const { onPage } = pageTests();

const number = (text) => Number(text.replaceAll("−", "-"));
const value = async (page, selector) => number(await words(page.locator(selector)));
const close = (actual, expected, tolerance = 6e-6) =>
  assert.ok(Math.abs(actual / expected - 1) <= tolerance, `${actual}, expected ${expected}`);

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

test("context: every rule's wavelengths before and after, with the training length", () =>
  onPage({ ready: "context", hash: "#at=context" }, async (page) => {
    for (const [rule, expected] of Object.entries(rules)) {
      await page.locator(`#context input[value="${rule}"]`).check();
      for (const pair of [0, 24, 40, 63]) {
        await page.fill("#context-pair", String(pair));
        await settled(page);
        close(await value(page, '[data-wave="before"]'), (2 * Math.PI) / omega(pair));
        close(await value(page, '[data-wave="after"]'), (2 * Math.PI) / expected(pair));
      }
      close(await value(page, "#context [data-attention-factor]"), factors[rule] ?? 1);
    }
    assert.match((await page.locator("#context .length-line").allTextContents()).join(), /trained to 4096/);
    const unfinished = Array.from({ length: 64 }, (_, i) => (2 * Math.PI) / omega(i)).filter((wave) => wave > trained);
    assert.match(await words(page.locator("#context-caption")), new RegExp(`${unfinished.length} of 64 pairs`));
  }));

test("context: all rules are drawn, the chosen one thick, and angles that training never had are shaded", () =>
  onPage({ ready: "context", hash: "#at=context" }, async (page) => {
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
      await settled(page);
      const others = Object.keys(rules).filter((rule) => rule !== chosen && rule !== "default");
      const drawn = await heights(".other polyline");
      assert.equal(drawn.length, others.length);
      for (const [line, rule] of others.entries())
        for (const i of [0, 20, 40, 63]) close(drawn[line][i], at(wave(rule, i)), 1e-3);
      const [thick, thin] = await page.evaluate(() =>
        [".after", ".other"].map((kind) =>
          Number.parseFloat(
            getComputedStyle(document.querySelector(`#context .wave-chart ${kind} polyline`)).strokeWidth,
          ),
        ),
      );
      assert.ok(thick >= 2 * thin);
      // A pair that never completed a rotation knows the angles up to the last position trained.
      const pairs = Array.from({ length: 64 }, (_, i) => i).filter((i) => wave("default", i) > trained);
      const isNew = (i) => (factor * trained) / wave(chosen, i) > (1 + 1e-5) * (trained / wave("default", i));
      assert.equal(Number(await words(page.locator("#context [data-surprised]"))), pairs.filter(isNew).length, chosen);
      const [shade] = await heights("polygon");
      assert.equal(shade.length, 2 * pairs.length);
      close(shade[0], at(wave("default", pairs[0])), 1e-3);
      close(shade.at(-1), at(factor * wave("default", pairs[0])), 1e-3);
    }
  }));

test("context: a pair is chosen by pointing and by keys", () =>
  onPage({ ready: "context", hash: "#at=context&rule=linear" }, async (page) => {
    await page.locator("#context .pick").focus();
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.equal(await page.inputValue("#context-pair"), "41");
    await page.keyboard.press("End");
    await page.keyboard.press("PageDown");
    await settled(page);
    assert.equal(await page.inputValue("#context-pair"), "53");
    await page.locator("#context .wave.before circle").nth(10).hover({ force: true });
    await settled(page);
    assert.equal(await page.inputValue("#context-pair"), "10");
    close(await value(page, '[data-wave="after"]'), (2 * Math.PI * factor) / omega(10));
  }));

/** A line of the table of plans, for the first kind of layer. */
const of = (page, name) => words(page.locator(`#config [data-line="${name}"] td`).first());

test("config: Llama 3.1's plan", () =>
  onPage({ ready: "config", hash: "#at=config" }, async (page) => {
    assert.deepEqual(await Promise.all(["dims", "layout", "base", "rule", "factor"].map((name) => of(page, name))), [
      "128 / 128",
      "half",
      "500000",
      "llama3",
      "1",
    ]);
    await page.fill("#config-pair", "32");
    await settled(page);
    const plain = 500000 ** -0.5;
    const share = ((8192 * plain) / (2 * Math.PI) - 1) / 3;
    assert.ok(share > 0 && share < 1);
    const scaled = plain * ((1 - share) / 8 + share);
    close(await value(page, '[data-config-omega="before"]'), plain);
    close(await value(page, '[data-config-omega="after"]'), scaled);
    close(await value(page, '[data-config-wave="after"]'), (2 * Math.PI) / scaled);
    close(number(await of(page, "longest")), 2 * Math.PI * 500000 ** (126 / 128) * 8);
  }));

test("config: families, a plan for each layer type, warnings", () =>
  onPage({ ready: "config", hash: "#at=config" }, async (page) => {
    const choose = async (name) => {
      await page.locator(`#config input[name="row-configFamily"][value="${name}"]`).check();
      await settled(page);
    };
    await choose("gemma3");
    assert.deepEqual(
      (await page.locator('[data-line="base"] td').allTextContents()).map((text) => text.trim()),
      ["10000", "1000000"],
    );
    await page.locator('[data-plan="1"] input').check();
    await page.fill("#config-pair", "64");
    await settled(page);
    close(await value(page, '[data-config-omega="after"]'), 1e6 ** -0.5 / 8);
    await choose("neox");
    assert.match(await words(page.locator("#config [data-code=partial]")), /Only the first 24 of 96 dimensions rotate/);
    await choose("qwen2vl");
    assert.match(await words(page.locator("#config [data-code=sections]")), /16, 24, 24/);
    await choose("phi3");
    close(number(await of(page, "factor")), Math.sqrt(1 + Math.log(32) / Math.log(4096)));
    close(number(await of(page, "longest")), 2 * Math.PI * 10000 ** (94 / 96) * 64.81001281738281);
    await page.fill("#row-configLength", "4096");
    await settled(page);
    close(number(await of(page, "longest")), 2 * Math.PI * 10000 ** (94 / 96) * 3.049999999999997);
  }));

test("config: two models, and what differs between them", () =>
  onPage({ ready: "config", hash: "#at=config&model=deepseek" }, async (page) => {
    assert.match(
      await words(page.locator("#config [data-code=split-head]")),
      /64 of 192 dimensions rotate, from dimension 128 on/,
    );
    const other = page.locator("#row-configOtherText");
    await page.locator('#config input[name="row-configOther"][value="deepseek"]').check();
    await settled(page);
    assert.equal(await page.locator("#config [data-same]").count(), 1);
    await other.fill((await other.inputValue()).replace('"factor": 40', '"factor": 20'));
    await settled(page);
    // Both stand in one table, where the rule's last frequency differs, and in one picture.
    assert.equal(await page.locator('#config [data-line="rule"] td').count(), 2);
    assert.deepEqual(
      await page
        .locator("#config [data-line]:has(.marked)")
        .evaluateAll((lines) => lines.map(({ dataset }) => dataset.line)),
      ["last", "longest"],
    );
    assert.equal(await page.locator("#config .wave-chart .wave.other polyline").count(), 1);
    assert.deepEqual(
      await page
        .locator("#config [data-differing] [data-what]")
        .evaluateAll((rows) => rows.map((row) => row.dataset.what)),
      ["scaling", "scale"],
    );
    // Below the interpolated pairs frequencies are divided by the factor: at distance 1 the largest difference of angles is
    // that of the first pair whose share changes.
    const pe = await load();
    const rotary = (factor) =>
      pe.rotary({
        dim: 64,
        layout: "deinterleaved",
        scaling: { type: "yarn", factor, originalLength: 4096, betaFast: 32, betaSlow: 1, mscale: 1, mscaleAllDim: 1 },
      });
    const { angle } = pe.rotaryDifference({ a: rotary(40), b: rotary(20), distances: [1] });
    const first = page.locator("#config [data-effect] tbody tr").first();
    assert.equal(Number(await words(first.locator("td").first())), Number(angle[0].toPrecision(6)));
    await page.waitForFunction(() => location.hash.includes("other=own") && location.hash.includes("config2="));
    await other.fill("{");
    await settled(page);
    assert.match(await words(page.locator("[data-config-problem=other]")), /not JSON/);
    await page.locator('#config input[name="row-configOther"][value="none"]').check();
    await settled(page);
    assert.equal(await page.locator("#config [data-differing], #config [data-config-problem=other]").count(), 0);
  }));

test("config: a model that does not rotate is explained too", () =>
  onPage({ ready: "config", hash: "#at=config" }, async (page) => {
    await page
      .locator("#row-configText")
      .fill('{"model_type": "bloom", "n_head": 16, "hidden_size": 1024, "n_layer": 24}');
    await settled(page);
    assert.match(await words(page.locator("#config [data-code=alibi]")), /16 heads/);
    assert.equal(await page.locator("#config [data-plan]").count(), 0);
  }));

test("config: one's own is read, kept in the link, and refused in a sentence", () =>
  onPage({ ready: "config", hash: "#at=config" }, async (page) => {
    const text = page.locator("#row-configText");
    const problem = () => words(page.locator("[data-config-problem=own]"));
    await text.fill(
      '{"model_type": "my-own", "head_dim": 64, "rope_scaling": {"type": "linear", "factor": 2, "other": 1}}',
    );
    await settled(page);
    assert.match(await words(page.locator("#config [data-kind=risk]")), /rope_scaling\.other is ignored/);
    assert.match(await words(page.locator("#config [data-kind=risk]")), /not known for this type of model/);
    await page.waitForFunction(() => location.hash.includes("model=own") && location.hash.includes("my-own"));
    await text.fill('{"head_dim": 64, "rope_scaling": {"type": "linear", "factor": "two"}}');
    await settled(page);
    assert.match(await problem(), /^Invalid input: rope_scaling\.factor is "two"; expected .+\.$/);
    assert.equal(await page.locator("[data-plan]").count(), 0);
    await text.fill('{"head_dim": 16777216}');
    await settled(page);
    assert.equal(await problem(), "At most 4096 pairs of dimensions can be drawn here; this config has 8388608.");
    await text.fill('{"head_dim": 8192}');
    await settled(page);
    assert.equal(await problem(), "");
    assert.equal(await page.locator("[data-plan]").count(), 1);
    await text.fill('{"head_dim": 64');
    await settled(page);
    assert.match(await problem(), /not JSON/);
    await text.fill("");
    await settled(page);
    assert.equal(await problem(), "");
  }));

test("methods: parameters and bytes are counted, relative and unique computed", () =>
  onPage({ ready: "methods", hash: "#at=methods&mn=100&md=32&mh=4" }, async (page) => {
    const cell = (method, fact) => words(page.locator(`[data-method="${method}"] [data-fact="${fact}"]`));
    const bars = await page.locator("#methods .bytes-chart").textContent();
    for (const [method, trainable, stored, bar, relative, distinct, beyond] of [
      ["sinusoid", /^no 0 p/, "O(1) 0 B", "12.5 KiB", /^no/, /^yes 100 of 100/, /^yes/],
      ["learned", /^yes 3200 p/, "O(n) 12.5 KiB", "12.5 KiB", /^no/, /^yes 100 of 100/, /^no table ends at 99/],
      // 2 tables of 33 vectors; of 199 distances those from -15 to 15 are not clipped.
      ["shaw", /^yes 2112 p/, "O(1) 8.25 KiB", "2.441 MiB", /^yes/, /^no 31 of 199/, /^yes/],
      // 8 exact distances each way; the buckets beyond hold several each, as far as 100 positions reach.
      ["t5", /^yes 128 p/, "O(1) 512 B", "156.3 KiB", /^yes/, /^no 15 of 199/, /^yes/],
      ["alibi", /^no 0 p/, "O(1) 0 B", "156.3 KiB", /^yes/, /^yes 100 of 100/, /^yes/],
      ["rope", /^no 0 p/, "O(1) 0 B", "12.5 KiB", /^yes/, /^yes 100 of 100/, /^yes/],
    ]) {
      assert.match(await cell(method, "trainable"), trainable, method);
      assert.equal(await cell(method, "stored"), stored, method);
      assert.ok(bars.includes(bar), `${method}: ${bars}`);
      assert.match(await cell(method, "relative"), relative, method);
      assert.match(await cell(method, "distinct"), distinct, method);
      assert.match(await cell(method, "beyond"), beyond, method);
    }
  }));

test("methods: time is measured when asked for, and what meets all pairs grows faster", () =>
  onPage({ ready: "methods", hash: "#at=methods&md=16&mh=2" }, async (page) => {
    assert.equal(await page.locator("[data-timing]").count(), 0);
    assert.equal(await words(page.locator('[data-method="rope"] [data-fact="time"]')), "not measured");
    const statements = async () => Number((await words(page.locator("#methods [data-compared]"))).match(/^\d+/)[0]);
    const before = await statements();
    await page.click('#methods [data-tool="measure"]');
    await page.waitForFunction(() => document.querySelectorAll("[data-timing] td[data-seconds]").length === 30);
    const seconds = await page
      .locator("[data-timing] td[data-seconds]")
      .evaluateAll((all) => all.map((cell) => Number(cell.dataset.seconds)));
    for (const one of seconds) assert.ok(one > 0 && one < 5, String(one));
    // From 64 to 1024 positions n² grows 256-fold and n 16-fold: well apart on any machine.
    const growth = (method) => seconds[5 * method + 4] / seconds[5 * method];
    assert.ok(growth(4) > 2 * growth(1), `${growth(4)} against ${growth(1)}`);
    // Post C has four costs: they are compared now, each with the power of n that is measured from 256 on.
    await settled(page);
    assert.equal(await statements(), before + 4);
    const power = Math.round(Math.log2(seconds[5 * 2 + 4] / seconds[5 * 2 + 2]) / 2);
    const order = ["O(1)", "O(n)", "O(n²)", "O(n³)"][power];
    const row = page.locator('[data-question="time"] [data-method="shaw"]');
    assert.ok((await words(row.locator("[data-fact]"))).startsWith(order));
    assert.equal(
      await row.locator("[data-statement]").getAttribute("data-statement"),
      power === 2 ? "same" : "differs",
    );
    assert.match(await words(page.locator('#methods [role="status"]').first()), /Measured on this machine/);
  }));
