import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findHeadless } from "../../bindings/setup/debian-packages.mjs";
import { serveFiles } from "./static-server.mjs";

/** Shared by the page's tests and the script that takes its pictures: a server for the built page, and a browser. */

const built = fileURLToPath(new URL("../../build/page", import.meta.url));

/** Milliseconds to wait for anything: a test is to fail by what it sees, not by what else the machine has to do. */
const patience = 120_000;

/** Serves build/page under `base` on a free port; gives its address and the way to stop it. */
export async function servePage(base = "/") {
  if (!existsSync(join(built, "index.html"))) throw new Error("build/page is missing: run `npm run build` first");
  const { address, stop } = await serveFiles(built, { base });
  return { address: new URL(base, address).href, stop };
}

/** A port that nobody listens on. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Starts the browser for tests; what measures or takes pictures names Chromium itself. */
export function launch(executablePath = findHeadless()) {
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}

/**
 * Opens the page and waits until every panel is drawn, or the one that `ready` names. `trouble` collects whatever a page
 * must not do: errors in the console, uncaught errors, requests that fail or leave the origin.
 */
export async function openPage(browser, address, options = {}) {
  const {
    hash = "",
    locale = "en-GB",
    width = 1280,
    height = 900,
    dark = false,
    ready = true,
    route,
    ...rest
  } = options;
  const context = await browser.newContext({
    locale,
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    // It fetches the whole page once more, behind every test's back.
    serviceWorkers: "block",
    ...rest,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const trouble = [];
  const { origin } = new URL(address);
  page.on("console", (message) => {
    if (/Service Worker registration blocked/.test(message.text())) return;
    if (message.type() === "error" || message.type() === "warning") trouble.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    // A reload breaks off what is still under way; that is no failure.
    const { errorText } = request.failure();
    if (errorText !== "net::ERR_ABORTED") trouble.push(`failed: ${request.url()} ${errorText}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== origin) trouble.push(`left the origin: ${url}`);
  });
  if (route) await route(page);
  await page.goto(address + hash);
  if (ready) await allDrawn(page, ready === true ? undefined : ready);
  return { page, context, trouble };
}

/** Whether everything is there that the page fetches because it is near the screen: nothing moves any more. */
function nearIsDrawn() {
  const near = 900;
  // What is folded away has no place.
  return [...document.querySelectorAll("section.waiting")]
    .filter((section) => !section.closest("details:not([open])"))
    .map((section) => section.getBoundingClientRect())
    .every(({ top, bottom }) => bottom < -near || top > innerHeight + near);
}

/** Waits for what is fetched because it is near the screen. */
export const nearDrawn = (page) => page.waitForFunction(nearIsDrawn);

/** Has every panel fetched, as for printing, and waits until all are drawn; or the one panel named and those near it. */
export async function allDrawn(page, panel) {
  const goThere = () =>
    page.evaluate((id) => document.getElementById(id).scrollIntoView({ behavior: "instant" }), panel);
  await page.waitForSelector("#problem .problem-picture");
  if (panel) {
    // It may be an instrument that is folded away.
    await page.evaluate((id) => document.getElementById(id).closest("details")?.setAttribute("open", ""), panel);
    await goThere();
  } else await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.waitForSelector(panel ? `#${panel} figure > .tools` : "main:not(:has(.waiting))");
  await nearDrawn(page);
  // Those above it have grown meanwhile.
  if (panel) await goThere();
  await settled(page);
}

/**
 * Waits until what has been asked for is drawn: two frames. Figures are drawn once the browser has said that they are in
 * sight, which on a busy machine comes later than the next frame: to all who observe at once, and so to this, too.
 */
export function settled(page) {
  return page.evaluate(
    () =>
      new Promise((done) => {
        const sight = new IntersectionObserver(() => {
          sight.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => done()));
        });
        sight.observe(document.body);
      }),
  );
}

/**
 * Waits until what was done is in the link, and the place where the reader is has been noted: longer than the page's own
 * timers take, by the page's own clock, as a busy machine lets timers come late, but in their order.
 */
export async function rested(page) {
  await settled(page);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 400)));
}

/** Waits until what `read` gives has stayed the same for a while, and gives it. */
export async function still(page, read) {
  for (let last = await read(), until = Date.now() + patience; Date.now() < until; ) {
    await page.waitForTimeout(700);
    const now = await read();
    if (now === last) return now;
    last = now;
  }
  throw new Error("it goes on and on");
}

/** Makes the window this wide, and waits until what is in it is drawn. */
export async function widen(page, width) {
  await page.setViewportSize({ ...page.viewportSize(), width });
  await settled(page);
}

/** Runs `check` on the page in the light theme and in the dark one, whose name it is given. */
export async function inBothThemes(page, check) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await check(colorScheme);
  }
}

/** What an element says, on one line. */
export async function words(locator) {
  return (await locator.textContent()).replace(/\s+/g, " ").trim();
}

/** Chromium drops a page's eleventh download if it comes within a second of the first. */
const burst = { downloads: 10, milliseconds: 1000 };
const bursts = new WeakMap();

async function afterBurst(page) {
  const { first, count } = bursts.get(page) ?? { count: 0 };
  if (count < burst.downloads) return;
  await page.waitForTimeout(Math.max(0, first + burst.milliseconds + 1 - performance.now()));
  bursts.delete(page);
}

/** The file that a panel's button hands out, as bytes. */
export async function saved(page, panel, tool) {
  await afterBurst(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#${panel} [data-tool="${tool}"]`)]);
  const { first = performance.now(), count } = bursts.get(page) ?? { count: 0 };
  bursts.set(page, { first, count: count + 1 });
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The same as text. */
export const savedText = async (page, panel, tool) => (await saved(page, panel, tool)).toString("utf8");

/** Opens everything that can be unfolded. */
export async function unfold(page) {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const closed of document.querySelectorAll('#sentence [aria-expanded="false"]')) closed.click();
  });
  await settled(page);
}

/** Unfolds a panel's further settings, as a reader does. */
export async function openSettings(page, panel) {
  const settings = page.locator(`#${panel} .more-settings`);
  if (!(await settings.evaluate(({ open }) => open))) await settings.locator("summary").click();
}

/** Shows a panel's numbers as a table; the program for that is fetched with the first one. */
export async function showTable(page, panel) {
  await page.click(`#${panel} [data-tool="table"]`);
  await page.waitForSelector(`#${panel} .data-table`);
}

/**
 * For a test file: one browser and one server from its first test to its last. Gives `onPage(options, check)`, which
 * opens the page, runs `check` on it and then holds its list of troubles to be empty, and `open(options)` for tests
 * that expect trouble.
 */
export function pageTests(base) {
  let browser;
  let server;
  before(async () => {
    [browser, server] = await Promise.all([launch(), servePage(base)]);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  const open = (options) => openPage(browser, server.address, options);
  async function onPage(options, check) {
    const { page, context, trouble } = await open(options);
    try {
      await check(page);
      assert.deepEqual(trouble, []);
    } finally {
      await context.close();
    }
  }
  return { open, onPage };
}
