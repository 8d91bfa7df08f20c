// Modules and scripts of the package, from entries in TypeScript and a compiled module.

import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

/**
 * A module whose default export is the bytes of a .wasm, in a string with a character a byte: of that, gzip and
 * brotli leave a fifth less than of base64. Node's Buffer reads it forty times as fast as a loop that runs once.
 */
const bytesModule = (wasm) => `const text = ${JSON.stringify(wasm.toString("latin1"))};
  function read() {
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
    return bytes;
  }
  export default globalThis.Buffer?.from(text, "latin1") ?? read();`;

/** The bytes of a .wasm file and a section that has no content: its name tells which glue the .wasm belongs to. */
export const markedWasm = (file, mark) =>
  Buffer.concat([readFileSync(file), Buffer.from([0, mark.length + 1, mark.length]), Buffer.from(mark, "latin1")]);

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

const places = (wasm, scalar) => `export const simd = () => new URL("./${wasm}", import.meta.url);
  export const scalar = () => new URL("./${scalar}", import.meta.url);`;

/** What stands for the modules that sources import by name: declared in modules.d.ts. */
const moduleParts = ({ wasm, mark, scalar, names, compiledAs, api }) => ({
  name: "module-parts",
  setup({ onResolve, onLoad }) {
    const virtual = (filter, contents) => {
      const namespace = filter.source;
      onResolve({ filter }, () => ({ path: "part", namespace }));
      onLoad({ filter: /.*/, namespace }, () => ({ contents: contents(), ...(wasm && { watchFiles: [wasm] }) }));
    };
    const beside = (filter, file) => onResolve({ filter }, () => ({ path: `./${file}`, external: true }));
    virtual(/^posenc-module\.wasm$/, () => bytesModule(markedWasm(wasm, mark)));
    virtual(/^posenc-module\.mark$/, () => `export default ${JSON.stringify(mark)}`);
    virtual(/^posenc-module\.places$/, () => places(names.simd, names.scalar));
    // Stays an import(): whoever bundles the package gets a chunk that is fetched when it is asked for.
    beside(/^posenc-module-scalar\.wasm$/, `${scalar}.js`);
    beside(/^posenc-module\.compiled$/, compiledAs);
    if (api?.endsWith(".ts")) onResolve({ filter: /^posenc-api$/ }, () => ({ path: api }));
    else beside(/^posenc-api$/, api);
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
 * Bundles `source` into `outfile`. `parts` are what it may import by name: "posenc-module", the glue `parts.glue`; the
 * bytes of `parts.wasm`; and what moduleParts says. With `globalName` a classic script, in ASCII since a page settles
 * what its characters are.
 */
export const bundle = ({ source, outfile, globalName, ...parts }) =>
  build({
    ...written,
    entryPoints: [source],
    outfile,
    bundle: true,
    external: ["node:*"],
    alias: { "posenc-module": parts.glue },
    plugins: [moduleParts(parts), ...(parts.wasm && !globalName ? [plainCharacters] : [])],
    ...(globalName && { format: "iife", globalName, charset: "ascii", supported: { "dynamic-import": true } }),
  });

/** Bundles a source without WebAssembly. */
export const bundlePlain = (source, outfile) => build({ ...written, entryPoints: [source], outfile, bundle: true });

/** The bytes of a .wasm file as a module. */
export const bundleBytes = (wasm, outfile) =>
  build({ ...written, stdin: { contents: bytesModule(wasm) }, outfile, plugins: [plainCharacters] });
