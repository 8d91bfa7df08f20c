import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { axeFaults, excess, expect, inBothThemes, LOCALES, test, unfold, widen } from "../fixtures.mjs";
import { VIEWS } from "./views.mjs";

// The page as a whole: accessible, narrow enough, light enough, in any folder, with plain messages when it fails.

const built = fileURLToPath(new URL("../../../build/page/", import.meta.url));

const HOLDERS =
  "Emscripten Authors, Rich Felker, xsimd, Google LLC, Preact Team, Vite contributors, typedoc, lunr, Cynthia Brewer";

for (const locale of LOCALES)
  for (const [name, [hash, ready]] of Object.entries(VIEWS))
    test(`axe finds nothing, wide and narrow, and nothing is too wide: ${name}, ${locale} @all`, async ({ open }) => {
      const page = await open({ locale, hash, ready });
      await inBothThemes(page, async (theme) => expect(await axeFaults(page), theme).toEqual([]));
      if (name === "statements") {
        await page.click("[data-all]");
        await page.waitForSelector("[data-all][disabled]");
      }
      await widen(page, 360);
      await unfold(page);
      await inBothThemes(page, async (theme) => expect(await axeFaults(page), theme).toEqual([]));
      for (const width of [360, 768, 1920]) {
        await widen(page, width);
        expect(await excess(page), `${width} px`).toBeLessThanOrEqual(0);
      }
    });

for (const locale of LOCALES)
  test(`the footer leads to licences, which name all holders: ${locale} @all`, async ({ open }) => {
    const page = await open({ locale });
    await page.click('footer a[href="./licences.txt"]');
    await page.waitForURL("**/licences.txt");
    const text = await page.textContent("body");
    for (const holder of HOLDERS.split(", ")) expect(text, holder).toContain(holder);
  });

test("Tab reaches every control, of a toolbar the chosen one, and focus can be seen @all", async ({ page }) => {
  // Arrow keys lead to the others: sentence.test.mjs.
  const stops = await page
    .locator('[role="toolbar"]')
    .evaluateAll((all) => all.map((bar) => bar.querySelectorAll('button:not([tabindex="-1"])').length));
  expect(stops).toEqual([1]);
  const expected = await page.evaluate(() => {
    const all = document.querySelectorAll(
      'button:not(:disabled), a[href], input:not([type="radio"]), textarea, summary, [tabindex="0"]',
    );
    window.expected = [...all]
      .filter((element) => !element.matches('[role="toolbar"] [tabindex="-1"]'))
      .filter((element) => element.checkVisibility({ contentVisibilityAuto: true }));
    window.reached = new Set();
    window.unseen = [];
    addEventListener("focusin", ({ target }) => {
      if (!target.matches('input[type="radio"]')) window.reached.add(target);
      const style = getComputedStyle(target);
      if (style.outlineStyle === "none" && style.stroke === "none") window.unseen.push(target.outerHTML.slice(0, 80));
    });
    return window.expected.length;
  });
  // Tab reaches one of radio buttons with one name.
  const names = await page
    .locator('input[type="radio"]')
    .evaluateAll((all) => new Set(all.map(({ name }) => name)).size);
  for (let step = 0; step < expected + names; step++) await page.keyboard.press("Tab");
  const { left, reached, unseen } = await page.evaluate(() => ({
    left: window.expected
      .filter((element) => !window.reached.has(element))
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
    reached: window.reached.size,
    unseen: window.unseen,
  }));
  expect(left).toEqual([]);
  expect(reached).toBe(expected);
  expect(unseen).toEqual([]);
});

test("without WebAssembly there is a message in the reader's language", async ({ open }) => {
  const route = (target) => target.addInitScript("delete window.WebAssembly");
  for (const [locale, path, message] of [
    ["en-GB", "", /WebAssembly library did not start/],
    ["zh-CN", "", /没能启动/],
    ["en-GB", "checked.html", /did not start/],
  ]) {
    const page = await open({ mayFail: true, locale, path, ready: 'main [role="alert"]', route });
    await expect(page.locator('main [role="alert"]')).toRead(message);
  }
});

test("the policy allows no inline script and no other origin", () => {
  const html = readFileSync(`${built}index.html`, "utf8").replaceAll("&#39;", "'");
  expect(html).toMatch(
    /Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'/,
  );
  // Data for search engines does not run.
  const scripts = html.replace(/<script type="application\/ld\+json">/, "");
  expect(scripts).not.toMatch(/unsafe-inline|<script(?![^>]*\ssrc=)|(?:src|href)="(?:\/|https?:)/);
});

/** The files of each figure and what they import, in the order in which a chapter draws them, as the script of the rest has them. */
function filesOf(script) {
  const [, listed] = script.match(/m\.f=(\[[^\]]*\])/);
  const names = JSON.parse(listed).map((name) => name.replace("./", ""));
  const figures = script.matchAll(
    /"\.\/panels\/(\w+)\/index\.ts":\(\)=>\w+\(\(\)=>import\("\.\/([\w.-]+)"\)[^,]*,(?:__vite__mapDeps\(\[([\d,]*)\]\))?/g,
  );
  return Object.fromEntries(
    [...figures].map(([, id, file, others = ""]) => [
      id,
      [file, ...others.split(",").map((at) => names[at])].filter(Boolean),
    ]),
  );
}

test("a later chapter loads at most 40 KB compressed beside the library's other entry", async ({ open }) => {
  // The first chapter's files, not yet those of what a reader would scroll to, or print.
  const loaded = new Set();
  const route = async (target) => {
    target.on("request", (request) => loaded.add(request.url().split("/").at(-1)));
    await target.route(/assets\/later-[\w-]+\.js$/, () => {});
  };
  const page = await open({ ready: false, height: 400, route });
  for (const part of ["#contents .unfold", "#sentence button", "footer a", "#problem .guess"])
    await page.waitForSelector(part, { state: "attached" });
  const size = (name) => gzipSync(readFileSync(`${built}assets/${name}`)).length;
  const rest = readdirSync(`${built}assets`).find((name) => /^rest-[\w-]+\.js$/.test(name));
  const files = filesOf(readFileSync(`${built}assets/${rest}`, "utf8"));
  const chapters = await page
    .locator(".chapter")
    .evaluateAll((all) => all.map((one) => [...one.querySelectorAll(":scope > section")].map(({ id }) => id)));
  expect(chapters.length).toBeGreaterThanOrEqual(5);
  for (const story of chapters.slice(1)) {
    expect(story.every((id) => !loaded.has(files[id][0]))).toBeTruthy();
    const own = new Set(story.flatMap((id) => files[id]).filter((name) => !loaded.has(name)));
    const bytes = [...own].reduce((sum, name) => sum + size(name), 0);
    expect(bytes, `${story}: ${bytes} bytes`).toBeLessThanOrEqual(40_000);
    for (const name of own) loaded.add(name);
  }
});

test("the first load is at most 79.8 KB compressed, a panel that comes later 15 KB", () => {
  const files = readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ parentPath }) => !parentPath.startsWith(`${built}api`)); // pages of their own
  const size = (file) => gzipSync(readFileSync(`${file.parentPath}/${file.name}`)).length;
  // The card is fetched where scripts are off.
  const html = readFileSync(`${built}index.html`, "utf8").replace(/<noscript>.*<\/noscript>/s, "");
  const first = files.filter(({ name }) => name === "index.html" || html.includes(`/${name}"`));
  const bytes = first.reduce((sum, file) => sum + size(file), 0);
  expect(bytes).toBeLessThanOrEqual(79_800);
  expect(first.some(({ name }) => /^posenc-[\w-]+\.wasm$/.test(name))).toBeTruthy();
  // The page names what these scripts import statically, too.
  const scripts = first.filter(({ name }) => name.endsWith(".js"));
  for (const { parentPath, name } of scripts) {
    const imports = readFileSync(`${parentPath}/${name}`, "utf8").matchAll(
      /(?:^|;)import[\s{"'][^;]*?["']\.\/([\w.-]+)["'];/g,
    );
    for (const [, imported] of imports)
      expect(
        scripts.some((script) => script.name === imported),
        imported,
      ).toBeTruthy();
  }
  expect(scripts.length).toBeGreaterThan(0);
  // The library's other entries and what engines without SIMD alone fetch are no panels, nor what is known of models and
  // engines, which comes when a reader reaches the figure of configs: its sentences are no longer in the full entry, which
  // comes with it; notes in Chinese come for who reads it. Nor are the other pages. The worker has an entry inside.
  const others = {
    "(full-external|tools-scalar|lab-scalar|library|worker|lab-worker)-": Number.POSITIVE_INFINITY,
    "(checked|tools|results)-": 25_000,
    "engines-": 28_200,
    "": 15_000,
  };
  for (const file of files.filter((file) => file.name.endsWith(".js") && !first.includes(file))) {
    const [, limit] = Object.entries(others).find(([start]) => new RegExp(`^${start}`).test(file.name));
    expect(size(file), `${file.name}: ${size(file)} bytes`).toBeLessThanOrEqual(limit);
  }
});
