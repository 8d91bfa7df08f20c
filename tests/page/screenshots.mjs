import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch, openPage, servePage } from "./browser.mjs";

// Takes the pictures of the README: `node tests/page/screenshots.mjs` writes them to build/screenshots.

const folder = fileURLToPath(new URL("../../build/screenshots/", import.meta.url));
mkdirSync(folder, { recursive: true });

/** File name, how the page is opened, and what of it is taken (all of the first screen where nothing is named). */
const pictures = [
  ["page-en", { width: 1280, height: 960 }],
  ["page-zh-dark", { width: 1280, height: 960, locale: "zh-CN", dark: true }],
  ["heatmap", { hash: "#n=2048&d=512&p=700&k=320" }, "#heatmap figure"],
  ["sum", {}, "#sum figure"],
  ["rope", {}, "#rope figure"],
  ["phone-zh", { width: 360, height: 780, locale: "zh-CN" }],
];

const [browser, server] = await Promise.all([launch(), servePage()]);
try {
  for (const [name, options, part] of pictures) {
    const { page, context } = await openPage(browser, server.address, { ...options, deviceScaleFactor: 2 });
    const path = `${folder}${name}.png`;
    if (part) await page.locator(part).screenshot({ path });
    else await page.screenshot({ path });
    console.log(path);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
