// How a row's result is read: from a program's output, from a server's answer, or from a page in a browser.
import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { serveFiles } from "../page/static-server.mjs";
import { chromiumReport, compared, reportOf } from "./page-report.mjs";
import { ATTRIBUTE, MARK } from "./programs.mjs";

const marked = new RegExp(`${MARK}(\\{.*?\\})`, "g");

/** The results in a text. */
const resultsIn = (text) => [...text.matchAll(marked)].map(([, json]) => JSON.parse(json));

/** Opens a page in Chromium and resolves to the results that it shows, once it shows as many as are expected. */
async function shown(browser, address, expected) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const trouble = [];
    page.on("console", (message) => message.type() === "error" && trouble.push(message.text()));
    page.on("pageerror", (error) => trouble.push(error.message));
    await page.goto(address);
    const places = page.locator(`[${ATTRIBUTE}]`);
    try {
      await places.nth(expected - 1).waitFor({ state: "attached", timeout: 30_000 });
    } catch {
      throw new Error(`the page shows ${await places.count()} of ${expected} results; ${trouble.join("; ")}`);
    }
    const values = await Promise.all((await places.all()).map((place) => place.getAttribute(ATTRIBUTE)));
    return values.map((json) => JSON.parse(json));
  } finally {
    await context.close();
  }
}

/** Waits until a server answers at all. */
async function answering(address, group) {
  for (;;) {
    try {
      return await fetch(address);
    } catch (error) {
      if (group.isOver) throw new Error("the server ended", { cause: error });
      await sleep(100);
    }
  }
}

/** The ways. Each takes { row, folder, group (the running program), port, browser } and resolves to its results. */
export const READERS = {
  /** Reads what the program printed. */
  output: async ({ group }) => resultsIn(group.output),

  /** From a page of the project's files, served, in Chromium. */
  page: async ({ row, folder, browser }) => {
    const server = await serveFiles(folder, { headers: row.headers });
    try {
      return await shown(browser, server.address + row.page, row.results ?? 1);
    } finally {
      server.stop();
    }
  },

  /** From a page opened as a file. */
  file: ({ row, folder, browser }) => shown(browser, pathToFileURL(join(folder, row.page)).href, row.results ?? 1),

  /** From a page of the server that the program is. */
  served: async ({ row, port, group, browser }) => {
    const address = `http://127.0.0.1:${port}/`;
    await answering(address, group);
    return shown(browser, address, row.results ?? 1);
  },

  /** From that server's answer itself. */
  answer: async ({ port, group }) => {
    const response = await answering(`http://127.0.0.1:${port}/`, group);
    return resultsIn(await response.text());
  },

  /** Reads what a page sends back: for a browser that no driver controls. */
  sent: async ({ row, folder, running }) => {
    const posts = new EventEmitter();
    const server = await serveFiles(folder, { onPost: (json) => posts.emit("result", JSON.parse(json)) });
    running.push({ output: "", stop: server.stop });
    const result = once(posts, "result");
    await row.browser(server.address + row.page, running);
    return result;
  },

  /** From the project's own page, which reports on itself; compared with its report in Chromium. */
  report: async ({ row, browser, running }) => {
    const report = await reportOf((address) => row.browser(address, running));
    const differences = compared(report, await chromiumReport(browser));
    if (differences.length > 0) throw new Error(differences.join("\n"));
    return [];
  },
};
