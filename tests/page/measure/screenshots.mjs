import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findChromium } from "../../../bindings/setup/debian-packages.mjs";
import { fromMenu, launch, openPage, servePage } from "../browser.mjs";

// `node tests/page/measure/screenshots.mjs` takes pictures of the built page: screenshots to look at, in build/screenshots, and
// the figures of the README, saved by their own menus, in web/pictures, and of one of these the card that is shown of a
// shared link, build/page/share.png. Names as arguments take these alone:
// `node tests/page/measure/screenshots.mjs lab`.

const folder = fileURLToPath(new URL("../../../build/screenshots/", import.meta.url));
const readme = fileURLToPath(new URL("../../../web/pictures/", import.meta.url));
for (const made of [folder, readme]) mkdirSync(made, { recursive: true });

/**
 * File name, how the page is opened, what of it is taken (all of the first screen where nothing is named), and what is
 * waited for.
 */
const pictures = [
  ["page-en", { width: 1280, height: 960 }],
  ["page-zh-dark", { width: 1280, height: 960, locale: "zh-CN", dark: true }],
  ["heatmap", { hash: "#n=2048&d=512&p=700&k=320" }, "#heatmap figure"],
  ["sum", {}, "#sum figure"],
  ["rope", {}, "#rope figure"],
  ...["en", "zh"].flatMap((lang) =>
    ["light", "dark"].flatMap((theme) =>
      [360, 1280].map((width) => [
        `lab-${lang}-${theme}-${width}`,
        { width, hash: `#lang=${lang}&theme=${theme}&lg=text:-&lx=2`, ready: "lab" },
        "#lab",
      ]),
    ),
  ),
  ["phone-zh", { width: 360, height: 780, locale: "zh-CN" }],
  ...["en", "zh"].flatMap((lang) =>
    ["light", "dark"].flatMap((theme) =>
      [360, 1280].map((width) => [
        `tools-${lang}-${theme}-${width}`,
        { width, hash: `tools.html#lang=${lang}&theme=${theme}`, ready: false },
        "body",
        "#result .verdict",
      ]),
    ),
  ),
];

/** The README's figures: panel, and the state it is shown in. */
const figures = [
  ["sum", "#p=1"],
  ["rope", ""],
  ["waves", "#p=5"],
  ["lab", "#lg=text:-"],
];

async function saveFigure(browser, address, [panel, hash]) {
  const { page, context } = await openPage(browser, address, { hash, width: 900 });
  const [download] = await Promise.all([page.waitForEvent("download"), fromMenu(page, panel, "svg")]);
  const path = `${readme}${panel}.svg`;
  await download.saveAs(path);
  console.log(path);
  await context.close();
}

/** The card: what the page is about in both languages, and a figure. */
async function saveCard(browser) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(`<style>
      body { margin: 0; padding: 40px 56px; background: rgb(252, 251, 248); color: #1f2026; font-family: system-ui }
      b { color: #5b2a86; font: 600 26px monospace }
      h1 { margin: 8px 0; font: 600 32px serif }
      svg { overflow: visible }
      body > svg { margin-top: 12px; width: 1088px; height: 380px }
    </style>
    <b>posenc</b>
    <h1>A transformer sees all words at once. Here is how it learns which came first.</h1>
    <h1>Transformer 一眼看完整个句子。词的先后，它怎么知道？</h1>
    ${readFileSync(`${readme}waves.svg`, "utf8").replace("<svg ", '<svg viewBox="0 0 804 464" ')}`);
  const path = fileURLToPath(new URL("../../../build/page/share.png", import.meta.url));
  await page.screenshot({ path });
  console.log(path);
}

/** Names of pictures or figures as arguments: these alone. */
const wanted = process.argv.slice(2);
const isWanted = ([name]) => wanted.length === 0 || wanted.includes(name);

const [browser, server] = await Promise.all([launch(findChromium()), servePage()]);
try {
  for (const [name, options, part, there] of pictures.filter(isWanted)) {
    const { page, context } = await openPage(browser, server.address, { ...options, deviceScaleFactor: 2 });
    if (there) await page.waitForSelector(there);
    const path = `${folder}${name}.png`;
    if (part) await page.locator(part).screenshot({ path });
    else await page.screenshot({ path });
    console.log(path);
    await context.close();
  }
  for (const figure of figures.filter(isWanted)) await saveFigure(browser, server.address, figure);
  if (isWanted(["card"])) await saveCard(browser);
} finally {
  await browser.close();
  await server.stop();
}
