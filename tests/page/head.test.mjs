import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { pageTests } from "./browser.mjs";

// What is read of the pages without their scripts: by readers, search engines and those with whom a link is shared.

const { onPage } = pageTests();
const built = fileURLToPath(new URL("../../build/page/", import.meta.url));

for (const name of ["index", "checked", "tools"])
  test(`${name}.html says what it is: title, description, picture, data`, () => {
    const html = readFileSync(`${built}${name}.html`, "utf8");
    const [, title] = html.match(/<title>(.+?)<\/title>/);
    const [, description] = html.match(/<meta name="description" content="(.+?)"/);
    const told = Object.fromEntries(
      [...html.matchAll(/<meta property="(.+?)" content="(.+?)"/g)].map(([, key, value]) => [key, value]),
    );
    assert.equal(told["og:title"], title);
    assert.equal(told["og:description"], description);
    assert.match(description, /[\u4e00-\u9fff]/u);
    assert.equal(told["og:type"], "website");
    assert.equal(told["og:locale:alternate"], "zh_CN");
    assert.equal(
      readFileSync(built + told["og:image"])
        .subarray(1, 4)
        .toString("latin1"),
      "PNG",
    );
    const data = JSON.parse(html.match(/<script type="application\/ld\+json">(.+?)<\/script>/)[1]);
    assert.equal(data["@type"], "WebApplication");
    assert.equal(data.name, title);
    assert.match(data.softwareVersion, /^\d+\.\d+\.\d+$/);
  });

test("the footer leads to the papers", () =>
  onPage({ ready: "problem" }, async (page) => {
    await page.waitForSelector("footer li a");
    const addresses = await page.locator("footer li a").evaluateAll((all) => all.map(({ href }) => href));
    assert.equal(new Set(addresses).size, 7);
    for (const address of addresses) assert.match(address, /^https:\/\/arxiv\.org\/abs\/\d{4}\.\d{5}$/);
  }));
