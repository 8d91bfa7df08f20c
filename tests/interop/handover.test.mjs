// { data, shape } becomes a tensor of other libraries in one line, and theirs one of ours: the lines of
// bindings/guide/memory.md, run with the real packages. Each computes with what it was given, so that a wrong order or shape
// shows.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { transformSync } from "esbuild";
import { load } from "posenc/full";
import { root } from "../../bindings/setup/paths.mjs";
import { assertClose, pseudoRandom } from "../api/testing/reference.mjs";
import { model, node, value } from "./onnx.mjs";
import { folder, install, open } from "./packages.mjs";

const pe = await load();
const [batch, seq, dim] = [2, 5, 6];
const table = pe.sinusoidal({ length: seq, dim });
const x = { data: pseudoRandom(batch * seq * dim), shape: [batch, seq, dim] };
const sum = Array.from(x.data, (value, i) => value + table.data[i % (seq * dim)]);
/** x tableᵀ, by the definition. */
const product = Array.from({ length: batch * seq * seq }, (_, at) => {
  const [row, column] = [Math.floor(at / seq) * dim, (at % seq) * dim];
  return Array.from({ length: dim }, (_, i) => x.data[row + i] * table.data[column + i]).reduce((a, b) => a + b, 0);
});

let ort, transformers, tf, np;
before(async () => {
  await install();
  ({ ort, transformers, tf, np } = await open());
});

/** The lines of bindings/guide/memory.md, by library: [to, back], as functions. */
const LINES = readFileSync(join(root, "bindings", "guide", "memory.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const cells = line.match(/^\| (\S+) +\| `(.+)` +\| `(.+)` +\|$/);
    return cells ? [cells.slice(1)] : [];
  });
const NAMES = ["transformers.js", "onnxruntime-web", "tfjs", "jax-js"];

/** The expressions of a row, on a tensor `t` of ours or theirs. */
function linesOf(name) {
  const [, to, back] = LINES.find(([library]) => library === name) ?? assert.fail(`no row of memory.md for ${name}`);
  const compiled = (expression) => {
    const { code } = transformSync(`export default ${expression}`, { loader: "ts" });
    const run = new Function("t", "Tensor", "ort", "tf", "np", code.replace("export default", "return"));
    return (t) => run(t, transformers.Tensor, ort, tf, np);
  };
  return { to: compiled(to), back: compiled(back) };
}

async function sumAndProductByOnnx(ours, theirs) {
  const shape = {
    x: ["b", "n", dim],
    table: ["n", dim],
    transposed: [dim, "n"],
    sum: ["b", "n", dim],
    product: ["b", "n", "n"],
  };
  const graph = model(
    [
      node("Add", ["x", "table"], ["sum"]),
      node("Transpose", ["table"], ["transposed"]),
      node("MatMul", ["x", "transposed"], ["product"]),
    ],
    ["x", "table"].map((name) => value(name, shape[name])),
    ["sum", "product"].map((name) => value(name, shape[name])),
  );
  const session = await ort.InferenceSession.create(graph, { executionProviders: ["wasm"] });
  delete globalThis.Worker; // Node's, left behind by ONNX Runtime: jax-js would mistake it for a browser's
  const made = await session.run({ x: ours, table: theirs });
  return [made.sum, made.product];
}

/** x + table and x tableᵀ, by each library. */
const COMPUTED = {
  "transformers.js": async (a, b) => {
    const made = await sumAndProductByOnnx(a.ort_tensor, b.ort_tensor);
    return made.map((tensor) => new transformers.Tensor(tensor));
  },
  "onnxruntime-web": sumAndProductByOnnx,
  tfjs: async (a, b) => [tf.add(a, b), tf.matMul(a, tf.expandDims(b, 0), false, true)],
  "jax-js": async (a, b) => [a.ref.add(b.ref), np.matmul(a, b.transpose())],
};

for (const name of NAMES) {
  test(`${name}: there, computed, and back`, async () => {
    const { to, back } = linesOf(name);
    const [added, multiplied] = (await COMPUTED[name](to(x), to(table))).map(back);
    assert.deepEqual([added.shape, multiplied.shape], [x.shape, [batch, seq, seq]]);
    for (const { data, shape } of [added, multiplied]) {
      assert.ok(data instanceof Float32Array);
      assert.ok(Array.isArray(shape));
    }
    assert.deepEqual(added.data, Float32Array.from(sum));
    assertClose(multiplied.data, product, 1e-6);
    // The result is one of our tensors: the library takes it as input again.
    assert.deepEqual(pe.add(added, table, { seqAxis: 1 }).shape, x.shape);
  });

  test(`${name}: nothing is changed on the way`, () => {
    const { to, back } = linesOf(name);
    const returned = back(to(table));
    assert.deepEqual(returned.data, table.data);
    assert.deepEqual(returned.shape, table.shape);
  });
}

test("float16 goes to ONNX Runtime and comes back, bits and type", () => {
  const half = pe.sinusoidal({ length: seq, dim, dtype: "float16" });
  const t = new ort.Tensor(half.dtype, half.data, half.shape);
  assert.deepEqual(
    pe.convert({ data: t.data, shape: [...t.dims], dtype: t.type }, "float32"),
    pe.convert(half, "float32"),
  );
});

test("the lines are typed as they are", () => {
  const lines = NAMES.map((name) => LINES.find(([library]) => library === name));
  const theirs = {
    "transformers.js": "Tensor",
    "onnxruntime-web": "ort.TypedTensor<'float32'>",
    tfjs: "tf.Tensor",
    "jax-js": "np.Array",
  };
  const source = lines.map(
    ([name, to, back], i) => `
      export const to${i} = (t: Ours): ${theirs[name]} => ${to};
      export const back${i} = (t: ${theirs[name]}): Ours => (${back});`,
  );
  writeFileSync(
    join(folder, "handover.ts"),
    `import { Tensor } from "@huggingface/transformers";
     import * as ort from "onnxruntime-web";
     import * as tf from "@tensorflow/tfjs";
     import { numpy as np } from "@jax-js/jax";
     import type { Tensor as Ours } from "posenc";
     ${source.join("")}`,
  );
  const compilerOptions = {
    ...{ module: "esnext", moduleResolution: "bundler", target: "es2022", lib: ["es2023", "dom", "esnext.disposable"] },
    ...{
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      paths: { posenc: [join(root, "dist", "index.d.ts")] },
    },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["handover.ts"] }));
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", folder], { stdio: "pipe", encoding: "utf8" });
});
