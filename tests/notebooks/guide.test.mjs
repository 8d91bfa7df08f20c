// The cells of the guide's page about notebooks, in the programs that they are for.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { capture } from "../../bindings/setup/processes.mjs";
import { checkBars, checkSvg } from "../api/guide/cells.mjs";
import { blocksOf, textOf } from "../api/guide/pages.mjs";
import { range, sinusoid } from "../api/testing/reference.mjs";
import { execute } from "./deno.mjs";
import { folder, installNotebooks, packages } from "./install.mjs";
import { notebookOf } from "./ipynb.mjs";
import { runJupyterLite } from "./jupyterlite.mjs";
import { notebookPages } from "./opened.mjs";

const [observable, deno, jupyterlite] = blocksOf(textOf("notebooks")).map(({ code }) => code);

before(() => installNotebooks());

/** Builds a notebook of the one cell with Observable's own command. */
async function build() {
  await installNotebooks();
  const root = join(folder, "guide");
  mkdirSync(root, { recursive: true });
  const cell = `<script id="1" type="module">\n${observable}</script>`;
  writeFileSync(join(root, "cell.html"), `<!doctype html>\n<notebook>\n<title>cell</title>\n${cell}\n</notebook>\n`);
  const program = join(packages, "@observablehq", "notebook-kit", "dist", "bin", "notebooks.js");
  const args = [program, "build", "--root", root, "--out", "built", "--empty", "--", "cell.html"];
  await capture(process.execPath, args, { log: "notebook-kit-guide", cwd: root });
  return join(root, "built");
}

const onPage = notebookPages(build);

test("Observable's cell draws the table", () =>
  onPage("cell.html", async (page) => {
    const image = page.locator("[aria-label=raster] image");
    await image.waitFor();
    const pixels = await image.evaluate(async (drawn) => {
      const bitmap = await createImageBitmap(await (await fetch(drawn.href.baseVal)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return { width: bitmap.width, bytes: [...context.getImageData(0, 0, bitmap.width, bitmap.height).data] };
    });
    const table = sinusoid(range(128), 64);
    assert.deepEqual([pixels.width, pixels.bytes.length], [64, 4 * table.length]);
    for (const [i, value] of table.entries())
      if (Math.abs(value) > 0.1) assert.equal(pixels.bytes[4 * i + 2] > pixels.bytes[4 * i], value > 0, `value ${i}`);
  }));

test("the cell for Deno's kernel displays the table", async () => {
  const [[output]] = await execute("guide", notebookOf("deno", [deno]));
  checkSvg(output.data["text/html"]);
});

test("the cell for JupyterLite prints the sine", async () => {
  const { outputs, trouble } = await runJupyterLite([jupyterlite], "*");
  checkBars(outputs[0][0].text.trimEnd().split("\n"));
  assert.deepEqual(trouble, []);
});
