// Engines without SIMD: the same bits from the other wasm, in a file that no other engine fetches.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { pseudoRandom } from "./testing/reference.mjs";

const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dist");

/** An entry loaded by an engine that reports `hasSimd`; each gets a module of its own. */
async function loadWith(hasSimd, entry) {
  const { validate } = WebAssembly;
  let asked = 0;
  WebAssembly.validate = () => ++asked > 0 && hasSimd;
  try {
    const { load } = await import(`../../dist/${entry}.js?simd=${hasSimd}`);
    return { pe: await load(), asked };
  } finally {
    WebAssembly.validate = validate;
  }
}

for (const entry of ["index", "full"]) {
  test(`${entry}: the same bits with and without SIMD`, async () => {
    const [simd, scalar] = [await loadWith(true, entry), await loadWith(false, entry)];
    assert.equal(scalar.asked, 1, "it asks the engine once");
    // Sizes that are no multiples of any vector; the stored hashes are compared in both builds of the core.
    const made = ({ pe }) => [
      pe.sinusoidal({ length: 217, dim: 70, offset: 1234567 }),
      pe.rotary({ dim: 22, layout: "half" }).apply(pseudoRandom(154), { shape: [7, 22], offset: 1e6 + 0.5 }),
    ];
    assert.deepEqual(made(scalar), made(simd));
  });

  test(`${entry}: a bundler puts the wasm without SIMD into a chunk that is imported when asked for`, async () => {
    const { metafile } = await build({
      entryPoints: [join(dist, `${entry}.js`)],
      bundle: true,
      splitting: true,
      format: "esm",
      write: false,
      outdir: dist,
      metafile: true,
    });
    const [first] = Object.values(metafile.outputs).filter((output) => output.entryPoint?.endsWith(`/${entry}.js`));
    assert.deepEqual(
      Object.keys(first.inputs).filter((input) => input.includes("scalar")),
      [],
    );
    assert.deepEqual(
      first.imports.filter(({ kind }) => kind !== "dynamic-import"),
      [],
    );
    assert.equal(first.imports.length, 1);
  });
}
