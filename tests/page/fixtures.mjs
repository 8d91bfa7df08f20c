import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect as withoutPage } from "@playwright/test";
import { POLICY } from "../../bindings/setup/serve.mjs";
import { built, newPage, openPage, pageOf, servePage, show, showAgain, words } from "./browser.mjs";
import { serveFiles } from "./static-server.mjs";

export * from "./browser.mjs";

/** The languages of readers, as browsers name them. */
export const LOCALES = ["en-GB", "zh-CN"];

/** The page that is asked for: the one that has the figure to wait for, unless it is named. */
const pathOf = ({ path, ready }) => path ?? pageOf(ready);

/** The options of a page that can be used again. */
const PLAIN = ["path", "hash", "ready", "locale", "dark", "width", "height", "file"];

export const test = base.extend({
  /** How pages of a file or a group are opened, unless a test says otherwise: options of `open`. */
  view: [{}, { option: true }],

  /**
   * Opens a page in this worker's browser, from this worker's server. A page that needs nothing but a language, a size and
   * colours is used again, which spares a third of the time: `back` returns it. Tests of one `file` may go on with the same
   * page, which is not even loaded again.
   */
  visit: [
    async ({ browser }, use) => {
      // Kept files spare a page opened again a fifth of its time; the policy is that of npm start.
      const { address, stop } = await servePage("/some/folder/", {
        "Cache-Control": "max-age=3600",
        "Content-Security-Policy": POLICY,
      });
      const idle = new Map();
      async function again({ file, locale = "en-GB", dark = false, width = 1280, height = 900, ...where }) {
        const kind = `${locale} ${dark}`;
        const opened = idle.get(kind)?.pop() ?? (await newPage(browser, address, { locale, dark }));
        const { page, context } = opened;
        opened.trouble.length = 0;
        await page.setViewportSize({ width, height });
        const path = pathOf(where);
        if (file && file === opened.file && path === opened.path) await showAgain(page, where);
        else {
          await page.goto("about:blank");
          await show(page, address, where);
        }
        Object.assign(opened, { file, path });
        const back = async () => {
          // Fifty entries of its history are the most that a page keeps.
          if (context.pages().length > 1 || (await page.evaluate(() => history.length)) > 25) return context.close();
          if (!file) await page.goto("about:blank");
          await page.emulateMedia({ media: null, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
          await page.mouse.move(0, 0);
          idle.set(kind, [...(idle.get(kind) ?? []), opened]);
        };
        return { ...opened, back };
      }
      await use(async ({ at = address, fresh = false, ...options }) => {
        if (at === address && !fresh && Object.keys(options).every((name) => PLAIN.includes(name)))
          return again(options);
        const opened = await openPage(browser, at, options);
        return { ...opened, back: () => opened.context.close() };
      });
      stop();
    },
    { scope: "worker" },
  ],

  /**
   * Opens a page with a link or with options of openPage; `at` names another server, `fresh` asks for a page that was not
   * used, `kept` for the one that this test or the last of its file has opened, with another link. `mayFail` says that errors in its
   * console are expected.
   */
  open: async ({ visit, view }, use, testInfo) => {
    const opened = [];
    await use(async (options = {}) => {
      const { mayFail, kept, ...rest } = { ...view, ...(typeof options === "string" ? { hash: options } : options) };
      const known =
        kept &&
        Object.keys(rest).every((name) => PLAIN.includes(name)) &&
        opened.find(({ file, path }) => file && path === pathOf(rest));
      if (known) {
        await known.page.setViewportSize({ width: rest.width ?? 1280, height: rest.height ?? 900 });
        await showAgain(known.page, rest);
        return known.page;
      }
      const one = await visit(kept ? { ...rest, file: testInfo.file } : rest);
      opened.push({ ...one, mayFail });
      return one.page;
    });
    const trouble = opened.flatMap((one) => (one.mayFail ? [] : [...one.trouble]));
    for (const { back, context } of opened)
      await (testInfo.errors.length + trouble.length > 0 ? context.close() : back());
    withoutPage(trouble).toEqual([]);
  },

  /** Serves a folder, build/page unless another is named, until the test ends: options of serveFiles. */
  // biome-ignore lint/correctness/noEmptyPattern: a fixture names here what it needs
  serve: async ({}, use) => {
    const servers = [];
    await use(async (options, folder = built) => {
      servers.push(await serveFiles(folder, options));
      return servers.at(-1);
    });
    for (const { stop } of servers) stop();
  },

  /** The page opened with the options of the file or group. */
  page: async ({ open }, use) => use(await open()),
});

export const expect = withoutPage.extend({
  /** Waits until an element's text, on one line, matches. */
  async toRead(locator, pattern) {
    const text = withoutPage.poll(() => words(locator));
    try {
      await (this.isNot ? text.not : text).toMatch(pattern);
      return { pass: !this.isNot };
    } catch ({ message }) {
      return { pass: this.isNot, message: () => message };
    }
  },
});

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The faults that axe finds in the page or in a part of it. The page's policy forbids added scripts, so axe comes in through the debugger. */
export async function axeFaults(page, part) {
  await page.evaluate(`${axe};0`);
  const { violations } = await page.evaluate(
    (include) => window.axe.run(include ? { include: [include] } : document, { resultTypes: ["violations"] }),
    part,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}

/** Waits until the link's part after "#" is this. */
export const hash = (page, wanted) => expect.poll(() => new URL(page.url()).hash).toBe(wanted);
