import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { upToDate } from "../../bindings/setup/node-modules.mjs";
import { root } from "../../bindings/setup/paths.mjs";
import { scratch } from "./scratch.mjs";

const a = { "node_modules/a": { integrity: "sha512-a" } };
const b = { "node_modules/b": { integrity: "sha512-b", optional: true } };

/** Whether node_modules counts as up to date with these packages wanted and these unpacked. */
function answer(t, wanted, unpacked) {
  const folder = scratch(t);
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: { "": {}, ...wanted } }));
  mkdirSync(join(folder, "node_modules"));
  if (unpacked)
    writeFileSync(join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ packages: unpacked }));
  return upToDate(folder);
}

test("node packages are up to date when npm recorded those of the lock file", (t) => {
  assert.ok(answer(t, { ...a, ...b }, { ...a, ...b }));
  assert.ok(answer(t, { ...a, ...b }, a), "an optional package may be absent");
  assert.ok(answer(t, a, { ...a, ...b }), "this platform's package may not be in the lock file");
});

test("they are not after an interrupted or another install", (t) => {
  assert.ok(!answer(t, a, undefined), "no record");
  assert.ok(!answer(t, a, {}), "a package is missing");
  assert.ok(!answer(t, a, { "node_modules/a": { integrity: "sha512-other" } }), "another version");
  assert.ok(!answer(t, a, { ...a, "node_modules/c": { integrity: "sha512-c" } }), "one too many");
});

test("the lock file has each package's hash, and no address to download it from", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { "": self, ...others } = packages;
  assert.ok(Object.keys(others).length > 50 && "devDependencies" in self);
  for (const [path, { integrity, resolved }] of Object.entries(others)) {
    assert.match(String(integrity), /^sha512-[\w+/]{86}==$/, path);
    assert.equal(resolved, undefined, path);
  }
});
