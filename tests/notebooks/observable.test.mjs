import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { capture } from "../../bindings/setup/processes.mjs";
import { assertClose, inverseFrequency, range, sinusoid } from "../api/testing/reference.mjs";
import { words } from "../page/browser.mjs";
import { folder, installNotebooks, packages } from "./install.mjs";
import { notebookPages } from "./opened.mjs";

const source = fileURLToPath(new URL("observable", import.meta.url));

/** Builds the notebook with Observable's own command. */
async function build() {
  await installNotebooks();
  const root = join(folder, "observable");
  cpSync(source, root, { recursive: true });
  const program = join(packages, "@observablehq", "notebook-kit", "dist", "bin", "notebooks.js");
  const args = [program, "build", "--root", root, "--out", "built", "--empty", "--", "sinusoid.html"];
  await capture(process.execPath, args, { log: "notebook-kit", cwd: root });
  return join(root, "built");
}

const onPage = notebookPages(build);

const dim = 64;
const row = (position) => sinusoid([position], dim);
const distance = (a, b) => Math.hypot(...a.map((value, dimension) => value - b[dimension]));
const dot = (a, b) => a.reduce((sum, value, dimension) => sum + value * b[dimension], 0);

const cell = (page, id) => page.locator(`#cell-${id}`);
const numbersOf = async (locator) => (await words(locator)).match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g).map(Number);
const bold = (page, id, index) => cell(page, id).locator("strong").nth(index);

/** Waits until every cell is drawn with the p that was chosen. */
async function drawn(page, p) {
  await page.waitForFunction((wanted) => document.querySelector("#cell-12")?.textContent.includes(`p = ${wanted}`), p);
  await page.waitForFunction((wanted) => document.querySelector("#cell-10")?.textContent.includes(`p = ${wanted}`), p);
}

test("the Observable notebook runs, with posenc and Plot from the network alone", () =>
  onPage("sinusoid.html", async (page, asked) => {
    await drawn(page, 1000);
    assert.equal(await page.locator(".observablehq--error").count(), 0);
    assert.equal(await cell(page, 4).locator("[aria-label=raster] image").count(), 1);
    assert.deepEqual([...asked].sort(), [
      "/npm/@observablehq/inputs/+esm",
      "/npm/@observablehq/inputs/dist/index.css",
      "/npm/@observablehq/plot/+esm",
      "/npm/posenc/full/+esm",
    ]);
  }));

test("its heatmap has the colours of the formula's signs", () =>
  onPage("sinusoid.html", async (page) => {
    await drawn(page, 1000);
    const pixels = await cell(page, 4)
      .locator("[aria-label=raster] image")
      .evaluate(async (image) => {
        const bitmap = await createImageBitmap(await (await fetch(image.href.baseVal)).blob());
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext("2d");
        context.drawImage(bitmap, 0, 0);
        const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
        return {
          width: bitmap.width,
          red: [...data].filter((_, i) => i % 4 === 0),
          blue: [...data].filter((_, i) => i % 4 === 2),
        };
      });
    assert.equal(pixels.width, dim);
    const table = sinusoid(range(128), dim);
    assert.equal(pixels.red.length, table.length);
    for (const [at, value] of table.entries())
      if (Math.abs(value) > 0.1)
        assert.equal(
          pixels.blue[at] > pixels.red[at],
          value > 0,
          `position ${Math.floor(at / dim)}, dimension ${at % dim}`,
        );
  }));

test("its numbers are the formula's, before and after the slider moves", () =>
  onPage("sinusoid.html", async (page) => {
    const [shortest, longest] = [0, dim / 2 - 1].map((i) => (2 * Math.PI) / inverseFrequency(i, dim));
    await drawn(page, 1000);
    assertClose(
      [...(await numbersOf(bold(page, 5, 0))), ...(await numbersOf(bold(page, 5, 1)))],
      [shortest, longest],
      0.06,
    );
    assert.match(await words(cell(page, 5)), new RegExp(`${(longest / shortest).toFixed(0)} times`));
    for (const p of [0, 77777]) {
      await cell(page, 8).locator("input[type=number]").fill(String(p));
      await cell(page, 8).locator("input[type=number]").press("Enter");
      await drawn(page, p);
      assertClose(await numbersOf(bold(page, 10, 0)), [distance(row(0), row(1))], 2e-6);
      assertClose(await numbersOf(bold(page, 10, 1)), [dot(row(0), row(10))], 2e-5);
      const [worst] = await numbersOf(bold(page, 12, 0));
      assert.ok(worst < 5e-7, `${worst}`);
      assert.match(
        await words(cell(page, 12)),
        new RegExp(`cos = ${Math.cos(10).toFixed(6)}，sin = ${Math.sin(10).toFixed(6)}`),
      );
    }
  }));
