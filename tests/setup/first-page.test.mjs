import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../bindings/setup/paths.mjs";
import { run, scratch } from "./scratch.mjs";

test("the first page of a new clone is made of compiled modules alone: there is no package yet", async (t) => {
  const clone = scratch(t);
  for (const name of ["bindings", "web", "package.json", "tsconfig.json", "LICENSE", "CITATION.cff"])
    cpSync(join(root, name), join(clone, name), { recursive: true });
  mkdirSync(join(clone, "build"));
  for (const name of ["node_modules", "src", "build/wasm"]) symlinkSync(join(root, name), join(clone, name));
  const script = 'import { makeFirstPage } from "./bindings/setup/start.mjs"; await makeFirstPage();';
  const { code, output } = await run(clone, script).ended;
  assert.equal(code, 0, output);
  assert.ok(!existsSync(join(clone, "dist")));
  assert.match(readFileSync(join(clone, "build", "first", "page", "index.html"), "utf8"), /<noscript>/);
});
