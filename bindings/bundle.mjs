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
 * Writes the characters of the wasm's string as themselves where they may stand there: escaped ones are a fortieth of
 * what brotli leaves of the file. A carriage return would be read as a line feed, and ends some strings. A zero before a
 * digit (esbuild's "\\x00") becomes U+0100, whose low byte is the same: Parcel's minifier writes "\\0" for it, which with
 * the digit is an octal escape, and refuses its own output.
 */
const plainCharacters = {
  name: "plain-characters",
  setup({ initialOptions: { outfile }, onEnd }) {
    const plain = (literal) =>
      literal.replace(/\\(?:x([0-9A-Fa-f]{2})|0|.)/gs, (escaped, code) => {
        const character = code === "00" ? "\u0100" : String.fromCharCode(code ? Number.parseInt(code, 16) : 0);
        return (code && !/[\r\n]/.test(character)) || escaped === "\\0" ? character : escaped;
      });
    onEnd(() => {
      const escaped = readFileSync(outfile, "utf8");
      const written = escaped.replace(/([`"'])\\0asm(?:(?!\1)[^\\]|\\.)*\1/s, plain);
      if (written === escaped) throw new Error(`${outfile}: no wasm in a string, expected one that begins with \\0asm`);
      writeFileSync(outfile, written);
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
    plugins: [wasmInside(`${compiled}.wasm`, scalar), plainCharacters],
  });

/** Bundles a source without WebAssembly. */
export const bundlePlain = (source, outfile) => build({ ...written, entryPoints: [source], outfile, bundle: true });

/** The bytes of a .wasm file as a module. */
export const bundleBytes = (wasm, outfile) =>
  build({ ...written, stdin: { contents: bytesModule(wasm) }, outfile, plugins: [plainCharacters] });
