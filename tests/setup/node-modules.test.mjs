import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { upToDate } from "../../bindings/setup/node-modules.mjs";
import { root } from "../../bindings/setup/paths.mjs";
import { clone } from "./scratch.mjs";

const a = { "node_modules/a": { integrity: "sha512-a" } };
const b = { "node_modules/b": { integrity: "sha512-b", optional: true } };

// Each: the packages of the lock file, those that npm recorded, and whether these are right.
const ROWS = {
  "those of the lock file": [{ ...a, ...b }, { ...a, ...b }, true],
  "an optional package may be absent": [{ ...a, ...b }, a, true],
  "this platform's package may not be in the lock file": [a, { ...a, ...b }, true],
  "no record: the install was interrupted": [a, undefined, false],
  "a package is missing": [a, {}, false],
  "another version": [a, { "node_modules/a": { integrity: "sha512-other" } }, false],
  "one too many": [a, { ...a, "node_modules/c": { integrity: "sha512-c" } }, false],
};

test("node packages are up to date when npm recorded those of the lock file", (t) => {
  for (const [name, [wanted, recorded, expected]] of Object.entries(ROWS)) {
    const record = recorded && { "node_modules/.package-lock.json": { packages: recorded } };
    const folder = clone(t, { "package-lock.json": { packages: { "": {}, ...wanted } }, ...record });
    assert.equal(upToDate(folder), expected, name);
  }
});

test("the lock file has each package's hash, and no address to download it from", () => {
  const { "": self, ...others } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  assert.ok(Object.keys(others).length > 50 && "devDependencies" in self);
  for (const [path, { integrity, resolved }] of Object.entries(others))
    assert.match(`${integrity} ${resolved}`, /^sha512-[\w+/]{86}== undefined$/, path);
});
