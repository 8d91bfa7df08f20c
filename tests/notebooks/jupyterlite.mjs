// The JupyterLite notebook, executed by JupyterLite's own JavaScript kernel and its worker, in Chromium.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { servePage } from "../../bindings/setup/serve.mjs";
import { launch, openPage } from "../page/browser.mjs";
import { anything, realTrouble, routeNetwork } from "./cdn.mjs";
import { folder, packages } from "./install.mjs";
import { codeCells, joined, outputsOf, readNotebook } from "./ipynb.mjs";

const source = fileURLToPath(new URL("jupyterlite/", import.meta.url));
const file = join(source, "score-stands-still.ipynb");

/** A page with the kernel; its worker is beside it, where the kernel looks for it. */
async function makePage() {
  const page = join(folder, "jupyterlite");
  mkdirSync(page, { recursive: true });
  const worker = join(packages, "@jupyterlite", "javascript-kernel", "lib", "comlink.worker.js");
  await build({
    entryPoints: { host: join(source, "host.mjs"), "comlink.worker": worker },
    bundle: true,
    format: "esm",
    platform: "browser",
    nodePaths: [packages],
    outdir: page,
    logLevel: "error",
  });
  writeFileSync(
    join(page, "index.html"),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="host.js"></script>',
  );
  return page;
}

/**
 * Executes the notebook; resolves to { file, outputs (a list for each cell), asked (of the network), trouble }. What the
 * first cell begins is done when it has printed "ready".
 */
export async function runJupyterLite() {
  const [browser, server] = await Promise.all([
    launch(),
    makePage().then((made) => servePage({ folder: made, port: 0, policy: anything })),
  ]);
  try {
    const asked = new Set();
    const { page, trouble } = await openPage(browser, server.address, {
      ready: false,
      route: (opened) => routeNetwork(opened, asked),
    });
    await page.waitForFunction(() => typeof self.execute === "function");
    const outputs = [];
    for (const [index, { source: code }] of codeCells(readNotebook(file)).entries()) {
      const until = index === 0 ? "ready" : "";
      const given = await page.evaluate(([text, end]) => self.execute(text, end), [joined(code), until]);
      outputs.push(outputsOf({ outputs: given }));
    }
    return { file, outputs, asked, trouble: realTrouble(trouble, asked) };
  } finally {
    await browser.close();
    await server.close();
  }
}
