// The reference beside the page: it covers everything that the package publishes, its links have targets, and it makes no
// request to another origin.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load as loadBasics } from "posenc";
import { engines } from "posenc/engines";
import { load } from "posenc/full";
import * as npy from "posenc/npy";
import { POLICY, servePage } from "../../bindings/setup/serve.mjs";
import { launch, openPage, pageTests, savedText } from "./browser.mjs";

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
  const functions = [...Object.keys(npy).map((name) => `npy.${name}`), `engines.${engines.name}`];
  for (const name of functions) assert.ok(pages.includes(join(api, "functions", `${name}.html`)), name);
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

test("no page has a script or a style inside, which policies forbid", () => {
  assert.ok(pages.length > 100, `${pages.length} pages`);
  for (const page of pages) {
    const inline = contentOf.get(page).match(/<script(?![^>]* src=)[^>]*>|<style|\s(?:style|on\w+)="/g);
    assert.equal(inline, null, relative(api, page));
  }
});

test("under the policy that npm start's server sends, pages and reference do all that they do elsewhere", async () => {
  const [browser, server] = await Promise.all([launch(), servePage({ port: 0 })]);
  const visit = async (hash, use) => {
    const { page, context, trouble } = await openPage(browser, server.address, { hash, ready: hash === "" });
    await use(page);
    assert.deepEqual(trouble, [], hash);
    await context.close();
  };
  const search = async (page) => {
    await page.waitForFunction(() => document.body.style.display === "");
    await page.click("#tsd-search-trigger");
    await page.fill("#tsd-search-input", "rotary");
    await page.waitForSelector("#tsd-search-results li");
  };
  try {
    assert.equal((await fetch(server.address)).headers.get("content-security-policy"), POLICY);
    await visit("", async (page) => assert.match(await savedText(page, "heatmap", "svg"), /^<svg/));
    await visit("checked.html", (page) => page.waitForSelector("#A1 .verdict"));
    for (const name of [
      "index",
      "modules/full",
      "interfaces/index.PosencFull",
      "types/index.Layout",
      "functions/npy.toNpy",
    ])
      await visit(`api/${name}.html`, search);
  } finally {
    await browser.close();
    await server.close();
  }
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
