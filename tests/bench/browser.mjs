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

export async function main(options) {
  const browser = await launched();
  const serves = (path) => SERVED.some((folder) => path.startsWith(folder));
  const server = await serveFiles(root, { headers: ISOLATED, serves });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${server.address}tests/bench/in-browser.html`, { waitUntil: "load" });
    const ready = await page.evaluate(() => window.crossOriginIsolated && window.bench !== undefined);
    if (!ready) throw new SetupFailure(`The page did not load: ${errors.join("; ") || "it is not isolated"}`);
    const asked = workloads.filter(({ name }) => options.only.test(name));
    const tasks = asked.map(
      ({ name }) =>
        () =>
          page.evaluate(([which, rounds]) => window.bench(which, rounds), [name, options.rounds]),
    );
    await print(tasks, { ...options, where: `${machine}, Chromium ${browser.version()}${busy()}` });
  } finally {
    await browser.close();
    server.stop();
  }
}
