import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { excess, expect, link, redrawn, savedText, words } from "../fixtures.mjs";
import { numbers, over, play, says, status, stored, test } from "./lab.mjs";

// The figure of trainings: stored results, the guess before them, and trainings in the tab that give the same bits.

const file = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
/** The upper halves of losses are stored. */
const halvesOf = (losses) => Array.from(new Uint16Array(new Uint8Array(Buffer.from(losses, "base64")).buffer));

test("stored results are of this version and text, with three trainings of each encoding, in at most 20 KB", () => {
  expect(file("web/src/training/results.json").length).toBeLessThanOrEqual(20_000);
  expect(stored.posenc).toBe(JSON.parse(file("package.json")).version);
  expect(stored.text).toBe(createHash("sha256").update(file("web/public/opticks.txt")).digest("hex").slice(0, 16));
  expect(Object.keys(stored.tasks)).toEqual(["text", "order", "back", "roles"]);
  for (const [task, { encodings, isText, options, stretches }] of Object.entries(stored.tasks)) {
    expect(options.task.type).toBe(task);
    expect(stretches).toEqual(task === "roles" ? [1] : [1, 2, 4, 8]);
    for (const [name, { short, tested = {}, runs }] of Object.entries(encodings)) {
      const what = `${task}, ${name}`;
      const hashes = runs.map(([hash]) => hash);
      for (const hash of [short, ...hashes]) expect(hash, what).toMatch(/^[\da-f]{16}$/);
      expect([runs.length >= 3, new Set(hashes).size], what).toEqual([true, runs.length]);
      for (const [, losses, tests] of runs) {
        const values = new Float32Array(Uint32Array.from(halvesOf(losses), (half) => half << 16).buffer);
        expect(values.length, what).toBe(25);
        for (const loss of values) expect(loss >= 0 && loss < 5, what).toBe(true);
        expect(tests.length, what).toBe(1 + Object.keys(tested).length);
        for (const row of tests) expect(row.length, what).toBe(stretches.length);
        for (const value of tests.flat()) {
          expect(isText ? value > 1 : value >= 0 && value <= 1, `${what}: ${value}`).toBe(true);
          expect(Number(Math.fround(value).toPrecision(9)), what).toBe(value);
        }
      }
    }
  }
});

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
/** The figure has to say this of a stored test. */
function expected(task, encoding, stretch, row = 0) {
  const { isText, encodings } = stored.tasks[task];
  const value = mean(encodings[encoding].runs.map(([, , tests]) => tests[row][stretch]));
  return isText ? value.toFixed(1) : `${(100 * value).toFixed(0)}%`;
}

test("results are named stored; longer lengths are hidden until the guess", async ({ lab }) => {
  const page = await lab("", { kept: true });
  await expect(page.locator("#lab .lab-source")).toRead(/stored results, 3 trainings/);
  const near = await numbers(page);
  expect(near.ALiBi).toBe(expected("text", "ALiBi", 0));
  expect(near["RoPE, PI"]).toBe(expected("text", "RoPE", 0, 1));
  await expect(page.locator("#lab .lab-end")).toHaveCount(0);
  await expect(page.locator("#row-labDoublings")).toHaveCount(0);
  const hidden = (await savedText(page, "lab", "csv")).split("\r\n")[1].split(",");
  expect(hidden.slice(6, 9)).toEqual(["", "", ""]);

  await page.click('#lab [data-guess="T5"]');
  await redrawn(page);
  const verdict = await words(page.locator("#lab .guess .verdict"));
  expect(verdict).toMatch(new RegExp(`T5 \\(${expected("text", "T5", 3)}\\), is number \\d of 8`));
  expect(verdict).toMatch(new RegExp(`\\(${expected("text", "FoX", 3)}\\) is best`));
  await expect(page.locator("#lab .lab-end")).toHaveCount(8);
  await expect.poll(() => link(page)).toMatchObject({ lg: "text:T5" });
});

test("the slider walks past the training length; another task is a new guess", async ({ lab }) => {
  const page = await lab("#lg=text:-&lx=2", { kept: true });
  expect((await numbers(page)).ALiBi).toBe(expected("text", "ALiBi", 2));
  await page.locator('#lab .lab-length input[type="range"]').focus();
  await page.keyboard.press("ArrowRight");
  await redrawn(page);
  expect((await numbers(page))["RoPE, NTK"]).toBe(expected("text", "RoPE", 3, 2));
  await expect(page.locator("#lab .lab-readout h3")).toRead(/256, 8 times/);
  await page.locator('#lab [name="row-labTask"][value="pair"]').check({ force: true });
  await expect(page.locator("#lab .guess .verdict")).toHaveText("");
  await page.click('#lab [data-guess="RoPE, PI"]');
  await redrawn(page);
  await expect(page.locator("#lab .guess .verdict")).toRead(/You guessed right.*RoPE, PI keeps order best/);
  for (const task of ["order", "back"])
    expect((await numbers(page, task))["RoPE, PI"]).toBe(expected(task, "RoPE", 3, 1));
  // Encodings can be left out and shown, which the link keeps.
  await lab("#lg=text:-&le=RoPE.Shaw", { kept: true });
  expect(Object.keys(await numbers(page))).toEqual(["RoPE", "RoPE, PI", "RoPE, NTK", "Shaw"]);
  await page.locator('#lab [name="lab-encoding"][value="RoPE"]').focus();
  await page.keyboard.press("Space");
  await redrawn(page);
  expect(Object.keys(await numbers(page))).toEqual(["Shaw"]);
  await expect.poll(() => link(page)).toMatchObject({ le: "Shaw" });
  await page.locator('#lab [name="lab-encoding"][value="Shaw"]').uncheck();
  await expect(page.locator('#lab [data-lab="play"]')).toBeDisabled();
});

test("by keys: a training in the tab has the stored bits, and every number of it", async ({ lab }) => {
  const page = await lab("#lt=order&le=none&lg=order:-", { steps: "full" });
  await page.locator('#lab [data-lab="play"]').focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector('#lab [data-source="tab"]');
  await over(page);
  await says(page, /Done: one training\. All bits are those stored/);
  const [[hash, losses, [tests]]] = stored.tasks.order.encodings.none.runs;
  const row = page.locator("#lab [data-run]");
  await expect(row.locator("[data-hash]")).toHaveText(hash);
  await expect(row).toRead(/✓ same bits as stored/);
  const [, line] = (await savedText(page, "lab", "csv")).split("\r\n").map((each) => each.split(","));
  expect(line.slice(0, 5)).toEqual(["none", "order", "1", "this tab", hash]);
  expect(line.slice(5, 9).map(Number)).toEqual(tests);
  const bits = new Uint32Array(Float32Array.from(line.slice(9), Number).buffer);
  expect(Array.from(bits, (each) => each >>> 16)).toEqual(halvesOf(losses));
  // Back to what is stored.
  await page.click('#lab [data-lab="source"]');
  await page.waitForSelector('#lab [data-source="stored"]');
});

test("a difference from the stored run is shown @all", async ({ lab }) => {
  const page = await lab("#lt=order&le=none", { steps: "full" });
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
  await expect(page.locator("#lab [data-run]")).toRead(new RegExp(`differs from the stored ${hash}; .* by up to 0`));
  await expect(status(page)).toRead(/^Done: one training\.$/);
});

test("in Chinese, on a phone: small settings, and the bits of a stored short run", async ({ lab }) => {
  const page = await lab("#lt=order&le=none&lg=order:-", { locale: "zh-CN", width: 360 });
  await expect(page.locator("#lab .lab-training")).toRead(/较小的规模：步数的 1\/4，一个种子/);
  await play(page);
  await over(page);
  await expect(page.locator("#lab [data-run]")).toRead(/与存好的短训练逐位相同/);
  await expect(page.locator("#lab [data-hash]")).toHaveText(stored.tasks.order.encodings.none.short);
  expect(await excess(page)).toBeLessThanOrEqual(0);
});

test("what a head looks at: layers, heads and lengths of a trained model, a row by keys @all", async ({ lab }) => {
  const page = await lab("#lt=order&le=RoPE&lg=order:-", { steps: "short" });
  await expect(page.locator("#lab .panel-body")).toRead(/Attention needs the trained weights/);
  await play(page);
  await over(page);
  await page.waitForSelector("#lab .lab-map canvas");
  const size = () => page.locator("#lab .lab-map canvas").evaluate(({ width, height }) => [width, height]);
  await expect.poll(size).toEqual([17, 17]);
  const said = () => words(page.locator("#lab [data-looks]"));
  await expect.poll(said).toMatch(/^“\?” at 17 looks most at \S+ \(\d+\): 0\.\d{3}/);
  const before = await said();
  await page.fill("#row-labHead", "2");
  await redrawn(page);
  await expect.poll(said).not.toBe(before);
  await page.fill("#lab-query", "5");
  await expect.poll(said).toMatch(/^“A” at 5/);
  await page.fill("#row-labDoublings", "1");
  await expect.poll(size).toEqual([33, 33]);
});

test("the code of a training runs @all", async ({ lab }) => {
  const page = await lab("#lt=order&le=RoPE");
  await page.click("#lab .lab-code summary");
  const code = await page.textContent("#lab-code");
  const folder = mkdtempSync(join(tmpdir(), "posenc-lab-"));
  try {
    const library = pathToFileURL(fileURLToPath(new URL("../../../dist/lab.js", import.meta.url))).href;
    const program = code.replace('"posenc/lab"', JSON.stringify(library)).replace("steps: 1500", "steps: 20");
    expect(program).not.toBe(code);
    writeFileSync(join(folder, "program.mjs"), program);
    // The test runner asks for colours.
    const env = { ...process.env, FORCE_COLOR: "0" };
    const out = execFileSync(process.execPath, [join(folder, "program.mjs")], { encoding: "utf8", env });
    expect(out).toMatch(/^20 \d/m);
    expect(out.match(/n: 128/g).length).toBe(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("who loves whom: nothing before the guess; depth and mask, or positions, make the difference @all", async ({
  lab,
}) => {
  const page = await lab("#lt=roles", { steps: "full" });
  await expect(page.locator("#lab .lab-plot")).toHaveCount(0);
  await expect(page.locator("#lab .lab-readout")).toHaveCount(0);
  await page.click('#lab [data-guess="1 layer"]');
  await redrawn(page);
  const verdict = await words(page.locator("#lab .guess .verdict"));
  expect(verdict).toMatch(/That one cannot\. More than 90% right: (none, 2 layers; RoPE|RoPE, .*; none, 2 layers)/);
  const seen = await numbers(page, "roles");
  for (const name of Object.keys(stored.tasks.roles.encodings))
    expect(seen[name], name).toBe(expected("roles", name, 0));
  await expect(page.locator("#lab .lab-plot")).toHaveCount(1);
  await page.locator('#lab [name="lab-encoding"]').evaluateAll((all) => {
    for (const each of all) if (each.checked && each.value !== "2 layers") each.click();
  });
  await play(page);
  await over(page);
  await says(page, /Done: one training\. All bits are those stored/);
});
