// TypeScript 5.9 and 7 on a stranger's project: what is right and what is wrong, of every entry and in any environment.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { guideFiles } from "./guide-types.mjs";
import { folder, packages } from "./install.mjs";

const ROOT_PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve("typescript/package.json")));
const project = join(folder, "project");
const guide = guideFiles();

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
// @ts-expect-error not a .wasm
await load({ wasm: 5 });
// @ts-expect-error a misspelt option
await loadFull({ signals: undefined });
const heads = { query: table, key: table, value: table };
pe.attention({ ...heads, weights: true }).weights.row(0).length - pe.linear(table, table).at(0, -1);
pe.attention({ ...heads, bias: { data: table.data, dims: [6, 6] }, biasScaled: false });
{
  const pe = await loadFull();
  pe.attention({ ...heads, causal: true, bias: table, biasScaled: true }).output.row(0);
  pe.attentionBackward({ ...heads, gradient: table }).query.row(0);
  pe.splitHeads(pe.softmax(table), { heads: 2 }).row(0, 0);
  pe.rotary({ dim: 4, layout: "half" }).apply(table.data, { shape: [6, 4] as const, positions: BigInt64Array.of(1n) });
  pe.lookupRows({ data: table.data, dims: [6, 512] as readonly number[] }, { ids: { data: BigInt64Array.of(1n), dims: [1] } });
}
`;

/** Calls that throw at run time, each an error of types; every function whose types depend on its arguments is among them. */
const WRONG = `import { load } from "posenc";
import { load as loadFull } from "posenc/full";
import { load as loadTools } from "posenc/tools";
const [small, full, tools] = [await load(), await loadFull(), await loadTools()];
const x = new Float32Array(24);
const tensor = { data: x, shape: [2, 3, 4] } as const;
const ort = { type: "float32", data: x, dims: [2, 3, 4] as readonly number[] } as const;
const heads = { query: tensor, key: tensor, value: tensor };
const [rope, stored] = [small.rotary({ dim: 4, layout: "half" }), full.rotary({ dim: 4, layout: "half" })];
const model = full.model({ model_type: "llama" });
const cells = full.rotaryGrid({ preset: "pixtral", dim: 4 });
${[
  // Options that the small entry does not have, and those that have no default.
  'small.attention({ ...heads, precision: "exact" })',
  "small.kvCache({ heads: 1, capacity: 4, dim: 4 })",
  "small.attention({ ...heads, bias: tensor })",
  'small.sinusoidal({ length: 3, dim: 4, dtype: "float16" })',
  'small.rotary({ dim: 4, layout: "half", precision: "float32" })',
  "small.rotary({ dim: 128 })",
  "rope.apply(x, { shape: [2, 3, 4], seqAxis: 0, firstDim: 1 })",
  "small.alibi({ heads: 8, queries: 6, keys: 6 })",
  "full.diagnose({})",
  // Misspelt options of functions whose types depend on their arguments, and options that a tensor has itself.
  "small.attention({ ...heads, casual: true })",
  "rope.apply(x, { shape: [2, 3, 4], seqAxsi: 0 })",
  "rope.apply(tensor, { seqAxsi: 0 })",
  "rope.apply(tensor, { shape: [2, 3, 4], seqAxis: 0 })",
  "rope.apply(tensor)",
  "rope.apply(ort, { seqAxis: 0, ofset: 1 })",
  "stored.apply(tensor, { seqAxsi: 0 })",
  "stored.apply(new Uint16Array(24), { shape: [2, 3, 4], seqAxis: 0 })",
  'stored.cache({ lenght: 3, dtype: "float16" })',
  "full.attention({ ...heads, casual: true })",
  "full.attention({ ...heads, weights: true, wieghts: true })",
  "full.multiHeadAttention({ query: tensor, layers: {}, heads: 2, casual: true })",
  "full.shawAttention({ ...heads, maxDistanse: 3 })",
  "full.transformerXl({ ...heads, clampLenght: 3 })",
  'full.convert(tensor, "float16", { uot: new Uint16Array(24) })',
  'full.buffer(4, { dtpye: "float16" })',
  'full.sinusoidal({ length: 3, dim: 4, dtype: "float16", lenght: 3 })',
  'full.sinusoidalGrid({ shape: [2, 2], dim: 4, preset: "mae", dtpye: "float16" })',
  'full.rotaryCache({ rotary: rope, form: "onnx", lenght: 3 })',
  'full.rotaryCache({ rotary: rope, form: "ggml", length: 3 }).cos',
  'full.rotateWithCache(tensor, { form: "onnx", cos: tensor, sin: tensor, seqAxis: 0 })',
  "full.shiftRotated(tensor, { rotary: rope, bye: 1 })",
  "full.rotateAgain(tensor, { from: rope, two: rope })",
  "full.queryTemperature(tensor, { slope: 1, period: 2, sequenceAxis: 0 })",
  'full.xpos({ dim: 4, layout: "half", centre: 1 }).apply(tensor, { seqAxis: 0 })',
  "model.layer(0).apply(x, x, { seqAxis: 0 })",
  // Both or neither of two options, and what has no default.
  "small.sinusoidal({ dim: 4 })",
  "small.sinusoidal({ dim: 4, length: 2, positions: [1] })",
  "small.sinusoidal({ dim: 4, positions: [1], offset: 2 })",
  'full.sinusoidal({ dim: 4, dtype: "float16" })',
  "rope.cache({})",
  "rope.cache({ length: 2, positions: [0, 1] })",
  'stored.cache({ dtype: "bfloat16" })',
  "rope.apply(x, { shape: [2, 3, 4] })",
  "rope.apply(tensor, {})",
  "rope.apply(x, { shape: [6, 4], offset: 1, positions: [0, 1, 2, 3, 4, 5] })",
  "rope.step(small.buffer(24), { shape: [2, 3, 4] })",
  "stored.apply(x, { shape: [2, 3, 4], firstDim: 0 })",
  "stored.apply(tensor, { offset: 3 })",
  'full.rotaryCache({ rotary: rope, form: "onnx" })',
  'full.rotaryCache({ rotary: rope, form: "onnx", length: 1, positions: [0] })',
  'full.rotaryGrid({ preset: "qwen2-vl", dim: 16 })',
  "cells.apply(tensor, { seqAxis: 0 })",
  "cells.apply(tensor, { seqAxis: 0, grid: [1, 2], points: [0, 0, 0, 1] })",
  "cells.cache({ prefixTokens: 1 })",
  'full.mropePositions({ preset: "qwen2-vl" })',
  'full.mropePositions({ preset: "qwen2-vl", segments: [{ text: 1 }], rows: [[{ text: 1 }]] })',
  'full.mropePositions({ preset: "qwen2-vl", rows: [[{ text: 1 }], [{ text: 2 }]] })',
  'full.mrope({ dim: 8, layout: "half", sections: [2, 1, 1] })',
  "full.learnedTable({ length: 2, dim: 2, seed: 1, std: 1, bound: 1 })",
  "full.lookupRows(tensor, {})",
  "full.lookupRows(tensor, { ids: [0], length: 1 })",
  "full.queryTemperature(x, { shape: [2, 3, 4], slope: 1, period: 2 })",
  "full.shiftRotated(x, { rotary: rope, by: 1, shape: [2, 3, 4] })",
  'full.xpos({ dim: 4, layout: "half", centre: 1 }).scales({})',
  "full.fope({ dim: 4, cosines: tensor, sines: tensor })",
  "full.attention({ ...heads, bias: tensor })",
  "tools.editKeys(x, { shape: [2, 3, 4], seqAxis: 0, edits: [], positons: [0, 1] })",
]
  .map((call) => `// @ts-expect-error it throws\n${call};\n`)
  .join("")}
// Right uses beside them, of readonly shapes too.
const back: typeof ort = rope.apply(ort, { seqAxis: 0 });
const same: typeof tensor = stored.apply(tensor, { seqAxis: 0, firstDim: 0 });
stored.apply({ data: new Uint16Array(24), shape: [2, 3, 4], dtype: "bfloat16" }, { seqAxis: 0 });
rope.step(small.buffer(24).view.subarray(8), { shape: [4, 4] }).apply([3, 1, 4, 1]);
const { q }: { q: typeof ort } = model.layer(0).apply(ort, tensor, { seqAxis: 1 });
full.rotateWithCache(tensor, { form: "onnx", layout: "half", cos: tensor, sin: tensor, seqAxis: 0 });
full.shiftRotated(ort, { rotary: rope, by: [1, 2], seqAxis: 0 });
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
  { name: "Node's modules", module: "nodenext", files: ["use.ts", "wrong.ts", "files.ts"], lib: ["es2022", "dom"] },
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

/** The code of the guide: strict, but that functions of its own may have parameters without types, as JavaScript has. */
const GUIDE = {
  name: "the guide and the README",
  module: "nodenext",
  files: Object.keys(guide),
  lib: ["es2024", "dom", "dom.iterable", "esnext.disposable"],
  types: ["node"],
  typeRoots: [join(ROOT_PACKAGES, "@types")],
  noImplicitAny: false,
  paths: { "onnxruntime-web": ["../node_modules/onnxruntime-common/dist/esm/index.d.ts"] },
};

const COMPILERS = [
  { major: 5, at: ROOT_PACKAGES, settings: [...SETTINGS, GUIDE] },
  {
    major: 7,
    at: packages,
    settings: [...SETTINGS.filter(({ moduleResolution }) => moduleResolution !== "node10"), GUIDE],
  }, // it has no node10
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
  for (const [name, content] of Object.entries({
    "use.ts": USE,
    "wrong.ts": WRONG,
    "files.ts": FILES,
    "using.ts": USING,
    ...guide,
  }))
    writeFileSync(join(project, name), content);
});

for (const { major, at, settings } of COMPILERS) {
  const { version } = JSON.parse(readFileSync(join(at, "typescript", "package.json"), "utf8"));

  for (const { name, files, ...options } of settings) {
    test(`TypeScript ${version}: ${name}`, () => {
      assert.ok(version.startsWith(`${major}.`));
      const compilerOptions = {
        noEmit: true,
        strict: true,
        skipDefaultLibCheck: true,
        target: "es2022",
        types: [],
        ...options,
      };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      tsc(at, ["-p", "."], project);
    });
  }
}
