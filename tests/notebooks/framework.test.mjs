import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { capture } from "../../bindings/setup/processes.mjs";
import { assertClose, inverseFrequency, range } from "../api/testing/reference.mjs";
import { words } from "../page/browser.mjs";
import { folder, installNotebooks, packages } from "./install.mjs";
import { notebookPages } from "./opened.mjs";

const source = fileURLToPath(new URL("framework", import.meta.url));
const network = new URL("network.mjs", import.meta.url).href;

/** Builds the page with Framework's own command. Its cache goes: it would keep an older posenc. */
async function build() {
  await installNotebooks();
  const project = join(folder, "framework");
  rmSync(project, { recursive: true, force: true });
  cpSync(source, project, { recursive: true });
  const program = join(packages, "@observablehq", "framework", "dist", "bin", "observable.js");
  const env = { ...process.env, OBSERVABLE_TELEMETRY_DISABLE: "1" };
  await capture(process.execPath, ["--import", network, program, "build"], { log: "framework", cwd: project, env });
  return join(project, "dist");
}

const onPage = notebookPages(build);

const config = JSON.parse(readFileSync(join(source, "src", "llama-3.1-8b.json"), "utf8"));
const dim = config.hidden_size / config.num_attention_heads;
const {
  factor,
  low_freq_factor: low,
  high_freq_factor: high,
  original_max_position_embeddings: length,
} = config.rope_scaling;

/** The rule as the model's paper and code describe it, in wavelengths. */
function scaled(frequency) {
  const wavelength = (2 * Math.PI) / frequency;
  if (wavelength < length / high) return frequency;
  if (wavelength > length / low) return frequency / factor;
  const smooth = (length / wavelength - low) / (high - low);
  return ((1 - smooth) * frequency) / factor + smooth * frequency;
}

const plain = range(dim / 2).map((i) => inverseFrequency(i, dim, config.rope_theta));
const changed = plain.map(scaled);

/** The score of the page's vectors at distance `apart`: rotated by their difference, half layout. */
function score(apart) {
  const query = range(dim).map((dimension) => Math.fround(Math.sin(dimension + 1)));
  const key = range(dim).map((dimension) => Math.fround(Math.cos(dimension / 2)));
  return range(dim / 2).reduce((sum, i) => {
    const [a, b, c, d] = [query[i], query[i + dim / 2], key[i], key[i + dim / 2]];
    const angle = apart * changed[i];
    return sum + (a * c + b * d) * Math.cos(angle) + (a * d - b * c) * Math.sin(angle);
  }, 0);
}

const numberAt = async (page, selector) => Number(await words(page.locator(selector)));

/** Waits for the last cell. */
const drawn = (page) => page.waitForFunction(() => document.querySelectorAll(".score")[3]?.textContent.trim());

test("the Framework page runs from what was built, with nothing from the network", () =>
  onPage("", async (page, asked) => {
    await drawn(page);
    assert.deepEqual([...asked], []);
    assert.equal(await page.locator(".observablehq--error").count(), 0);
    assert.equal(await page.locator("svg [aria-label=dot] circle").count(), dim);
  }));

test("it counts the pairs and gives the wavelengths of the model's rule", () =>
  onPage("", async (page) => {
    await drawn(page);
    const kept = changed.filter((frequency, i) => frequency === plain[i]).length;
    const divided = changed.filter((frequency, i) => frequency === plain[i] / factor).length;
    assert.ok(kept > 0 && divided > 0 && kept + divided < dim / 2);
    assert.equal(await numberAt(page, "#pairs"), dim / 2);
    assert.equal(await numberAt(page, "#kept"), kept);
    assert.equal(await numberAt(page, "#divided"), divided);
    assert.equal(await numberAt(page, "#blended"), dim / 2 - kept - divided);
    assert.equal(await numberAt(page, "#longest-before"), Math.round((2 * Math.PI) / plain.at(-1)));
    assert.equal(await numberAt(page, "#longest-after"), Math.round((2 * Math.PI) / changed.at(-1)));
  }));

test("its score stands still as long as the distance does", () =>
  onPage("", async (page) => {
    await drawn(page);
    const scores = await page.locator(".score").allTextContents();
    assertClose(scores.map(Number), [score(7), score(7), score(7), score(8)], 6e-5);
    assert.ok(Math.abs(score(7) - score(8)) > 0.1);
  }));
