import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, settled, words } from "./browser.mjs";

// Configs of any length, dropped files, and reasons told as sentences of the page in both languages.

const { onPage } = pageTests();

const problem = (page) => words(page.locator("[data-config-problem=own]"));
const plans = (page) => page.locator("#config [data-plan]").count();

/** A valid config of at least so many characters: long lists of factors, as longrope has. */
const config = (length) =>
  JSON.stringify({ model_type: "llama", head_dim: 64, rope_theta: 10000, comment: "x".repeat(length) });

test("a config of 16 KB is read as a whole; what is too long for the link is said beside it", () =>
  onPage({ ready: "config", hash: "#at=config" }, async (page) => {
    const given = config(16_384);
    await page.fill("#row-configText", given);
    await settled(page);
    assert.equal(await problem(page), "");
    assert.equal(await plans(page), 1);
    assert.equal(await page.inputValue("#row-configText"), given);
    assert.match(await words(page.locator("#config [data-not-in-link]")), new RegExp(`${given.length} characters`));
    await page.waitForFunction(() => location.hash.includes("model=own"));
    assert.ok((await page.evaluate(() => location.hash.length)) < 100);
    await page.fill("#row-configText", config(10));
    await page.waitForFunction(() => location.hash.includes("head_dim"));
    assert.equal(await page.locator("#config [data-not-in-link]").count(), 0);
  }));

test("a config of 1 MB, set by a script, gives its answer or its reason, and no old reason stays", () =>
  onPage({ ready: "config", hash: "#at=config" }, async (page) => {
    const set = (text) =>
      page.locator("#row-configText").evaluate((box, value) => {
        box.value = value;
        box.dispatchEvent(new Event("input", { bubbles: true }));
      }, text);
    await set('{"head_dim":');
    await settled(page);
    assert.equal(await problem(page), "This is not JSON: see line 1, column 13.");
    // As programs write it that indent a lot.
    await set(`${" ".repeat(900_000)}${config(100_000)}`);
    await settled(page);
    assert.equal(await problem(page), "");
    assert.equal(await plans(page), 1);
    await set(config(1_000_000));
    await settled(page);
    assert.match(await problem(page), /^Invalid input: .+; expected at most 200000 characters in all of a config\.$/);
    assert.equal(await plans(page), 0);
  }));

test("a file that is dropped on the text takes its place", () =>
  onPage({ ready: "config", hash: "#at=config" }, async (page) => {
    const files = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['{"model_type": "llama", "head_dim": 32}'], "config.json"));
      return transfer;
    });
    await page.dispatchEvent("#row-configText", "drop", { dataTransfer: files });
    await page.waitForFunction(() => document.querySelector("#row-configText").value.includes('"head_dim": 32'));
    await settled(page);
    assert.match(await words(page.locator('#config [data-line="dims"] td')), /^32 \/ 32$/);
  }));

test("two configs stand side by side where there is room", () =>
  onPage({ ready: "config", hash: "#at=config&other=phi3" }, async (page) => {
    const [one, two] = await page
      .locator("#config textarea")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
    assert.ok(two.left >= one.right, `${one.right}, ${two.left}`);
  }));

for (const [text, en, zh] of [
  [
    '{"head_dim": 64, "rope_theta": -1}',
    "Invalid input: rope_theta is -1; expected a finite number > 0.",
    "输入无效：rope_theta 的值是 -1，应为大于 0 的有限数。",
  ],
  [
    '{"model_type": "llama"}',
    "Invalid input: head_dim is missing; expected a whole number, or hidden_size in its place.",
    "输入无效：缺少 head_dim，应为整数，或以 hidden_size 代替。",
  ],
  ['{\n"head_dim": x}', "This is not JSON: “x” is out of place.", "这不是 JSON：不该出现“x”。"],
])
  test(`a reason is a sentence in both languages: ${en}`, async () => {
    for (const [locale, sentence] of [
      ["en-GB", en],
      ["zh-CN", zh],
    ])
      await onPage({ locale, ready: "config", hash: "#at=config" }, async (page) => {
        await page.fill("#row-configText", text);
        await settled(page);
        assert.equal(await problem(page), sentence);
      });
  });

test("methods: each answer names the claim it agrees with or not, and what answers another question is not marked", async () => {
  for (const [locale, ends, verdict] of [
    ["en-GB", "no table ends at 511", /^18 statements .* 13 agree, 5 differ and are marked ≠ \(C18, B3, D2\)/],
    ["zh-CN", "否 表到位置 511 为止", /^帖子中有 18 条.*13 条一致，5 条不同.*（C18、B3、D2）/],
  ])
    await onPage({ locale, ready: "methods", hash: "#at=methods" }, async (page) => {
      assert.equal(await words(page.locator('[data-method="learned"] [data-fact="beyond"]')), ends);
      assert.doesNotMatch(await words(page.locator("#methods .panel-body")), /expected|ids\[/);
      assert.match(await words(page.locator("#methods [data-compared]")), verdict);
      const how = (question, method) =>
        page
          .locator(`[data-question="${question}"] [data-method="${method}"] [data-statement]`)
          .evaluateAll((all) => all.map(({ dataset }) => dataset.statement));
      // Trained numbers of Shaw's clipped table are as many for any n; a sinusoid has a code at 2n, a table has none.
      assert.deepEqual(await how("stored", "shaw"), ["differs", "differs"]);
      assert.deepEqual(await how("stored", "learned"), ["same"]);
      assert.deepEqual(await how("beyond", "sinusoid"), ["differs", "another"]);
      assert.deepEqual(await how("beyond", "learned"), ["same", "another"]);
      assert.deepEqual(await how("beyond", "rope"), ["another"]);
      assert.deepEqual(await how("time", "rope"), ["unmeasured"]);
      const marked = page.locator("#methods .marked");
      assert.equal(await marked.count(), 4);
      for (const text of await marked.allTextContents()) assert.match(text, /≠ [A-D]\d/);
    });
  // Narrow: nothing is cut or has to be scrolled sideways.
  await onPage({ width: 360, ready: "methods", hash: "#at=methods" }, async (page) => {
    const right = await page
      .locator("#methods .question table")
      .evaluateAll((all) => Math.max(...all.map((table) => table.getBoundingClientRect().right)));
    assert.ok(right <= 360, String(right));
  });
});
