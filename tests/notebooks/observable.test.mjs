import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { capture } from "../../bindings/setup/processes.mjs";
import { servePage } from "../../bindings/setup/serve.mjs";
import { assertClose, inverseFrequency, sinusoid } from "../api/testing/reference.mjs";
import { launch, openPage, words } from "../page/browser.mjs";
import { anything, realTrouble, routeNetwork } from "./cdn.mjs";
import { folder, installNotebooks, packages } from "./install.mjs";

/** Builds the notebook with Observable's own command. */
async function build() {
  await installNotebooks();
  const root = join(folder, "observable");
  cpSync(fileURLToPath(new URL("observable", import.meta.url)), root, { recursive: true });
  const program = join(packages, "@observablehq", "notebook-kit", "dist", "bin", "notebooks.js");
  const args = [program, "build", "--root", root, "--out", "built", "--empty", "--", "sinusoid.html"];
  await capture(process.execPath, args, { log: "notebook-kit", cwd: root });
  return join(root, "built");
}

let browser;
let server;
before(async () => {
  const built = await build();
  [browser, server] = await Promise.all([launch(), servePage({ folder: built, port: 0, policy: anything })]);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test("the Observable notebook, with posenc and Plot from the network alone, has the formula's numbers at each p", async () => {
  const asked = new Set();
  const { page, trouble } = await openPage(browser, server.address, {
    hash: "sinusoid.html",
    ready: false,
    route: (opened) => routeNetwork(opened, asked),
  });
  const cell = (id) => page.locator(`#cell-${id}`);
  const bold = async (id, index) => Number.parseFloat(await words(cell(id).locator("strong").nth(index)));
  /** Waits until every cell is drawn with the p that was chosen. */
  const drawn = (p) =>
    page.waitForFunction(
      (wanted) => ["10", "12"].every((id) => document.querySelector(`#cell-${id}`)?.textContent.includes(wanted)),
      `p = ${p}`,
    );
  await drawn(1000);
  assert.equal(await page.locator(".observablehq--error").count(), 0);
  assert.equal(await cell(4).locator("[aria-label=raster] image").count(), 1);
  assert.deepEqual([...asked].sort(), [
    "/npm/@observablehq/inputs/+esm",
    "/npm/@observablehq/inputs/dist/index.css",
    "/npm/@observablehq/plot/+esm",
    "/npm/posenc/full/+esm",
  ]);
  const dim = 64;
  const wavelengths = [0, dim / 2 - 1].map((i) => (2 * Math.PI) / inverseFrequency(i, dim));
  assertClose([await bold(5, 0), await bold(5, 1)], wavelengths, 0.06);
  const row = (position) => sinusoid([position], dim);
  const distance = Math.hypot(...row(0).map((value, i) => value - row(1)[i]));
  const dot = row(0).reduce((sum, value, i) => sum + value * row(10)[i], 0);
  for (const p of [0, 77777]) {
    await cell(8).locator("input[type=number]").fill(String(p));
    await cell(8).locator("input[type=number]").press("Enter");
    await drawn(p);
    assertClose([await bold(10, 0), await bold(10, 1)], [distance, dot], 2e-5);
    assert.ok((await bold(12, 0)) < 5e-7);
  }
  assert.deepEqual(realTrouble(trouble, asked), []);
});
