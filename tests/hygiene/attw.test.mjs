// "Are the types wrong?" on the packed tarball: whether every way of finding a module finds types, and those of what runs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { folder } from "./install.mjs";

const require = createRequire(join(folder, "package.json"));
const attw = await import(pathToFileURL(require.resolve("@arethetypeswrong/core")).href);

const tarball = require("./package.json").dependencies.posenc.replace("file:", "");
const pkg = attw.createPackageFromTarballData(readFileSync(tarball));
const { entrypoints, problems } = await attw.checkPackage(pkg);

/** Problems by kind and by the way of finding modules: the entries that have them. */
const kindOf = ({ kind, resolutionKind }) => `${kind}, ${resolutionKind}`;
const entriesWith = (kind) =>
  problems.filter((problem) => kindOf(problem) === kind).map(({ entrypoint }) => entrypoint);
const found = Object.fromEntries(problems.map(kindOf).map((kind) => [kind, entriesWith(kind)]));

const entries = Object.keys(require("posenc/package.json").exports);
const WITH_CODE = entries.filter((entry) => entry !== "./package.json");
const BY_PATH_ONLY = WITH_CODE.filter((entry) => /\.(wasm|global\.js)$/.test(entry));

test("every entry is looked at, and every one with code has types", () => {
  assert.deepEqual(Object.keys(entrypoints).sort(), entries.sort());
  assert.deepEqual(
    WITH_CODE.filter((entry) => !entrypoints[entry].hasTypes),
    [],
  );
});

test("nothing is wrong but what an ES module cannot mend", () => {
  assert.deepEqual(found, {
    // require() gets an ES module: Node can load it since 20.19 and 22.12, and tests/matrix does.
    "CJSResolvesToESM, node16-cjs": WITH_CODE,
    // Tools that do not know `exports` find these files by their paths in dist/.
    "NoResolution, node10": BY_PATH_ONLY,
  });
});
