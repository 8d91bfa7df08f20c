import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findHeadless } from "../../bindings/setup/debian-packages.mjs";
import { build } from "../../bindings/setup/paths.mjs";
import { serveFiles } from "./static-server.mjs";

/** Tests of the page and the scripts that measure it share this: a server for build/page, and pages opened in a browser. */

/** Milliseconds to wait for anything: on a busy machine a test waits longer, and does not fail. */
const patience = 120_000;

/** The folder of the built page. */
export const built = join(build, "page");

/** Serves it under `base` on a free port, with `headers` on every answer. */
export async function servePage(base = "/", headers = {}) {
  if (!existsSync(join(built, "index.html"))) throw new Error("build/page is missing: run `npm run build` first");
  const { address, stop } = await serveFiles(built, { base, headers });
  return { address: new URL(base, address).href, stop };
}

/** How the browser of tests is started. */
export const launchOptions = {
  executablePath: findHeadless(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
};

/** Starts a browser; scripts that measure or take pictures name Chromium itself. */
export const launch = (executablePath = launchOptions.executablePath) =>
  chromium.launch({ ...launchOptions, executablePath });

/**
 * Makes a page in a context of its own. `trouble` collects what pages must not do: errors in the console, uncaught errors,
 * requests that fail or go to an origin that is neither that of `address` nor one of `others`.
 */
export async function newPage(browser, address, { width = 1280, height = 900, dark, others = [], ...options } = {}) {
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    // A service worker fetches the whole page once more.
    serviceWorkers: "block",
    ...options,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const trouble = [];
  const origins = [address, ...others].map((known) => new URL(known).origin);
  page.on("console", (message) => {
    // Chromium warns of a preloaded file that is used late, as on a busy machine.
    if (/Service Worker registration blocked|was preloaded using link preload/.test(message.text())) return;
    if (message.type() === "error" || message.type() === "warning") trouble.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    // A reload cancels requests, which is no failure.
    const { errorText } = request.failure();
    if (errorText !== "net::ERR_ABORTED") trouble.push(`failed: ${request.url()} ${errorText}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && !origins.includes(url.origin)) trouble.push(`left the origin: ${url}`);
  });
  return { page, context, trouble };
}

/** The pages of figures that are not in the story. */
const ELSEWHERE = {
  lab: "more.html",
  patches: "more.html",
  mrope: "more.html",
  config: "tools.html",
  precision: "tools.html",
};
export const pageOf = (figure) => ELSEWHERE[figure] ?? "";

/**
 * Has a page show one of ours, that of the figure it waits for unless `path` names another, and waits until it is `ready`:
 * every figure drawn (true), the figure with this id, or an element that matches this selector.
 */
export async function show(page, address, { path, hash = "", ready = true } = {}) {
  path ??= pageOf(ready);
  await page.goto(address + path + hash);
  await isReady(page, ready);
}

async function isReady(page, ready) {
  if (ready === true) await allDrawn(page);
  else if (/^\w+$/.test(ready || "-")) await allDrawn(page, ready);
  else if (ready) await page.waitForSelector(ready, { state: "attached" });
}

/**
 * Has a page that shows figures follow another link: state that the link does not hold gets its default. What is unfolded or
 * fetched stays so.
 */
export async function showAgain(page, { hash = "", ready = true } = {}) {
  await page.evaluate((next) => {
    document.activeElement.blur();
    history.replaceState(null, "", next || "#");
    dispatchEvent(new Event("hashchange"));
  }, hash);
  await redrawn(page);
  await isReady(page, ready);
}

/** Opens a page with options of both. */
export async function openPage(browser, address, { path, hash, ready, route, ...options } = {}) {
  const opened = await newPage(browser, address, options);
  if (route) await route(opened.page);
  await show(opened.page, address, { path, hash, ready });
  return opened;
}

/** Has a page's requests for these files answered once `arrive` is called; `route` is an option of pages. */
export function holding(files) {
  let arrive;
  const arrived = new Promise((done) => {
    arrive = done;
  });
  return { arrive, route: (target) => target.route(files, (answer) => arrived.then(() => answer.continue())) };
}

/** Whether every figure near the window has been fetched: then nothing moves any more. */
function nearIsDrawn() {
  const near = 900;
  return [...document.querySelectorAll("section.waiting")]
    .map((section) => section.getBoundingClientRect())
    .every(({ top, bottom }) => bottom < -near || top > innerHeight + near);
}

/** Waits for the figures near the window. */
export const nearDrawn = (page) => page.waitForFunction(nearIsDrawn);

/** Scrolls to an element at once. */
export const scrollTo = (page, id) =>
  page.evaluate((at) => document.getElementById(at).scrollIntoView({ behavior: "instant" }), id);

/** Has every figure fetched, as for printing, and waits until all are drawn; or the one named and those near it. */
export async function allDrawn(page, figure) {
  // These are there with the first screen's rest, which draws all others.
  await page.waitForSelector("#codes, #patches, #detective", { state: "attached" });
  if (figure) await scrollTo(page, figure);
  else await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.waitForSelector(figure ? `#${figure} figure > .tools` : "main:not(:has(.waiting))");
  await nearDrawn(page);
  // Figures above it have grown meanwhile.
  if (figure) await scrollTo(page, figure);
  await redrawn(page);
}

/** Milliseconds after which a frame that has not come is taken for lost. */
const LOST_FRAME = 5_000;

/**
 * Waits until requested updates are drawn: two frames. Figures are drawn once the browser has reported that they are in
 * sight, which on a busy machine comes later than the next frame: to every observer at the same time, this one included.
 * Once in many thousands of waits no frame came for 15 minutes, though the page still answered: a picture of one point
 * asks the browser for a frame.
 */
export async function redrawn(page) {
  const ask = () => page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } }).catch(() => {});
  const lost = setInterval(ask, LOST_FRAME);
  const drawn = page.evaluate(
    () =>
      new Promise((done) => {
        const sight = new IntersectionObserver(() => {
          sight.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => done()));
        });
        sight.observe(document.body);
      }),
  );
  await drawn.finally(() => clearInterval(lost));
}

/**
 * Waits until the link and the history have been written, which the page does with timers of its own: a longer timer of
 * the same page ends after them, however late a busy machine lets both come.
 */
export async function linkWritten(page) {
  await redrawn(page);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 400)));
}

/** Waits until what `read` returns has stayed the same for a while, and returns it. */
export async function steady(page, read) {
  for (let last = await read(), until = Date.now() + patience; Date.now() < until; ) {
    await page.waitForTimeout(700);
    const now = await read();
    if (now === last) return now;
    last = now;
  }
  throw new Error("it keeps changing");
}

/** Makes the window this wide, and waits until its figures are drawn. */
export async function widen(page, width) {
  await page.setViewportSize({ ...page.viewportSize(), width });
  await redrawn(page);
}

/** Runs `check` on the page in the light and in the dark theme, whose name it is given. */
export async function inBothThemes(page, check) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await redrawn(page);
    await check(colorScheme);
  }
}

/** An element's text on one line. */
export async function words(locator) {
  return (await locator.textContent()).replace(/\s+/g, " ").trim();
}

/** The rows of state in the page's link. */
export const link = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));

/** Follows a link within the page. */
export const follow = (page, hash) =>
  page.evaluate((next) => {
    location.hash = next;
  }, hash);

/** Waits until a figure is as far from the window's top. */
export const isAt = (page, id, wanted = 0, most = 199) =>
  page.waitForFunction(
    ([figure, place, far]) => Math.abs(document.getElementById(figure).getBoundingClientRect().top - place) <= far,
    [id, wanted, most],
  );

/** Pixels by which the page is wider than its window. */
export const excess = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/**
 * Chromium drops a page's eleventh download if it comes within a second of the first, and begins to count where it likes:
 * no second may have eleven.
 */
const burst = { downloads: 10, milliseconds: 1000 };
const downloads = new WeakMap();

async function afterBurst(page) {
  const tenth = downloads.get(page)?.at(-burst.downloads);
  if (tenth !== undefined) await page.waitForTimeout(Math.max(0, tenth + burst.milliseconds + 1 - performance.now()));
}

/** Opens a figure's menu of files, code, frame and link, whose program is fetched with the first. */
export async function openMenu(page, figure) {
  const button = page.locator(`#${figure} [data-tool="menu"]`);
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  await page.waitForSelector(`#${figure} .menu`);
}

/** Presses a button of a figure's menu. */
export async function fromMenu(page, figure, tool) {
  await openMenu(page, figure);
  await page.click(`#${figure} .menu [data-tool="${tool}"]`);
}

/** The file that a figure's menu saves, as bytes. */
export async function saved(page, figure, tool) {
  await afterBurst(page);
  const [download] = await Promise.all([page.waitForEvent("download"), fromMenu(page, figure, tool)]);
  downloads.set(page, [...(downloads.get(page) ?? []), performance.now()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The file that a figure's menu saves, as text. */
export const savedText = async (page, figure, tool) => (await saved(page, figure, tool)).toString("utf8");

/** Opens everything that can be unfolded. */
export async function unfold(page) {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const closed of document.querySelectorAll('#sentence [aria-expanded="false"]')) closed.click();
  });
  await redrawn(page);
}

/** Unfolds a figure's further settings. */
export async function openSettings(page, figure) {
  const settings = page.locator(`#${figure} .more-settings`);
  if (!(await settings.evaluate(({ open }) => open))) await settings.locator("summary").click();
}

/** Shows a figure's numbers as a table, whose program is fetched with the first one. */
export async function showTable(page, figure) {
  const button = page.locator(`#${figure} [data-tool="table"]`);
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  await page.waitForSelector(`#${figure} .data-table`);
}

/** Presses Tab, or the `key` given, until the focus is on an element that matches. */
export async function tabTo(page, selector, key = "Tab") {
  for (let presses = 0; presses < 80; presses++) {
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${selector} is not reached by ${key}`);
}
