// An ES module with its wasm inside, from an entry in TypeScript and a compiled module.

import { readFileSync, writeFileSync } from "node:fs";
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

/**
 * Writes control characters of the wasm's string as themselves: escapes of two to four characters are a twentieth of
 * what brotli leaves of the file. Only what ends a line or a string has to be escaped.
 */
const unescaped = {
  name: "unescaped",
  setup({ initialOptions, onEnd }) {
    onEnd(() => {
      const { outfile } = initialOptions;
      const plain = readFileSync(outfile, "utf8").replace(/"\\0asm(?:[^"\\]|\\.)*"/gs, (literal) =>
        literal.replace(/\\(?:x([01][0-9A-Fa-f])|([0bfv]))/g, (whole, code, letter) => {
          const character = code
            ? String.fromCharCode(Number.parseInt(code, 16))
            : { 0: "\0", b: "\b", f: "\f", v: "\v" }[letter];
          return character === "\n" || character === "\r" ? whole : character;
        }),
      );
      writeFileSync(outfile, plain);
    });
  },
};

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
    plugins: [wasmInside(`${compiled}.wasm`, scalar), unescaped],
  });

/** The bytes of a .wasm file as a module. */
export const bundleBytes = (wasm, outfile) =>
  build({ ...written, stdin: { contents: bytesModule(wasm) }, outfile, plugins: [unescaped] });
