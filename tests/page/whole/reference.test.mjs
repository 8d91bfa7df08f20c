// The reference beside the page: it covers everything that the package publishes, its links have targets, and it makes no
// request to another origin.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { load as loadBasics } from "posenc";
import { engines } from "posenc/engines";
import { load } from "posenc/full";
import * as npy from "posenc/npy";
import { POLICY, servePage } from "../../../bindings/setup/serve.mjs";
import { built, excess, expect, saved, savedText, test } from "../fixtures.mjs";

const api = join(built, "api");
const pages = readdirSync(api, { recursive: true })
  .filter((name) => name.endsWith(".html"))
  .map((name) => join(api, name));
const contentOf = new Map(pages.map((page) => [page, readFileSync(page, "utf8")]));

const attributes = (html, pattern) => [...html.matchAll(pattern)].map(([, value]) => value.replaceAll("&amp;", "&"));
const linksOf = (html) => attributes(html, /<(?:a|link)\s[^>]*?href="([^"]*)"/g);
const idsOf = new Map(pages.map((page) => [page, new Set(attributes(contentOf.get(page), /\sid="([^"]*)"/g))]));

test("every function of every entry is there, by name", async () => {
  for (const [name, library] of Object.entries({ Posenc: await loadBasics(), PosencFull: await load() })) {
    const page = pages.find((path) => path.endsWith(`/interfaces/index.${name}.html`));
    expect(page, name).toBeTruthy();
    const missing = Object.keys(library).filter((key) => !idsOf.get(page).has(key.toLowerCase()));
    expect(missing, name).toEqual([]);
  }
  const functions = [...Object.keys(npy).map((name) => `npy.${name}`), `engines.${engines.name}`];
  for (const name of functions) expect(pages, name).toContain(join(api, "functions", `${name}.html`));
});

test("its first page lists the functions by task, each a link", () => {
  const links = linksOf(contentOf.get(join(api, "index.html")));
  for (const link of ["index.Posenc.html#rotary", "index.PosencFull.html#kerple"])
    expect(links).toContain(`interfaces/${link}`);
  expect(links).toContain("functions/engines.explain.html");
});

test("a search finds the function of that name first, and words of the guide", async ({ open }) => {
  const page = await open({ path: "api/index.html", ready: "#tsd-search-trigger" });
  await page.click("#tsd-search-trigger");
  const found = page.locator("#tsd-search-results li");
  await page.fill("#tsd-search-input", "rotary");
  await expect(found.first()).toHaveText(/Posenc\.rotary/);
  await page.fill("#tsd-search-input", "JupyterLite");
  await expect(found.filter({ hasText: "A notebook cell with a plot" })).toHaveCount(1);
});

test("the guide is there, each page by its heading, and the contents lead to it", () => {
  const guide = join(import.meta.dirname, "..", "..", "..", "bindings", "guide");
  const contents = linksOf(contentOf.get(join(api, "index.html")));
  for (const file of readdirSync(guide)) {
    const address = `documents/${file.replace(/\.md$/, ".html")}`;
    const [, heading] = /^# (.*)$/m.exec(readFileSync(join(guide, file), "utf8"));
    const page = contentOf.get(join(api, address));
    expect(page, address).toBeTruthy();
    expect(page, address).toContain(`<title>${heading} | posenc</title>`);
    expect(contents, file).toContain(address);
  }
});

test("every link has a target, and no page a script or a style inside, which policies forbid", () => {
  expect(pages.length).toBeGreaterThan(100);
  const broken = [];
  for (const page of pages) {
    const inline = contentOf.get(page).match(/<script(?![^>]* src=)[^>]*>|<style|\s(?:style|on\w+)="/g);
    expect(inline, relative(api, page)).toBeNull();
    for (const link of linksOf(contentOf.get(page))) {
      if (/^(?:https?|data):/.test(link)) continue;
      const [path, id] = link.split("#");
      const target = path === "" ? page : join(dirname(page), decodeURI(path));
      const isThere = existsSync(target) && statSync(target).isFile();
      if (!isThere || (id && idsOf.has(target) && !idsOf.get(target).has(id)))
        broken.push(`${relative(api, page)}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test("the policy of npm start's server hinders neither pages nor reference @all", async ({ open }) => {
  const server = await servePage({ port: 0 });
  const at = server.address;
  try {
    expect((await fetch(at)).headers.get("content-security-policy")).toBe(POLICY);
    const page = await open({ at, ready: "waves" });
    expect(await savedText(page, "waves", "svg")).toMatch(/^<svg/);
    expect((await saved(page, "waves", "png")).subarray(1, 4).toString("latin1")).toBe("PNG");
    await open({ at, path: "checked.html", ready: "#A1 .verdict" });
    for (const name of ["index", "modules/full", "interfaces/index.PosencFull", "functions/npy.toNpy"]) {
      const page = await open({ at, path: `api/${name}.html`, ready: "body:not([style*=display])" });
      await page.click("#tsd-search-trigger");
      await page.fill("#tsd-search-input", "rotary");
      await page.waitForSelector("#tsd-search-results li");
    }
  } finally {
    await server.close();
  }
});

test("the page leads to it, which asks no other server, fits a phone, and leads back", async ({ open }) => {
  const page = await open({ ready: "problem" });
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const home = new URL("./", page.url()).href;
  await page.locator('footer a[href="./api/index.html"]').click();
  await page.waitForURL("**/api/index.html");
  await page.waitForLoadState("networkidle");
  expect(asked.filter((url) => !url.startsWith(home) && !/^(?:data|blob):/.test(url))).toEqual([]);
  await page.locator('a[href="../index.html"]').first().click();
  await page.waitForURL((url) => url.href === `${home}index.html`);
  // The guide's tables make no page wider.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${home}api/documents/memory.html`);
  await page.waitForSelector(".tsd-typography table");
  expect(await excess(page)).toBeLessThanOrEqual(0);
});
