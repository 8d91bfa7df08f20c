// The pages of the guide whose code needs Python, onnxruntime-web or transformers.js: it runs as it is, and prints what
// its comments say.

import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { blocksOf, emptyFolder, isKept, promised, run, textOf } from "../api/guide/pages.mjs";
import { install, folder as installed } from "./packages.mjs";
import { numpy } from "./python.mjs";

before(install);

/** Runs every block of a page, and compares what it prints with what it says. */
function follow(name, folder, options) {
  for (const [index, block] of blocksOf(textOf(name)).entries()) {
    const result = run(block, index, folder, options);
    assert.ok(result, `nothing runs ${block.language}`);
    assert.equal(result.status, 0, result.stderr);
    const printed = result.printed.filter((line) => line !== "");
    const promises = promised(block.code);
    assert.equal(printed.length, promises.length, printed.join("\n"));
    for (const [i, promise] of promises.entries())
      assert.ok(isKept(printed[i], promise), `it says ${promise}, and printed is ${printed[i]}`);
  }
}

test("numpy-and-pytorch: there, rotated, and back, compared by NumPy", (t) => {
  assert.ok(numpy, "python3 with numpy: npm test installs it");
  follow("numpy-and-pytorch", emptyFolder(t), { python: numpy });
});

test("onnxruntime-and-transformers: fed, run and compared, with the packages from npm", (t) => {
  const folder = emptyFolder(t);
  for (const name of ["onnxruntime-web", "@huggingface/transformers"]) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(installed, "node_modules", name), link, "dir");
  }
  const webBuild = pathToFileURL(join(import.meta.dirname, "web-build.mjs")).href;
  follow("onnxruntime-and-transformers", folder, { more: ["--import", webBuild] });
});
