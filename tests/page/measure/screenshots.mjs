import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findChromium } from "../../../bindings/setup/debian-packages.mjs";
import { fromMenu, launch, openPage, servePage } from "../browser.mjs";

// `node tests/page/measure/screenshots.mjs` saves the figures of the README by their own menus, in web/pictures, and takes
// a picture of one of these, the card that is shown of a shared link, build/page/share.png. Names as arguments take these
// alone: `node tests/page/measure/screenshots.mjs lab`.

const readme = fileURLToPath(new URL("../../../web/pictures/", import.meta.url));
mkdirSync(readme, { recursive: true });

/** The README's figures: panel, and the state it is shown in. */
const figures = [
  ["derive", "#by=rotate"],
  ["rope", ""],
  ["waves", "#p=5"],
  ["lab", "#lg=text:-"],
];

async function saveFigure(browser, address, [panel, hash]) {
  const { page, context } = await openPage(browser, address, { hash, width: 900, ready: panel });
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
    <h1>A transformer sees all words at once. Here is how it is told which came first.</h1>
    <h1>Transformer 一眼看完整个句子。词的先后，它怎么知道？</h1>
    ${readFileSync(`${readme}waves.svg`, "utf8")}`);
  const path = fileURLToPath(new URL("../../../build/page/share.png", import.meta.url));
  await page.screenshot({ path });
  console.log(path);
}

/** Names of pictures or figures as arguments: these alone. */
const wanted = process.argv.slice(2);
const isWanted = ([name]) => wanted.length === 0 || wanted.includes(name);

const [browser, server] = await Promise.all([launch(findChromium()), servePage()]);
try {
  for (const figure of figures.filter(isWanted)) await saveFigure(browser, server.address, figure);
  if (isWanted(["card"])) await saveCard(browser);
} finally {
  await browser.close();
  await server.stop();
}
