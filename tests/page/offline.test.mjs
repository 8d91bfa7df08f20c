import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { allDrawn, launch, openPage, servePage } from "./browser.mjs";
import { serveFiles } from "./static-server.mjs";

// The page without a network: a folder that was visited before, and one file from a folder of the reader's.

/** Waits until this holds: waitForFunction takes a promise for an answer, whatever becomes of it. */
async function until(page, holds, what) {
  for (const end = performance.now() + 120_000; !(await holds()); await page.waitForTimeout(100))
    assert.ok(performance.now() < end, `never: ${what}`);
}

const folder = fileURLToPath(new URL("../../build/page/", import.meta.url));
const single = fileURLToPath(new URL("../../build/single/posenc.html", import.meta.url));

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** The files that the service worker fetches beforehand. */
function kept() {
  const [, list] = readFileSync(`${folder}service-worker.js`, "utf8").match(/const files = (\[.*?\]);/s);
  return JSON.parse(list).map((file) => file.replace("./", ""));
}

test("what is kept are the files of the page, all but those for engines without SIMD, for other sites and for readers without scripts", () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.replace(/\/+/g, "/").replace(folder, ""))
    .filter(
      (file) =>
        !/^(?:api|pictures|figures)\/|^(?:story|share)\./.test(file) &&
        !/scalar-[\w-]+\.(?:js|wasm)$/.test(file) &&
        file !== "service-worker.js",
    );
  assert.deepEqual(kept().sort(), files.sort());
  assert.match(readFileSync(`${folder}service-worker.js`, "utf8"), /const version = "[0-9a-f]{16}";/);
});

/** Waits until the page's service worker has taken up its work. */
const activated = (page) =>
  page.evaluate(async () => {
    const { active, installing, waiting } = await navigator.serviceWorker.ready;
    const worker = active ?? waiting ?? installing;
    if (worker.state !== "activated")
      await new Promise((done) => worker.addEventListener("statechange", () => worker.state === "activated" && done()));
  });

test("a page that was visited can be read again without a network, and so can the others", async () => {
  const server = await servePage("/some/folder/");
  const { page, context } = await openPage(browser, server.address, { serviceWorkers: "allow" });
  try {
    await activated(page);
    await server.stop();
    await context.setOffline(true);
    await page.reload();
    await allDrawn(page);
    await page.goto(`${server.address}checked.html`);
    await page.waitForSelector("#A1 .verdict");
    await page.goto(`${server.address}tools.html`);
    await page.waitForSelector("#result .verdict");
    await page.goto(`${server.address}index.html?embed=rope`);
    await page.waitForSelector("#rope .rope-plane");
    await assert.rejects(page.goto(`${server.address}not-there.html`));
  } finally {
    await context.close();
  }
});

const reference = () => JSON.parse(readFileSync(`${folder}api/files.json`, "utf8"));

/** Waits until these versions of the reference are kept, each with so many files. */
async function waitForReference(page, expected) {
  const kept = () =>
    page.evaluate(async () => {
      const keys = (await caches.keys()).filter((key) => key.startsWith("posenc-reference "));
      const count = async (key) => (await (await caches.open(key)).keys()).length;
      return Promise.all(keys.map(async (key) => [key.split(" ").at(-1), await count(key)]));
    });
  await until(page, async () => isDeepStrictEqual(await kept(), expected), `${JSON.stringify(expected)} files`);
}

test("the reference is kept, too, while the page is used: every file of it", async () => {
  const { version, files } = reference();
  const there = readdirSync(`${folder}api`, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.equal(files.length, there.length - 1);
  assert.ok(files.length > 300, `${files.length} files`);
  const server = await servePage("/some/folder/");
  const { page, context } = await openPage(browser, server.address, { ready: "heatmap", serviceWorkers: "allow" });
  try {
    await page.locator("#heatmap .heat-canvas").focus();
    await page.keyboard.press("ArrowRight");
    await waitForReference(page, [[version, files.length]]);
    await server.stop();
    await context.setOffline(true);
    await page.goto(`${server.address}api/index.html`);
    await page.click('a[href="modules/full.html"]');
    await page.waitForURL("**/api/modules/full.html");
    await page.waitForFunction(() => document.body.style.display === "");
    await page.click("#tsd-search-trigger");
    await page.fill("#tsd-search-input", "rotary");
    await page.waitForSelector("#tsd-search-results li");
    await page.keyboard.press("Escape");
    await page.click('a[href="../../index.html"]');
    await page.waitForSelector("#problem .problem-picture");
    await assert.rejects(page.goto(`${server.address}api/not-there.html`));
  } finally {
    await context.close();
    await server.stop();
  }
});

test("what was not kept of the reference is fetched at the next visit, and the next version takes its place when it is complete", async () => {
  const { version, files } = reference();
  let refused = files.at(-1);
  const instead = new Map();
  const server = await serveFiles(folder, { instead, serves: (path) => path !== `api/${refused}` });
  const visit = { serviceWorkers: "allow", hash: "tools.html", ready: false };
  const { page, context } = await openPage(browser, server.address, visit);
  try {
    // Eight are fetched at a time; those with a file that is not there are kept later.
    const complete = Math.floor((files.length - 1) / 8) * 8;
    await waitForReference(page, [[version, complete]]);
    refused = undefined;
    await page.reload();
    await waitForReference(page, [[version, files.length]]);
    // The next version, of which one file cannot be had yet.
    instead.set("api/files.json", JSON.stringify({ version: "next", files }));
    refused = files[0];
    await page.reload();
    await waitForReference(page, [
      [version, files.length],
      ["next", files.length - 8],
    ]);
    refused = undefined;
    await page.reload();
    await waitForReference(page, [["next", files.length]]);
  } finally {
    await context.close();
    await server.stop();
  }
});

const worker = readFileSync(`${folder}service-worker.js`, "utf8");

for (const [what, broken] of [
  ["written", 'Cache.prototype.put = () => Promise.reject(new DOMException("full", "QuotaExceededError"));'],
  [
    "opened",
    `let isKept = false; addEventListener("activate", () => { isKept = true; });
     const { open } = CacheStorage.prototype;
     CacheStorage.prototype.open = function (...given) {
       return isKept ? Promise.reject(new DOMException("broken", "UnknownError")) : open.apply(this, given);
     };`,
  ],
])
  test(`a store that cannot be ${what} does not stand in the way of the network`, async () => {
    const server = await serveFiles(folder, { instead: new Map([["service-worker.js", `${broken}\n${worker}`]]) });
    const { page, context, trouble } = await openPage(browser, server.address, { serviceWorkers: "allow" });
    try {
      await activated(page);
      await page.reload();
      await allDrawn(page);
      const isServed = () => page.evaluate(() => navigator.serviceWorker.controller !== null);
      assert.ok(await isServed());
      const extra = readdirSync(`${folder}assets`).find((name) => /^posenc-scalar-/.test(name));
      assert.equal(await page.evaluate(async (name) => (await fetch(`./assets/${name}`)).status, extra), 200);
      assert.deepEqual(trouble, []);
    } finally {
      await context.close();
      await server.stop();
    }
  });

test("pages of one origin leave each other's files alone, and clear away their own old ones", async () => {
  const folders = mkdtempSync(join(tmpdir(), "posenc-pages-"));
  for (const name of ["one", "two"]) symlinkSync(folder, join(folders, name));
  const versioned = (letter) => worker.replace(/(const version = ")\w+/, `$1${letter}`);
  const instead = new Map(["one", "two"].map((name) => [`${name}/service-worker.js`, versioned(name)]));
  const server = await serveFiles(folders, { instead });
  const { page, context } = await openPage(browser, server.address, {
    hash: "one/index.html",
    serviceWorkers: "allow",
  });
  // What is kept of the reference is another test's.
  const keys = async () => (await page.evaluate(() => caches.keys())).filter((key) => key.startsWith("posenc "));
  try {
    await activated(page);
    await page.goto(`${server.address}two/index.html`);
    await activated(page);
    assert.deepEqual((await keys()).map((key) => key.split(/[ -]/).at(-1)).sort(), ["one", "two"]);
    // The next version of the second takes the place of this one.
    instead.set("two/service-worker.js", versioned("three"));
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).unregister();
      await navigator.serviceWorker.register("./service-worker.js");
    });
    await page.reload();
    await activated(page);
    await until(page, async () => !(await keys()).some((key) => key.endsWith(" two")), "the old one is gone");
    assert.deepEqual((await keys()).map((key) => key.split(/[ -]/).at(-1)).sort(), ["one", "three"]);
    await server.stop();
    await context.setOffline(true);
    await page.goto(`${server.address}one/index.html`);
    await allDrawn(page);
  } finally {
    await context.close();
    await server.stop();
    rmSync(folders, { recursive: true });
  }
});

/** Notes how much of the page is there when its service worker is asked for, which fetches all files. */
function noteRegistration() {
  const register = navigator.serviceWorker.register.bind(navigator.serviceWorker);
  navigator.serviceWorker.register = (...given) => {
    const has = (selector) => document.querySelector(selector) !== null;
    window.registered = {
      picture: performance.getEntriesByName("first-picture").length > 0,
      rows: has("article") && !has("article:empty"),
      verdict: has("#result .verdict"),
    };
    return register(...given);
  };
}

for (const [path, there] of [
  ["index.html", "picture"],
  ["checked.html", "rows"],
  ["tools.html", "verdict"],
])
  test(`what is kept for later is fetched after what is seen first: ${path}`, async () => {
    const server = await servePage("/some/folder/");
    const { page, context } = await openPage(browser, server.address, {
      hash: path,
      ready: false,
      serviceWorkers: "allow",
      route: (next) => next.addInitScript(noteRegistration),
    });
    try {
      const registered = await (await page.waitForFunction(() => window.registered)).jsonValue();
      assert.equal(registered[there], true);
    } finally {
      await context.close();
      await server.stop();
    }
  });

test("one file holds everything, from a file: address", async () => {
  const { page, context, trouble } = await openPage(browser, pathToFileURL(single).href);
  try {
    await page.evaluate(() => document.getElementById("rope").scrollIntoView());
    await allDrawn(page);
    assert.deepEqual(trouble, []);
    const fetched = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    assert.deepEqual(
      fetched.filter((name) => !name.startsWith("data:")),
      [],
    );
    assert.equal(await page.locator('a[href^="./"], [data-tool="embed"]').count(), 0);
    const folded = page.locator("footer details").last();
    await folded.locator("summary").click();
    const licences = await folded.locator("pre").textContent();
    for (const holder of ["Emscripten Authors", "Rich Felker", "xsimd", "Google LLC", "Preact Team", "Cynthia Brewer"])
      assert.ok(licences.includes(holder), holder);
  } finally {
    await context.close();
  }
});
