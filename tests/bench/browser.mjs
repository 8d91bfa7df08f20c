// npm run bench -- --browser: the same workloads in Chromium, in a page that is isolated from other origins: only there
// are timers fine (5 µs).

import { join } from "node:path";
import { findChromium } from "../../bindings/setup/debian-packages.mjs";
import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { root } from "../../bindings/setup/paths.mjs";
import { launch } from "../page/browser.mjs";
import { serveFiles } from "../page/static-server.mjs";
import { load as busy, machine } from "./machine.mjs";
import { print } from "./print.mjs";
import { TEXT, workloads } from "./workloads.mjs";

const SERVED = ["dist", join("tests", "bench"), join("build", "wasm", "tests", "bench"), TEXT];
const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

async function launched() {
  try {
    return await launch(findChromium());
  } catch (error) {
    throw new SetupFailure(`Chromium did not start (CHROMIUM_PATH names another): ${error.message.split("\n")[0]}`);
  }
}

/**
 * Opens a page of the checkout in Chromium, of which the folders `served` are there, and calls use(page, version) once
 * `isReady` holds in it.
 */
export async function inChromium(path, { served, isReady }, use) {
  const browser = await launched();
  const serves = (asked) => served.some((folder) => asked.startsWith(folder));
  const server = await serveFiles(root, { headers: ISOLATED, serves });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${server.address}${path}`, { waitUntil: "load" });
    const isIsolated = await page.evaluate(() => window.crossOriginIsolated);
    if (!isIsolated || !(await page.evaluate(isReady)))
      throw new SetupFailure(`The page did not load: ${errors.join("; ") || "it is not isolated"}`);
    await use(page, `Chromium ${browser.version()}`);
  } finally {
    await browser.close();
    server.stop();
  }
}

export async function main(options) {
  const asked = workloads.filter(({ name }) => options.only.test(name));
  const isReady = () => window.bench !== undefined;
  await inChromium("tests/bench/in-browser.html", { served: SERVED, isReady }, async (page, chromium) => {
    const tasks = asked.map(
      ({ name }) =>
        () =>
          page.evaluate(([which, rounds]) => window.bench(which, rounds), [name, options.rounds]),
    );
    await print(tasks, { ...options, where: `${machine}, ${chromium}${busy()}` });
  });
}
