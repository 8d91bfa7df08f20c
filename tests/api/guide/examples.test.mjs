// The examples in the published types: each compiles against them, runs as it is and prints what its comments say.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { transformSync } from "esbuild";
import { build, root } from "../../../bindings/setup/paths.mjs";
import { isKept, promised } from "./pages.mjs";

const types = join(root, "bindings", "js", "types");
// Inside the project, where the package's own name resolves.
const folder = join(build, `examples-${process.pid}`);

const EXAMPLES = readdirSync(types).flatMap((file) => {
  const text = readFileSync(join(types, file), "utf8");
  const found = [...text.matchAll(/^ *\* @example\n *\* ```ts\n(.*?)^ *\* ```\n.*?\*\/\n *(\w+)/gms)];
  return found.map(([, code, name]) => ({ file, name, code: code.replace(/^ *\* ?/gm, "") }));
});

const programOf = (code) =>
  `import type { Tensor } from "posenc";\nimport { load } from "posenc/full";\n\nconst pe = await load();\n${code}export type Unused = Tensor;\n`;
const pathOf = (index, ending) => join(folder, `example-${index}.${ending}`);

before(() => {
  mkdirSync(folder, { recursive: true });
  for (const [i, { code }] of EXAMPLES.entries()) {
    writeFileSync(pathOf(i, "mts"), programOf(code));
    writeFileSync(pathOf(i, "mjs"), transformSync(programOf(code), { loader: "ts" }).code);
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("the functions that are hard to call have examples", () => {
  const names = EXAMPLES.map(({ file, name }) => `${file} ${name}`);
  for (const name of ["hub.ts layer", "hub.ts apply", "rotary.ts rotaryCache", "attention.ts splitHeads"])
    assert.ok(names.includes(name), `${name} is not among ${names.join(", ")}`);
});

test("examples compile", () => {
  const options = { module: "nodenext", target: "es2022", lib: ["es2023", "dom"], strict: true, noEmit: true };
  const files = EXAMPLES.map((_, i) => pathOf(i, "mts"));
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...options, types: [] }, files }));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", config], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

for (const [i, { file, name, code }] of EXAMPLES.entries())
  test(`${file}, ${name}: the example runs and prints what is said`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [pathOf(i, "mjs")], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    const promises = promised(code);
    const printed = stdout.trimEnd().split("\n");
    assert.ok(promises.length > 0, "it prints nothing");
    assert.equal(printed.length, promises.length, stdout);
    for (const [at, promise] of promises.entries())
      assert.ok(isKept(printed[at], promise), `it says ${promise}, and printed is ${printed[at]}`);
  });
