// The reference beside the page: it covers everything that the package publishes, its links have targets, and it makes no
// request to another origin.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load as loadBasics } from "posenc";
import { load } from "posenc/full";
import * as npy from "posenc/npy";
import { pageTests } from "./browser.mjs";

const { onPage } = pageTests("/some/folder/");
const built = fileURLToPath(new URL("../../build/page/", import.meta.url));
const api = join(built, "api");
const pages = readdirSync(api, { recursive: true })
  .filter((name) => name.endsWith(".html"))
  .map((name) => join(api, name));
const contentOf = new Map(pages.map((page) => [page, readFileSync(page, "utf8")]));

const attributes = (html, pattern) => [...html.matchAll(pattern)].map(([, value]) => value.replaceAll("&amp;", "&"));
const linksOf = (html) => attributes(html, /<(?:a|link)\s[^>]*?href="([^"]*)"/g);
const idsOf = new Map(pages.map((page) => [page, new Set(attributes(contentOf.get(page), /\sid="([^"]*)"/g))]));

test("every function of every entry is there, by name", async () => {
  for (const [name, library] of [
    ["Posenc", await loadBasics()],
    ["PosencFull", await load()],
  ]) {
    const page = pages.find((path) => path.endsWith(`/interfaces/index.${name}.html`));
    assert.ok(page, name);
    const missing = Object.keys(library).filter((key) => !idsOf.get(page).has(key.toLowerCase()));
    assert.deepEqual(missing, [], name);
  }
  for (const name of Object.keys(npy)) assert.ok(pages.includes(join(api, "functions", `npy.${name}.html`)), name);
});

test("every link has a target", () => {
  const broken = [];
  for (const page of pages) {
    for (const link of linksOf(contentOf.get(page))) {
      if (/^(?:https?|data):/.test(link)) continue;
      const [path, id] = link.split("#");
      const target = path === "" ? page : join(dirname(page), decodeURI(path));
      const isThere = existsSync(target) && statSync(target).isFile();
      if (!isThere || (id && idsOf.has(target) && !idsOf.get(target).has(id)))
        broken.push(`${relative(api, page)}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
});

test("the page leads to it in both languages, and it leads back", async () => {
  for (const locale of ["en-GB", "zh-CN"]) {
    await onPage({ locale }, async (page) => {
      const asked = [];
      page.on("request", (request) => asked.push(request.url()));
      const home = new URL("./", page.url()).href;
      await page.locator('footer a[href="./api/index.html"]').click();
      await page.waitForURL("**/api/index.html");
      await page.waitForLoadState("networkidle");
      assert.deepEqual(
        asked.filter((url) => !url.startsWith(home) && !/^(?:data|blob):/.test(url)),
        [],
      );
      await page.locator('a[href="../index.html"]').first().click();
      await page.waitForURL((url) => url.href === `${home}index.html`);
    });
  }
});
