// An ES module with its wasm inside, from an entry in TypeScript and a compiled module.

import { readFileSync } from "node:fs";
import { build } from "esbuild";

/**
 * A module whose default export is the bytes of a .wasm file, in a string with a character a byte: of that, gzip and
 * brotli leave a fifth less than of base64. Node's Buffer reads it forty times as fast as a loop that runs once.
 */
const bytesModule = (file) => `const text = ${JSON.stringify(readFileSync(file, "latin1"))};
  function read() {
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
    return bytes;
  }
  export default globalThis.Buffer?.from(text, "latin1") ?? read();`;

const wasmInside = (file, scalar) => ({
  name: "wasm-inside",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^posenc-module\.wasm$/ }, () => ({ path: file, namespace: "wasm-inside" }));
    onLoad({ filter: /.*/, namespace: "wasm-inside" }, () => ({ contents: bytesModule(file), watchFiles: [file] }));
    // Stays an import(): whoever bundles the package gets a chunk that is fetched when it is asked for.
    onResolve({ filter: /^posenc-module-scalar\.wasm$/ }, () => ({ path: `./${scalar}.js`, external: true }));
  },
});

const written = {
  minify: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

/**
 * Bundles `source`, which imports "posenc-module", with the module at `compiled` (.mjs and .wasm) into `outfile`. The
 * file named `scalar` beside it is what it imports where an engine has no SIMD.
 */
export const bundle = ({ source, compiled, outfile, scalar }) =>
  build({
    ...written,
    entryPoints: [source],
    outfile,
    bundle: true,
    alias: { "posenc-module": `${compiled}.mjs` },
    plugins: [wasmInside(`${compiled}.wasm`, scalar)],
  });

/** The bytes of a .wasm file as a module. */
export const bundleBytes = (wasm, outfile) => build({ ...written, stdin: { contents: bytesModule(wasm) }, outfile });
