import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { test as base, excess, expect, link, redrawn, savedText, scrollTo, steady, words } from "../fixtures.mjs";

// The figure of trainings: stored results, the guess before them, and trainings in the tab that give the same bits: when
// they rest, how they end, and texts of the reader's own.

const file = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const stored = JSON.parse(file("web/src/training/results.json"));

const test = base.extend({
  /** Opens the page at the lab with a link; `steps` is "full" or "short". */
  lab: async ({ open }, use) => {
    await use(async (hash, { steps, ...options } = {}) => {
      const page = await open({ hash, ready: "lab", ...options });
      if (steps) await page.locator(`#lab [name="row-labSteps"][value="${steps}"]`).check({ force: true });
      return page;
    });
  },
});

/** Trainings take this many milliseconds at most on a busy machine. */
const timeout = 600_000;

const status = (page) => page.locator("#lab [data-lab-status]");
const says = (page, what) => expect(status(page)).toHaveText(what, { timeout });

/** Waits until so many trainings have ended. */
const over = (page, count = 1) =>
  expect(page.locator('#lab [data-run]:is([data-status="done"], [data-status="failed"])')).toHaveCount(count, {
    timeout,
  });

const play = (page) => page.click('#lab [data-lab="play"]');

/** Starts another training, and waits until it has replaced the rows of those before. */
async function playAgain(page) {
  await play(page);
  await page.waitForSelector('#lab [data-status="running"]');
}

/** The number shown for each test, by name. */
const numbers = (page, task = "text") =>
  page
    .locator(`#lab .lab-readout[data-task="${task}"] li`)
    .evaluateAll((all) =>
      Object.fromEntries(all.map((each) => [each.dataset.test, each.querySelector("output").textContent])),
    );

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
  expect(verdict).toMatch(new RegExp(`T5 \\(${expected("text", "T5", 3)}\\), is number \\d of 9`));
  expect(verdict).toMatch(new RegExp(`\\(${expected("text", "FoX", 3)}\\) is best`));
  await expect(page.locator("#lab .lab-end")).toHaveCount(9);
  await expect.poll(() => link(page)).toMatchObject({ lg: "text:T5" });
});

test("the slider walks past the training length; another task is a new guess", async ({ lab }) => {
  const page = await lab("#lg=text:-&lx=2", { kept: true });
  expect((await numbers(page)).ALiBi).toBe(expected("text", "ALiBi", 2));
  await page.locator('#lab .lab-length input[type="range"]').press("ArrowRight");
  await redrawn(page);
  expect((await numbers(page))["RoPE, NTK"]).toBe(expected("text", "RoPE", 3, 2));
  await expect(page.locator("#lab .lab-readout h3")).toRead(/256, 8 times/);
  await page.locator('#lab [name="row-labTask"][value="pair"]').check({ force: true });
  await expect(page.locator("#lab .guess .verdict")).toHaveText("");
  await page.click('#lab [data-guess="RoPE, PI"]');
  await redrawn(page);
  await expect(page.locator("#lab .guess .verdict")).toRead(/You guessed right.*RoPE, PI: order 93%/);
  for (const task of ["order", "back"])
    expect((await numbers(page, task))["RoPE, PI"]).toBe(expected(task, "RoPE", 3, 1));
  // Encodings can be left out and shown, which the link keeps.
  await lab("#lg=text:-&le=RoPE.Shaw", { kept: true });
  expect(Object.keys(await numbers(page))).toEqual(["RoPE", "RoPE, PI", "RoPE, NTK", "RoPE, YaRN", "Shaw"]);
  await page.locator('#lab [name="lab-encoding"][value="RoPE"]').press("Space");
  await redrawn(page);
  expect(Object.keys(await numbers(page))).toEqual(["Shaw"]);
  await expect.poll(() => link(page)).toMatchObject({ le: "Shaw" });
  await page.locator('#lab [name="lab-encoding"][value="Shaw"]').uncheck();
  await expect(page.locator('#lab [data-lab="play"]')).toBeDisabled();
});

test("by keys: a training in the tab has the stored bits, and every number of it", async ({ lab }) => {
  const page = await lab("#lt=order&le=none&lg=order:-", { steps: "full" });
  await page.locator('#lab [data-lab="play"]').press("Enter");
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

test("who loves whom: nothing before the guess, then what each encoding reached", async ({ lab }) => {
  const page = await lab("#lt=roles", { steps: "full" });
  await expect(page.locator("#lab :is(.lab-plot, .lab-readout)")).toHaveCount(0);
  await page.click('#lab [data-guess="1 layer"]');
  await redrawn(page);
  const verdict = await words(page.locator("#lab .guess .verdict"));
  expect(verdict).toMatch(/That one cannot\. More than 90% right: (none, 2 layers; RoPE|RoPE, .*; none, 2 layers)/);
  const seen = await numbers(page, "roles");
  for (const name of Object.keys(stored.tasks.roles.encodings))
    expect(seen[name], name).toBe(expected("roles", name, 0));
  await expect(page.locator("#lab .lab-plot")).toHaveCount(1);
});

test("every line of every task has a colour, in the plots and beside names", async ({ lab }) => {
  for (const [task, { encodings }] of Object.entries(stored.tasks)) {
    const page = await lab(`#lt=${task}&lg=${task}:-&le=${Object.keys(encodings).join(".")}`, { kept: true });
    const lines = page.locator("#lab :is(.lab-lines, .lab-swatch) path");
    await expect(page.locator("#lab .lab-lines .mean").first()).toBeAttached();
    const colours = await lines.evaluateAll((all) => all.map((line) => getComputedStyle(line).stroke));
    expect([colours.length > Object.keys(encodings).length, colours.includes("none")], task).toEqual([true, false]);
  }
});

const steps = async (page) =>
  Number((await words(page.locator("#lab [data-run] td").last())).match(/step (\d+)/)?.[1] ?? 0);
const begun = (page) => expect(page.locator("#lab [data-run]").first()).toRead(/step \d/);

test("a wide screen with many processors gets all steps and four trainings at once @all", async ({ lab }) => {
  const many = () => Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 16 });
  const page = await lab("#lt=order", { route: (page) => page.addInitScript(many) });
  await expect(page.locator('#lab [name="row-labSteps"][value="full"]')).toBeChecked();
  await expect(page.locator("#lab .lab-training")).not.toRead(/Small settings/);
  await play(page);
  await expect(page.locator('#lab [data-run][data-status="running"]')).toHaveCount(4);
  await expect(page.locator('#lab [data-run][data-status="waiting"]')).toHaveCount(2);
  await page.click('#lab [data-lab="stop"]');
});

/** Checks that no step is made until `goOn` is called, and that the reason is shown. */
async function rests(page, reason, goOn) {
  await says(page, reason);
  // Results that were sent before the pause may still arrive.
  const before = await steady(page, () => steps(page));
  await goOn();
  await expect.poll(async () => (await steps(page)) || Number.POSITIVE_INFINITY).toBeGreaterThan(before);
}

/** Counts what workers say. */
function countMessages() {
  const Real = Worker;
  window.heard = 0;
  window.Worker = class extends Real {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", () => {
        window.heard++;
      });
    }
  };
}

test("trainings pause out of sight, in a hidden tab, or when the reader wants @all", async ({ lab }) => {
  const page = await lab("#lt=text&le=none", { steps: "full", route: (page) => page.addInitScript(countMessages) });
  await play(page);
  await begun(page);
  await page.click('#lab [data-lab="pause"]');
  await rests(page, /Paused by you/, () => page.click('#lab [data-lab="resume"]'));
  const show = (state) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await show("hidden");
  await rests(page, /tab is hidden/, () => show("visible"));
  // The lab is the first figure of its page: it is out of sight at the end.
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
  const heard = await steady(page, () => page.evaluate(() => window.heard));
  expect(heard).toBeGreaterThan(2);
  await scrollTo(page, "lab");
  await expect.poll(() => page.evaluate(() => window.heard)).toBeGreaterThan(heard);
  const [worker] = page.workers();
  await Promise.all([worker.waitForEvent("close"), page.click('#lab [data-lab="stop"]')]);
  await page.waitForSelector('#lab [data-lab="play"]');
  await expect(page.locator("#lab [data-run]")).toHaveCount(0);
});

/** Workers get their lock late, as on a slow machine. */
const lateLocks = (page) =>
  page.route(/\/worker-[^/]*\.js$/, async (route) => {
    const late = `{
      const { request } = LockManager.prototype;
      LockManager.prototype.request = async function (...given) {
        await new Promise((go) => setTimeout(go, 1000));
        return request.apply(this, given);
      };
    }`;
    const response = await route.fetch();
    await route.fulfill({ response, body: `${late}\n${await response.text()}` });
  });

test("a worker that is killed fails, the others go on, and all can be trained again @all", async ({ lab }) => {
  const page = await lab("#lt=order&le=none.RoPE", { steps: "full", route: lateLocks });
  await play(page);
  await expect(page.locator("#lab [data-run]").filter({ hasText: /step \d/ })).toHaveCount(2);
  const [worker] = page.workers();
  worker.evaluate(() => self.close()).catch(() => {});
  await over(page, 2);
  const all = await page.locator("#lab [data-run]").evaluateAll((rows) => rows.map(({ dataset }) => dataset.status));
  expect(all.sort()).toEqual(["done", "failed"]);
  await expect(page.locator('#lab [data-status="failed"]')).toRead(/The worker that trains has ended/);
  await says(page, /1 trainings? done, 1 failed/);
  await playAgain(page);
  await page.click('#lab [data-lab="stop"]');
});

test("without the library's file a training fails, and the next fetches it again @all", async ({ lab }) => {
  let broken = true;
  const route = (target) => target.route(/assets\/library-/, (answer) => (broken ? answer.abort() : answer.continue()));
  const page = await lab("#lt=order&le=none", { mayFail: true, steps: "short", route });
  await play(page);
  await over(page);
  await expect(page.locator("#lab [data-run]")).toRead(/Failed: /);
  broken = false;
  await playAgain(page);
  await over(page);
  await says(page, /^Done: one training\./);
});

const give = (page, name, text) =>
  page.setInputFiles('#lab [data-lab="file"]', { name, mimeType: "text/plain", buffer: Buffer.from(text) });

test("a text of one letter is refused; ten megabytes are not @all", async ({ lab }) => {
  const page = await lab("#le=none", { steps: "short" });
  await page.click("#lab .lab-text summary");
  await page.fill('#lab [data-lab="text"]', "a");
  await page.locator('#lab [data-lab="text"]').blur();
  await expect(page.locator("#lab [data-own-text]").first()).toRead(/1 characters/);
  await play(page);
  await over(page);
  await expect(page.locator("#lab [data-run]")).toRead(
    /Failed: Invalid input: task\.text is 1 characters; expected 330 to/,
  );
  await says(page, /0 trainings done, 1 failed/);

  const sentence = "All work and no play makes a dull text, over and over again. ";
  await give(page, "ten.txt", sentence.repeat(Math.ceil(1e7 / sentence.length)));
  await expect(page.locator("#lab [data-own-text]").first()).toRead(/ten\.txt, 10\d{6} /);
  await playAgain(page);
  await over(page);
  await expect(page.locator("#lab [data-run]")).toHaveAttribute("data-status", "done");
  await page.click('#lab [data-lab="ours"]');
  await expect(page.locator("#lab [data-own-text]").first()).toRead(/Opticks/);
});
