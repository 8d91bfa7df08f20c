// Modules and scripts of the package, from entries in TypeScript and a compiled module.

import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transformSync } from "esbuild";
import { root } from "../setup/paths.mjs";
import { textOf } from "./wasm.mjs";

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: "neutral",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
  write: false,
};

/**
 * For people to read where an error is, and for bundlers, which minify: names as in the sources, a map to these, and
 * lines of at most 160 columns; escapes in a string, which goes on in the next line after a backslash, do not count.
 */
const readable = { format: "esm", charset: "utf8", lineLimit: 100, sourcemap: "linked" };

/** Minified, since nobody else does it. In ASCII: the page settles what a script's characters are. */
const script = {
  minify: true,
  format: "iife",
  charset: "ascii",
  lineLimit: 500, // shorter lines of the .wasm's text make it larger
  supported: { "dynamic-import": true },
};

const places = (wasm, scalar) => `export const simd = () => new URL("./${wasm}", import.meta.url);
  export const scalar = () => new URL("./${scalar}", import.meta.url);`;

/** What stands for the modules that sources import by name: declared in modules.d.ts. */
const moduleParts = ({ glue, wasm, mark, scalar, names, functions, compiledAs, api }) => ({
  name: "module-parts",
  setup({ onResolve, onLoad }) {
    const answer = (name, how) => onResolve({ filter: new RegExp(`^${name}$`) }, how);
    const virtual = (name, contents, loader = "js") => {
      const file = name.replaceAll(".", "-");
      answer(name, () => ({ path: join(root, file) }));
      onLoad({ filter: new RegExp(`[\\\\/]${file}$`) }, () => ({ contents: contents(), loader, resolveDir: root }));
    };
    const beside = (name, file) => answer(name, () => ({ path: `./${file}`, external: true }));
    virtual("posenc-module", () => transformSync(glue, { lineLimit: readable.lineLimit }).code);
    virtual("posenc-module.wasm", () => textOf(wasm), "text");
    virtual("posenc-module.mark", () => mark, "text");
    virtual("posenc-module.places", () => places(names.simd, names.scalar));
    virtual("posenc-functions", () => `export { ${functions} as api } from "./bindings/js/${functions}.ts";`);
    // Stays an import(): whoever bundles the package gets a chunk that is fetched when it is asked for.
    beside("posenc-module-scalar.wasm", `${scalar}.js`);
    beside("posenc-module.compiled", compiledAs);
    if (api?.endsWith(".ts")) answer("posenc-api", () => ({ path: api }));
    else beside("posenc-api", api);
  },
});

/** A map without the text of the .wasm, which is as long as all sources; tools would miss a source that has no content. */
function slimMap(text) {
  const map = JSON.parse(text);
  const contentOf = (source, i) => (source.endsWith("/posenc-module-wasm") ? "// the .wasm" : map.sourcesContent[i]);
  return JSON.stringify({ ...map, sourcesContent: map.sources.map(contentOf) });
}

/** Writes what esbuild made for dist/, seen from where maps name the sources, into `folder`. */
async function write(folder, file, more) {
  const { outputFiles } = await build({ ...options, ...more, outfile: join(root, "dist", file) });
  for (const { path, text } of outputFiles)
    writeFileSync(join(folder, basename(path)), path.endsWith(".map") ? slimMap(text) : text);
}

/**
 * Bundles `source` into `file` in `folder`. `parts` are what it may import by name: "posenc-module", the text
 * `parts.glue`; the bytes `parts.wasm`; and what moduleParts says. With `globalName` a classic script.
 */
export const bundle = ({ source, folder, file, globalName, ...parts }) =>
  write(folder, file, {
    ...(globalName ? { ...script, globalName } : readable),
    entryPoints: [source],
    external: ["node:*"],
    plugins: [moduleParts(parts)],
  });

/** The bytes of a .wasm file as a module, whose text entries/inside.ts reads. */
export const bundleText = (wasm, folder, file) =>
  write(folder, file, { ...readable, sourcemap: false, stdin: { contents: textOf(wasm), loader: "text" } });
