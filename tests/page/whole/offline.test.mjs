import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allDrawn, built, expect, test } from "../fixtures.mjs";

// The page without a network: a folder that was visited before.

const folder = `${built}/`;

const worker = readFileSync(`${folder}service-worker.js`, "utf8");

test("what is kept are the files of the page, all but those for engines without SIMD", () => {
  const kept = JSON.parse(worker.match(/const files = (\[.*?\]);/s)[1]).map((file) => file.replace("./", ""));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.replace(/\/+/g, "/").replace(folder, ""))
    .filter((file) => !/^api\/|scalar-[\w-]+\.(?:js|wasm)$|^service-worker\.js$/.test(file));
  expect(kept.sort()).toEqual(files.sort());
  expect(worker).toMatch(/const version = "[0-9a-f]{16}";/);
});

/** Waits until the page's service worker has taken up its work, which it is asked for when the reader stirs. */
async function activated(page) {
  await registered(page, async () => Boolean(await navigator.serviceWorker.getRegistration()));
  await page.evaluate(async () => {
    const { active, installing, waiting } = await navigator.serviceWorker.ready;
    const worker = active ?? waiting ?? installing;
    if (worker.state !== "activated")
      await new Promise((done) => worker.addEventListener("statechange", () => worker.state === "activated" && done()));
  });
}

/** Presses a key that does nothing, until there is what `find` looks for; returns it. */
async function registered(page, find) {
  const found = () => page.keyboard.press("Shift").then(() => page.evaluate(find));
  await expect.poll(found).toBeTruthy();
  return found();
}

test("a page that was visited can be read without a network, and so can the others @all", async ({ open, serve }) => {
  const server = await serve();
  const page = await open({ at: server.address, mayFail: true, serviceWorkers: "allow" });
  await activated(page);
  server.stop();
  await page.context().setOffline(true);
  await page.reload();
  await allDrawn(page);
  await page.goto(`${server.address}checked.html`);
  await page.waitForSelector("#A1 .verdict");
  await page.goto(`${server.address}tools.html`);
  await page.waitForSelector("#result .verdict");
  await page.goto(`${server.address}index.html?embed=rope`);
  await page.waitForSelector("#rope .rope-plane");
  await expect(page.goto(`${server.address}not-there.html`)).rejects.toThrow();
});

test("a new version is read from the server, not from what the browser may keep @all", async ({ open, serve }) => {
  const instead = new Map();
  const server = await serve({ instead, headers: { "Cache-Control": "max-age=600" } });
  const page = await open({ at: server.address, mayFail: true, serviceWorkers: "allow" });
  await activated(page);
  const replace = (file, from, to) => {
    const text = readFileSync(`${folder}${file}`, "utf8");
    expect(text).toMatch(from);
    instead.set(file, text.replace(from, to));
  };
  replace("index.html", /<title>/, "<title>Second: ");
  replace("tools.html", /<title>/, "<title>Second: ");
  replace("service-worker.js", /const version = "[0-9a-f]+"/, 'const version = "second"');
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const { installing } = registration;
    if (installing) await new Promise((done) => installing.addEventListener("statechange", done, { once: true }));
  });
  // The next version is active once no page of the last one is open.
  await page.goto("about:blank");
  await page.goto(server.address);
  await activated(page);
  server.stop();
  await page.context().setOffline(true);
  for (const file of ["index.html", "tools.html"]) {
    const response = await page.goto(`${server.address}${file}`);
    expect(await response.text()).toContain("<title>Second: ");
  }
});

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
  test(`a store that cannot be ${what} does not block the network @all`, async ({ open, serve }) => {
    const server = await serve({ instead: new Map([["service-worker.js", `${broken}\n${worker}`]]) });
    const page = await open({ at: server.address, serviceWorkers: "allow" });
    await activated(page);
    await page.reload();
    await allDrawn(page);
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    const extra = readdirSync(`${folder}assets`).find((name) => /^posenc-scalar-/.test(name));
    expect(await page.evaluate(async (name) => (await fetch(`./assets/${name}`)).status, extra)).toBe(200);
  });

test("pages of one origin delete their own old files alone @all", async ({ open, serve }) => {
  const folders = mkdtempSync(join(tmpdir(), "posenc-pages-"));
  for (const name of ["one", "two"]) symlinkSync(folder, join(folders, name));
  const versioned = (letter) => worker.replace(/(const version = ")\w+/, `$1${letter}`);
  const instead = new Map(["one", "two"].map((name) => [`${name}/service-worker.js`, versioned(name)]));
  const server = await serve({ instead }, folders);
  const page = await open({ at: server.address, mayFail: true, hash: "one/index.html", serviceWorkers: "allow" });
  const names = async () => {
    const keys = (await page.evaluate(() => caches.keys())).filter((key) => key.startsWith("posenc "));
    return keys.map((key) => key.split(/[ -]/).at(-1)).sort();
  };
  await activated(page);
  await page.goto(`${server.address}two/index.html`);
  await activated(page);
  await expect.poll(names).toEqual(["one", "two"]);
  // The next version of the second takes the place of this one.
  instead.set("two/service-worker.js", versioned("three"));
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).unregister();
    await navigator.serviceWorker.register("./service-worker.js");
  });
  await page.reload();
  await activated(page);
  await expect.poll(names).toEqual(["one", "three"]);
  server.stop();
  await page.context().setOffline(true);
  await page.goto(`${server.address}one/index.html`);
  await allDrawn(page);
  rmSync(folders, { recursive: true });
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

test("what is kept for later is fetched after what is seen first", async ({ open, serve }) => {
  const { address: at } = await serve();
  const route = (next) => next.addInitScript(noteRegistration);
  for (const [path, there] of Object.entries({ "": "picture", "checked.html": "rows", "tools.html": "verdict" })) {
    const page = await open({ at, path, mayFail: true, ready: false, serviceWorkers: "allow", route });
    expect((await registered(page, () => window.registered))[there], path).toBe(true);
  }
});
