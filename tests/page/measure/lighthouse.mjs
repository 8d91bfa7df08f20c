import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findChromium } from "../../../bindings/setup/debian-packages.mjs";
import { build } from "../../../bindings/setup/paths.mjs";
import { median } from "../../bench/rounds.mjs";
import { installPackages } from "../../packages.mjs";
import { launch, openPage } from "../browser.mjs";
import { serveFiles } from "../static-server.mjs";

// `node tests/page/measure/lighthouse.mjs` prints the four scores that Lighthouse gives the built pages on a slow phone, in
// English and Chinese, and after how many milliseconds the first picture is there on this machine. Lighthouse (Apache
// 2.0, 100 MB with what it needs) is installed below build/lighthouse for this. Other programs at work make a page
// slower: the medians of several runs are what counts.

// The newest that runs with Node 20.
const PROGRAMS = { lighthouse: "12.8.2", "chrome-launcher": "1.2.1" };
const folder = join(build, "lighthouse");

const { values: given } = parseArgs({
  options: { runs: { type: "string", default: "3" }, reasons: { type: "boolean", default: false } },
});
const runs = Number(given.runs);

const pages = [
  ["index.html, English", "index.html#lang=en"],
  ["index.html, Chinese", "index.html#lang=zh"],
  ["checked.html, English", "checked.html#lang=en"],
  ["checked.html, Chinese", "checked.html#lang=zh"],
  ["tools.html, English", "tools.html#lang=en"],
  ["tools.html, Chinese", "tools.html#lang=zh"],
];
const goals = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };
/** Milliseconds to the first picture, at most. */
const pictureGoal = 300;

/** Lists what cost points, in short. */
function reasons({ categories, audits }) {
  return Object.values(categories).flatMap(({ id, auditRefs }) =>
    auditRefs
      .map(({ id: audit, weight }) => ({ ...audits[audit], weight }))
      .filter(({ score, weight }) => weight > 0 && score !== null && score < 0.99)
      .map(({ id: audit, score, displayValue = "" }) => `  ${id}: ${audit} ${score} ${displayValue}`),
  );
}

async function scoresOf(lighthouse, address, port) {
  const { lhr } = await lighthouse(address, { port, logLevel: "error", onlyCategories: Object.keys(goals) });
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const scores = Object.keys(goals).map((name) => Math.round(100 * lhr.categories[name].score));
  return { scores, reasons: reasons(lhr) };
}

/** Milliseconds from a page's request, in a fresh browser context, to its own mark of the first picture. */
async function firstPicture(browser, address) {
  const { page, context } = await openPage(browser, address, { ready: "heatmap", serviceWorkers: "allow" });
  const time = await page.evaluate(() => performance.getEntriesByName("first-picture")[0].startTime);
  await context.close();
  return time;
}

async function scorePages(address) {
  const require = createRequire(join(folder, "package.json"));
  const { default: lighthouse } = await import(require.resolve("lighthouse"));
  const { launch: launchChrome } = await import(require.resolve("chrome-launcher"));
  for (const [name, path] of pages) {
    const found = [];
    for (let run = 0; run < runs; run++) {
      const chrome = await launchChrome({
        chromePath: findChromium(),
        chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu"],
      });
      try {
        found.push(await scoresOf(lighthouse, address + path, chrome.port));
      } finally {
        chrome.kill();
      }
    }
    const scores = Object.keys(goals).map((_, at) => median(found.map((run) => run.scores[at])));
    const met = Object.values(goals).every((goal, at) => scores[at] >= goal);
    console.log(`${name}: ${scores.join(", ")} (performance of all runs: ${found.map((run) => run.scores[0])})`);
    if (given.reasons || !met) console.log(found.at(-1).reasons.join("\n"));
    if (!met) process.exitCode = 1;
  }
}

await installPackages(folder, PROGRAMS, { say: (what) => console.log(`${what} below build/lighthouse`) });
const server = await serveFiles(join(build, "page"), { gzip: true });
try {
  const browser = await launch(findChromium());
  const times = [];
  for (let run = 0; run < runs; run++) times.push(await firstPicture(browser, server.address));
  await browser.close();
  const time = median(times);
  console.log(`first picture after ${time.toFixed(0)} ms (goal: ${pictureGoal}; all runs: ${times.map(Math.round)})`);
  if (time > pictureGoal) process.exitCode = 1;
  console.log(`scores: ${Object.keys(goals).join(", ")} (goals: ${Object.values(goals).join(", ")})`);
  await scorePages(server.address);
} finally {
  server.stop();
}
