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
  const asked = [];
  WebAssembly.validate = (bytes) => {
    asked.push(validate(bytes));
    return hasSimd;
  };
  try {
    const { load } = await import(`../../dist/${entry}.js?simd=${hasSimd}`);
    return { pe: await load(), asked };
  } finally {
    WebAssembly.validate = validate;
  }
}

const bitsOf = ({ buffer, byteOffset, byteLength }) => [...new Uint8Array(buffer, byteOffset, byteLength)];

/** Every float32 and double of a result, in order. */
function numbersIn(result) {
  if (ArrayBuffer.isView(result)) return bitsOf(result);
  return result !== null && typeof result === "object" ? Object.values(result).flatMap(numbersIn) : [result];
}

const rotated = (pe, layout, x, options) =>
  pe.rotary({ dim: 24, layout }).apply(x, { shape: [x.length / 72, 3, 24], seqAxis: 0, offset: 1e6 + 0.5, ...options });

const words = (count) => Uint16Array.from(pseudoRandom(count), (x) => 0x3c00 + 1024 * x);

/** Sizes that are no multiples of any vector. */
const basic = {
  "a table": (pe) => pe.sinusoidal({ length: 217, dim: 70, offset: 1234567 }),
  "a table of halves": (pe) => pe.sinusoidal({ length: 133, dim: 31, order: "split" }),
  "a table at any positions": (pe) => pe.sinusoidal({ positions: [-3, 0.25, 7e8, 2 ** 40], dim: 46 }),
  "YaRN's frequencies": (pe) =>
    pe.frequencies({ dim: 128, scaling: { type: "yarn", factor: 4, originalLength: 4096 } }),
  "rotation of halves": (pe) => rotated(pe, "half", pseudoRandom(7 * 72)),
  "rotation of neighbours": (pe) => rotated(pe, "interleaved", pseudoRandom(7 * 72)),
  "rotation that sorts": (pe) => rotated(pe, "deinterleaved", pseudoRandom(7 * 72)),
  "a cache": (pe) => pe.rotary({ dim: 22, layout: "half" }).cache({ length: 19, offset: 99 }),
};
const more = {
  "rotation of float16": (pe) => rotated(pe, "half", words(7 * 72), { dtype: "float16" }),
  "rotation of bfloat16": (pe) => rotated(pe, "interleaved", words(7 * 72), { dtype: "bfloat16" }),
  ALiBi: (pe) => pe.alibi({ heads: 12, queries: 9, keys: 13 }),
  "Fourier features": (pe) => pe.nerf({ points: pseudoRandom(21), inputs: 3, levels: 10 }),
};

for (const [entry, calls] of [
  ["index", basic],
  ["full", { ...basic, ...more }],
]) {
  test(`${entry}: the same bits with and without SIMD`, async () => {
    const [simd, scalar] = [await loadWith(true, entry), await loadWith(false, entry)];
    assert.equal(scalar.asked.length, 1, "it asks the engine once");
    for (const [what, call] of Object.entries(calls)) {
      const numbers = numbersIn(call(simd.pe));
      assert.ok(numbers.length > 50, what);
      assert.deepEqual(numbersIn(call(scalar.pe)), numbers, what);
    }
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
