// npm run size: how large the package is to download, and whether its main entry is small enough.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { transformSync } from "esbuild";
import { root } from "../../bindings/setup/paths.mjs";

/**
 * The largest sizes with brotli: the main entry, its WebAssembly inside, 51 K, K being 1000 bytes; the full one, with
 * whole models (386 types) and certificates, 181 K; of tools 332 K, of the lab 74.7 K, its worker 11.5 K; others what
 * goes with these. Entries beside a .wasm are the API that they share and the .wasm.
 */
const LIMITS = {
  "index.js": 51_000,
  "full.js": 181_000,
  "tools.js": 332_000,
  "files.js": 17_330,
  "lab.js": 74_700,
  "lab-worker.js": 11_500,
  "api.js": 14_600,
  "posenc.wasm": 35_700,
  "full-api.js": 27_120,
  "posenc-full.wasm": 152_000,
  "posenc.global.js": 52_850,
  "posenc-full.global.js": 188_700,
};

/** The sizes of a file's bytes, as servers send them that compress as much as they can. */
function sizesOf(bytes) {
  const best = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, { params: best }).length,
  };
}

/** A file as a page gets it. ES modules are there to be read, and bundlers minify them: here as Vite has esbuild do it. */
function delivered(path) {
  const bytes = readFileSync(path);
  if (path.endsWith(".wasm") || path.endsWith(".global.js")) return bytes;
  return Buffer.from(transformSync(bytes.toString(), { minify: true, format: "esm", charset: "utf8" }).code);
}

/** The sizes of the entries, and a message for each that is too large. */
export function checkSizes() {
  const sizes = Object.keys(LIMITS).map((entry) => ({ entry, ...sizesOf(delivered(join(root, "dist", entry))) }));
  const tooLarge = sizes
    .filter(({ entry, brotli }) => brotli > LIMITS[entry])
    .map(({ entry, brotli }) => `${entry}: ${brotli} bytes with brotli, expected at most ${LIMITS[entry]}`);
  return { sizes, tooLarge };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { sizes, tooLarge } = checkSizes();
  const columns = (texts) => texts.map((text) => String(text).padStart(10)).join("");
  console.log(`${"bytes, minified".padEnd(24)}${columns(["raw", "gzip", "brotli"])}`);
  for (const { entry, raw, gzip, brotli } of sizes)
    console.log(`${entry.padEnd(24)}${columns([raw, gzip, brotli])}  (at most ${LIMITS[entry]})`);
  for (const message of tooLarge) console.error(message);
  process.exitCode = tooLarge.length > 0 ? 1 : 0;
}
