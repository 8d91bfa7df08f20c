import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { allDrawn, launch, openPage, servePage } from "./browser.mjs";

// The page without a network: a folder that was visited before, and one file from a folder of the reader's.

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

test("what is kept are the files of the page, all but those for engines without SIMD", () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.replace(/\/+/g, "/").replace(folder, ""))
    .filter((file) => !file.startsWith("api/") && !/scalar-[\w-]+\.js$/.test(file) && file !== "service-worker.js");
  assert.deepEqual(kept().sort(), files.sort());
  assert.match(readFileSync(`${folder}service-worker.js`, "utf8"), /const version = "[0-9a-f]{16}";/);
});

test("a page that was visited can be read again without a network, and so can the other one", async () => {
  const server = await servePage("/some/folder/");
  const { page, context } = await openPage(browser, server.address, { serviceWorkers: "allow" });
  try {
    await page.evaluate(async () => {
      const { active, installing, waiting } = await navigator.serviceWorker.ready;
      const worker = active ?? waiting ?? installing;
      if (worker.state !== "activated")
        await new Promise((done) =>
          worker.addEventListener("statechange", () => worker.state === "activated" && done()),
        );
    });
    await server.stop();
    await context.setOffline(true);
    await page.reload();
    await allDrawn(page);
    await page.goto(`${server.address}checked.html`);
    await page.waitForSelector("#A1 .verdict");
    await assert.rejects(page.goto(`${server.address}not-there.html`));
  } finally {
    await context.close();
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
    };
    return register(...given);
  };
}

for (const [path, there] of [
  ["index.html", "picture"],
  ["checked.html", "rows"],
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
    assert.equal(await page.locator('a[href^="./"]').count(), 0);
  } finally {
    await context.close();
  }
});
