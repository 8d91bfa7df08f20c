import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage, pageTests, savedText, settled, words } from "./browser.mjs";
import { labTests, numbers, over, play, says, status, stored } from "./lab-figure.mjs";

// The figure of trainings: stored results, the guess before them, and trainings in the tab that give the same bits.

const onLab = labTests(pageTests("/some/folder/"));

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
/** What the figure has to say of a stored test. */
function expected(task, encoding, stretch, row = 0) {
  const { isText, encodings } = stored.tasks[task];
  const value = mean(encodings[encoding].runs.map(([, , tests]) => tests[row][stretch]));
  return isText ? value.toFixed(1) : `${(100 * value).toFixed(0)} %`;
}

test("stored results are named so; past the training length nothing is told before the guess", () =>
  onLab("", async (page) => {
    assert.match(await words(page.locator("#lab .lab-source")), /stored results, 3 trainings/);
    const near = await numbers(page);
    assert.equal(near.ALiBi, expected("text", "ALiBi", 0));
    assert.equal(near["RoPE, PI"], expected("text", "RoPE", 0, 1));
    assert.equal(await page.locator("#lab .lab-end").count(), 0);
    assert.equal(await page.locator("#row-labDoublings").count(), 0);
    const hidden = (await savedText(page, "lab", "csv")).split("\r\n")[1].split(",");
    assert.deepEqual(hidden.slice(6, 9), ["", "", ""]);

    await page.click('#lab [data-guess="T5"]');
    await settled(page);
    const verdict = await words(page.locator("#lab .guess .verdict"));
    assert.match(verdict, new RegExp(`T5 \\(${expected("text", "T5", 3)}\\), is number \\d of 8`));
    assert.match(verdict, new RegExp(`\\(${expected("text", "FoX", 3)}\\) is best`));
    assert.equal(await page.locator("#lab .lab-end").count(), 8);
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("lg") === "text:T5");
  }));

test("the slider walks past the training length; another task is a new guess", () =>
  onLab("#lg=text:-&lx=2", async (page) => {
    for (const [name, row] of [
      ["ALiBi", 0],
      ["FoX", 0],
    ])
      assert.equal((await numbers(page))[name], expected("text", name, 2, row));
    await page.locator('#lab .lab-length input[type="range"]').focus();
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.equal((await numbers(page))["RoPE, NTK"], expected("text", "RoPE", 3, 2));
    assert.match(await words(page.locator("#lab .lab-readout h3")), /256, 8 times/);
    await page.locator('#lab [name="row-labTask"][value="pair"]').check({ force: true });
    await settled(page);
    assert.equal(await words(page.locator("#lab .guess .verdict")), "");
    await page.click('#lab [data-guess="RoPE, PI"]');
    await settled(page);
    assert.match(await words(page.locator("#lab .guess .verdict")), /You guessed right.*RoPE, PI keeps order best/);
    assert.equal((await numbers(page, "order"))["RoPE, PI"], expected("order", "RoPE", 3, 1));
    assert.equal((await numbers(page, "back"))["RoPE, PI"], expected("back", "RoPE", 3, 1));
  }));

test("encodings can be left out and shown, which the link keeps", () =>
  onLab("#lg=text:-&le=RoPE.Shaw", async (page) => {
    assert.deepEqual(Object.keys(await numbers(page)), ["RoPE", "RoPE, PI", "RoPE, NTK", "Shaw"]);
    await page.locator('#lab [name="lab-encoding"][value="RoPE"]').focus();
    await page.keyboard.press("Space");
    await settled(page);
    assert.deepEqual(Object.keys(await numbers(page)), ["Shaw"]);
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("le") === "Shaw");
    await page.locator('#lab [name="lab-encoding"][value="Shaw"]').uncheck();
    await settled(page);
    assert.ok(await page.locator('#lab [data-lab="play"]').isDisabled());
  }));

test("by keys: a training in the tab has the stored bits, and every number of it", () =>
  onLab(
    "#lt=order&le=none&lg=order:-",
    async (page) => {
      await page.locator('#lab [data-lab="play"]').focus();
      await page.keyboard.press("Enter");
      await page.waitForSelector('#lab [data-source="tab"]');
      await over(page);
      await says(page, /Done: one training\. All bits are those stored/);
      const [[hash, losses, [tests]]] = stored.tasks.order.encodings.none.runs;
      const row = page.locator("#lab [data-run]");
      assert.equal(await words(row.locator("[data-hash]")), hash);
      assert.match(await words(row), /✓ same bits as stored/);
      const [, line] = (await savedText(page, "lab", "csv")).split("\r\n").map((each) => each.split(","));
      assert.deepEqual(line.slice(0, 5), ["none", "order", "1", "this tab", hash]);
      assert.deepEqual(line.slice(5, 9).map(Number), tests);
      // Of losses the upper halves are stored.
      const bits = new Uint32Array(Float32Array.from(line.slice(9), Number).buffer);
      const halves = new Uint16Array(new Uint8Array(Buffer.from(losses, "base64")).buffer);
      assert.deepEqual(
        Array.from(bits, (each) => each >>> 16),
        Array.from(halves),
      );
      // Back to what is stored.
      await page.click('#lab [data-lab="source"]');
      await page.waitForSelector('#lab [data-source="stored"]');
    },
    { steps: "full" },
  ));

test("what differs from the stored run is said", () =>
  onLab(
    "#lt=order&le=none",
    async (page) => {
      // Other bits than those of this engine: the digest is of something else.
      await page.evaluate(() => {
        const { digest } = SubtleCrypto.prototype;
        SubtleCrypto.prototype.digest = function (name) {
          return digest.call(this, name, new Uint8Array(4));
        };
      });
      await play(page);
      await over(page);
      const [[hash]] = stored.tasks.order.encodings.none.runs;
      assert.match(
        await words(page.locator("#lab [data-run]")),
        new RegExp(`differs from the stored ${hash}; .* by up to 0`),
      );
      assert.match(await status(page), /^Done: one training\.$/);
    },
    { steps: "full" },
  ));

test("in Chinese, on a phone: small settings, which are named; the same bits as a stored short run", () =>
  onLab(
    "#lt=order&le=none&lg=order:-",
    async (page) => {
      assert.match(await words(page.locator("#lab .lab-training")), /小设置：步数的 1\/4，一个种子/);
      await play(page);
      await over(page);
      assert.match(await words(page.locator("#lab [data-run]")), /与存好的短训练逐位相同/);
      assert.equal(await words(page.locator("#lab [data-hash]")), stored.tasks.order.encodings.none.short);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} px too wide`);
    },
    { locale: "zh-CN", width: 360 },
  ));

test("what a head looks at: layers, heads and lengths of a trained model, a row by keys", () =>
  onLab(
    "#lt=order&le=RoPE&lg=order:-",
    async (page) => {
      assert.match(await words(page.locator("#lab .panel-body")), /Attention needs the trained weights/);
      await play(page);
      await over(page);
      await page.waitForSelector("#lab .lab-map canvas");
      const size = () => page.locator("#lab .lab-map canvas").evaluate(({ width, height }) => [width, height]);
      assert.deepEqual(await size(), [17, 17]);
      const said = () => words(page.locator("#lab [data-looks]"));
      assert.match(await said(), /^“\?” at 17 looks most at \S+ \(\d+\): 0\.\d{3}/);
      const before = await said();
      await page.fill("#row-labHead", "2");
      await settled(page);
      assert.notEqual(await said(), before);
      await page.fill("#lab-query", "5");
      await settled(page);
      assert.match(await said(), /^“A” at 5/);
      await page.fill("#row-labDoublings", "1");
      await settled(page);
      assert.deepEqual(await size(), [33, 33]);
    },
    { steps: "short" },
  ));

test("the same in code: it runs as it stands", () =>
  onLab("#lt=order&le=RoPE", async (page) => {
    await page.click("#lab .lab-code summary");
    const code = await page.textContent("#lab-code");
    const folder = mkdtempSync(join(tmpdir(), "posenc-lab-"));
    try {
      const library = pathToFileURL(fileURLToPath(new URL("../../dist/lab.js", import.meta.url))).href;
      const program = code.replace('"posenc/lab"', JSON.stringify(library)).replace("steps: 1500", "steps: 20");
      assert.notEqual(program, code);
      writeFileSync(join(folder, "program.mjs"), program);
      const out = execFileSync(process.execPath, [join(folder, "program.mjs")], { encoding: "utf8" });
      assert.match(out, /^20 \d/m);
      assert.equal(out.match(/n: 128/g).length, 2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }));

test("the single file has the stored results, and says why it does not train", async () => {
  const browser = await launch();
  const single = pathToFileURL(fileURLToPath(new URL("../../build/single/posenc.html", import.meta.url))).href;
  const { page, context, trouble } = await openPage(browser, single, { hash: "#lg=text:-&lx=3", ready: "lab" });
  try {
    assert.equal((await numbers(page)).FoX, expected("text", "FoX", 3));
    assert.match(await words(page.locator("#lab .panel-body")), /a single file cannot start the workers/);
    assert.equal(await page.locator('#lab [data-lab="play"]').count(), 0);
    assert.deepEqual(trouble, []);
  } finally {
    await context.close();
    await browser.close();
  }
});

test("who loves whom: nothing before the guess; depth and mask, or positions, make the difference", () =>
  onLab(
    "#lt=roles",
    async (page) => {
      assert.equal(await page.locator("#lab .lab-plot").count(), 0);
      assert.equal(await page.locator("#lab .lab-readout").count(), 0);
      await page.click('#lab [data-guess="1 layer"]');
      await settled(page);
      const verdict = await words(page.locator("#lab .guess .verdict"));
      assert.match(verdict, /That one cannot\. More than 90 % right: (none, 2 layers; RoPE|RoPE, .*; none, 2 layers)/);
      const seen = await numbers(page, "roles");
      for (const name of Object.keys(stored.tasks.roles.encodings))
        assert.equal(seen[name], expected("roles", name, 0), name);
      assert.equal(await page.locator("#lab .lab-plot").count(), 1);
      await page.locator('#lab [name="lab-encoding"]').evaluateAll((all) => {
        for (const each of all) if (each.checked && each.value !== "2 layers") each.click();
      });
      await play(page);
      await over(page);
      await says(page, /Done: one training\. All bits are those stored/);
    },
    { steps: "full" },
  ));
