// TypeScript 5.9 and 7 on a stranger's project: what is right and what is wrong, of every entry and in any environment.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { before, test } from "node:test";
import { declare } from "../../bindings/package/declare.mjs";
import { filesUnder } from "../../bindings/setup/stamps.mjs";
import { folder, packages } from "./install.mjs";

const ROOT_PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve("typescript/package.json")));
const project = join(folder, "project");

const USE = `import { load, type Tensor } from "posenc";
import { load as loadFull } from "posenc/full";
import { load as loadExternal } from "posenc/external";
import { load as loadFullExternal } from "posenc/full/external";
import { fromNpy, toNpy } from "posenc/npy";
const pe = await load({ wasm: new Uint8Array(8), shared: false });
const table: Tensor = pe.sinusoidal({ length: 6, dim: 512 });
pe.rotary({ dim: 128, layout: "half", base: 10000 }).apply(table.data, { shape: [6, 4, 128], seqAxis: 0, offset: 0 });
(await loadExternal({ wasm: "posenc.wasm" })).buffer(3).delete();
for (const full of [await loadFull(), await loadFullExternal()]) full.alibi({ heads: 8, queries: 6, keys: 6 });
const dtype: "float32" | "float64" | "float16" | "int32" | "uint16" = fromNpy(toNpy(table)).dtype;
// @ts-expect-error layout has no default
pe.rotary({ dim: 128 });
// @ts-expect-error a misspelt option
pe.sinusoidal({ lenght: 6, dim: 512 });
// @ts-expect-error not an order
pe.sinusoidal({ length: 6, dim: 512, order: "halves" });
// @ts-expect-error not a .wasm
await load({ wasm: 5 });
// @ts-expect-error a misspelt option
await loadFull({ signals: undefined });
const heads = { query: table, key: table, value: table };
pe.attention({ ...heads, weights: true }).weights;
pe.attention({ ...heads, bias: { data: table.data, dims: [6, 6] }, biasScaled: false });
// @ts-expect-error a misspelt option of a generic function
pe.attention({ ...heads, wieghts: true });
// @ts-expect-error of the full entry alone
pe.attention({ ...heads, causal: true });
// @ts-expect-error how the bias is scaled has no default
pe.attention({ ...heads, bias: table });
{
  const pe = await loadFull();
  pe.attention({ ...heads, causal: true, bias: table, biasScaled: true });
  // @ts-expect-error a misspelt option
  pe.attention({ ...heads, casual: true });
  // @ts-expect-error a misspelt option
  pe.multiHeadAttention({ query: table, layers: {}, heads: 2, casual: true });
  // @ts-expect-error a misspelt option
  pe.shawAttention({ ...heads, maxDistanse: 3 });
  pe.rotary({ dim: 4, layout: "half" }).apply(table.data, { shape: [6, 4] as const, positions: BigInt64Array.of(1n) });
  pe.lookupRows({ data: table.data, dims: [6, 512] as readonly number[] }, { ids: { data: BigInt64Array.of(1n), dims: [1] } });
}
// @ts-expect-error of the full entry alone
pe.alibi({ heads: 8, queries: 6, keys: 6 });
`;

const FILES = `import { load } from "posenc";
import wasm from "posenc/posenc.wasm";
import scalar from "posenc/posenc-scalar.wasm";
import type {} from "posenc/posenc.global.js";
await load({ wasm });
await load({ wasm: scalar, signal: AbortSignal.timeout(1000) });
await load({ wasm: fetch("posenc.wasm") });
await posenc.load({ wasm: new URL("https://example.com/posenc.wasm") });
`;

const USING = `import { load } from "posenc";
const pe = await load();
using buffer = pe.buffer(8);
buffer.view.fill(0);
`;

const SETTINGS = [
  { name: "Node's modules", module: "nodenext", files: ["use.ts", "files.ts"], lib: ["es2022", "dom"] },
  { name: "a bundler's", module: "esnext", moduleResolution: "bundler", files: ["use.ts"], lib: ["es2022", "dom"] },
  { name: "nothing known of WebAssembly or URL", module: "nodenext", files: ["use.ts"], lib: ["es2022"] },
  { name: "`using`", module: "nodenext", files: ["using.ts"], lib: ["es2022", "esnext.disposable"] },
  {
    name: "no notice taken of exports",
    module: "esnext",
    moduleResolution: "node10",
    files: ["use.ts"],
    lib: ["es2022"],
  },
];

const COMPILERS = [
  { major: 5, at: ROOT_PACKAGES, settings: SETTINGS },
  { major: 7, at: packages, settings: SETTINGS.filter(({ moduleResolution }) => moduleResolution !== "node10") }, // which it has not
];

/** Runs a compiler; a failing one shows what it printed. */
function tsc(at, args, cwd) {
  try {
    execFileSync(process.execPath, [join(at, "typescript", "bin", "tsc"), ...args], {
      cwd,
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch ({ stdout, stderr }) {
    assert.fail(stdout + stderr);
  }
}

before(() => {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  for (const [name, content] of Object.entries({ "use.ts": USE, "files.ts": FILES, "using.ts": USING }))
    writeFileSync(join(project, name), content);
});

for (const { major, at, settings } of COMPILERS) {
  const { version } = JSON.parse(readFileSync(join(at, "typescript", "package.json"), "utf8"));

  for (const { name, files, ...options } of settings) {
    test(`TypeScript ${version}: ${name}`, () => {
      assert.ok(version.startsWith(`${major}.`));
      const compilerOptions = {
        ...options,
        noEmit: true,
        strict: true,
        skipDefaultLibCheck: true,
        target: "es2022",
        types: [],
      };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      tsc(at, ["-p", "."], project);
    });
  }
}

test("TypeScript 7 makes of the sources the declarations that 5.9 made", () => {
  const made = join(folder, "declarations");
  rmSync(made, { recursive: true, force: true });
  declare(join(packages, "typescript", "bin", "tsc"), made);
  const of = (dist) =>
    [
      ...["index", "full", "tools", "lab", "lab-worker", "npy", "files", "engines"].map((entry) => `${entry}.d.ts`),
      "types",
    ]
      .flatMap((path) => filesUnder(join(dist, path)))
      .map((file) => [relative(dist, file), readFileSync(file, "utf8")]);
  assert.deepEqual(of(made), of(join(packages, "posenc", "dist")));
});
