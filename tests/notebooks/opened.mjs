// A notebook's page, opened in Chromium: a server for its folder, a browser, and the network's packages from the disk.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { servePage } from "../../bindings/setup/serve.mjs";
import { launch, openPage } from "../page/browser.mjs";
import { anything, realTrouble, routeNetwork } from "./cdn.mjs";

/**
 * For a test file: `prepare()` makes a folder and resolves to it; it is served from the first test to the last. Gives
 * `onPage(path, check)`, which opens a page of it, runs `check(page, asked)`, `asked` being the paths that were fetched
 * from the network, and then holds the page's list of troubles to be empty.
 */
export function notebookPages(prepare) {
  let browser;
  let server;
  before(async () => {
    const folder = await prepare();
    [browser, server] = await Promise.all([launch(), servePage({ folder, port: 0, policy: anything })]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  return async function onPage(path, check) {
    const asked = new Set();
    const { page, context, trouble } = await openPage(browser, server.address, {
      hash: path,
      ready: false,
      route: (opened) => routeNetwork(opened, asked),
    });
    try {
      await check(page, asked);
      assert.deepEqual(realTrouble(trouble, asked), []);
    } finally {
      await context.close();
    }
  };
}
