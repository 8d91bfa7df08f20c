import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { follow, scratch } from "./scratch.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("the first page of a new clone is made of compiled modules alone: there is no package yet", async (t) => {
  const clone = scratch(t);
  for (const name of ["bindings", "web", "package.json", "tsconfig.json", "LICENSE", "CITATION.cff"])
    cpSync(join(root, name), join(clone, name), { recursive: true });
  mkdirSync(join(clone, "build"));
  for (const name of ["node_modules", "src", "build/wasm"]) symlinkSync(join(root, name), join(clone, name));
  const script = 'import { makeFirstPage } from "./bindings/setup/start.mjs"; await makeFirstPage();';
  const { ended } = follow(spawn(process.execPath, ["--input-type=module", "--eval", script], { cwd: clone }));
  const { code, output } = await ended;
  assert.equal(code, 0, output);
  assert.ok(!existsSync(join(clone, "dist")));
  const page = join(clone, "build", "first", "page");
  assert.match(readFileSync(join(page, "index.html"), "utf8"), /<noscript>/);
});
