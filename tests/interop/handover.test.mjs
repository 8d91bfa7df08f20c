// { data, shape } becomes a tensor of other libraries in one line, and theirs one of ours: the lines of
// bindings/guide/memory.md, run with the real packages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { transformSync } from "esbuild";
import { load } from "posenc/full";
import { root } from "../../bindings/setup/paths.mjs";
import { pseudoRandom } from "../api/testing/reference.mjs";
import { install, open } from "./packages.mjs";

const pe = await load();
const [batch, seq, dim] = [2, 5, 6];
const table = pe.sinusoidal({ length: seq, dim });
const x = { data: pseudoRandom(batch * seq * dim), shape: [batch, seq, dim] };
const sum = Array.from(x.data, (value, i) => value + table.data[i % (seq * dim)]);
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

/** What a library makes of x: those with arithmetic add the table, so that a wrong order or shape shows. */
const COMPUTED = {
  "transformers.js": (a) => a,
  "onnxruntime-web": (a) => a,
  tfjs: (a, b) => tf.add(a, b),
  "jax-js": (a, b) => a.ref.add(b.ref),
};

for (const [name, compute] of Object.entries(COMPUTED))
  test(`${name}: there, computed, and back`, async () => {
    const { to, back } = linesOf(name);
    const { data, shape } = await back(await compute(to(x), to(table)));
    assert.ok(data instanceof Float32Array && Array.isArray(shape));
    assert.deepEqual(shape, x.shape);
    assert.deepEqual(data, ["tfjs", "jax-js"].includes(name) ? Float32Array.from(sum) : x.data);
  });
