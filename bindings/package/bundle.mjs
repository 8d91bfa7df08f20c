// Modules and scripts of the package, from entries in TypeScript and a compiled module.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, transformSync } from "esbuild";
import { root } from "../setup/paths.mjs";
import { literalOf } from "./wasm.mjs";

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: "neutral",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
  write: false,
};

/** Names as in the sources, a map to these, and short lines: for people to read where an error is; bundlers minify. */
const readable = { format: "esm", charset: "utf8", lineLimit: 100, sourcemap: "linked" };

/** Minified, since nobody else does it. In ASCII: the page settles what a script's characters are. */
const script = {
  minify: true,
  format: "esm",
  charset: "ascii",
  lineLimit: 500, // shorter lines of the .wasm's text make it larger
  supported: { "dynamic-import": true },
};

/** A placeholder for the .wasm's text, which esbuild may write as a template: see wasm.mjs. */
const TEXT = /["'`]the text of the \.wasm["'`]/;

const places = (wasm, scalar) => `export const simd = () => new URL("./${wasm}", import.meta.url);
  export const scalar = () => new URL("./${scalar}", import.meta.url);`;

/** The modules that sources import by name: declared in modules.d.ts. */
const moduleParts = ({ glue, mark, scalar, names, functions, compiledAs, api, entries = {} }) => ({
  name: "module-parts",
  setup({ onResolve, onLoad }) {
    const answer = (name, how) => onResolve({ filter: new RegExp(`^${name}$`) }, how);
    const virtual = (name, contents, loader = "js") => {
      const file = name.replaceAll(".", "-");
      answer(name, () => ({ path: join(root, file) }));
      onLoad({ filter: new RegExp(`[\\\\/]${file}$`) }, () => ({ contents: contents(), loader, resolveDir: root }));
    };
    // An entry that is one of several in a file imports nothing for the others.
    const beside = (name, file) => answer(name, () => ({ path: `./${file}`, external: true, sideEffects: false }));
    virtual("posenc-module", () => transformSync(glue, { lineLimit: readable.lineLimit }).code);
    virtual("posenc-module.wasm", () => "the text of the .wasm", "text");
    virtual("posenc-module.mark", () => mark, "text");
    virtual("posenc-module.places", () => places(names.simd, names.scalar));
    // Stays an import(): bundlers make it a chunk that is fetched on demand.
    beside("posenc-module-scalar.wasm", `${scalar}.js`);
    beside("posenc-module.compiled", compiledAs);
    if (api) beside("posenc-api", api);
    else virtual("posenc-api", () => `export { hasSimd, loadFrom } from "./bindings/js/${functions}.ts";`);
    // The command loads the entries beside it, as everybody does.
    for (const [name, file] of Object.entries(entries)) beside(name, file);
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
  },
});

/** esbuild's namespaces, of their own names: it would also take those that a page has put on Object.prototype. */
const withOwnNames = (code) =>
  code.replace(/for ?\(var (\w+) in (\w+)\)(?=\s*[\w$]+\([\w$]+, ?\1, ?\{ ?get:)/g, "for (var $1 of Object.keys($2))");

/**
 * A classic script of a module that imports nothing and exports `load`. esbuild's own way would bring a substitute for
 * require, for imports that are all gone.
 */
function classic(code, globalName) {
  const [exported, name] = code.match(/export ?\{ ?([\w$]+) as load ?\};\s*$/) ?? [];
  if (!name || /^import\b/m.test(code)) throw new Error(`${globalName}: expected a module that exports load alone`);
  return `"use strict";var ${globalName}=(()=>{${code.slice(0, -exported.length)}return{load:${name}}})();\n`;
}

/** esbuild ends no line within a list of variables, and the texts of errors are a long one. */
const withShortLines = (code) => code.replace(/",(?=[\w$]+=")/g, '",\n');

/** Puts a literal of several lines in place of TEXT; in a map's mappings a semicolon ends each line. */
function withText({ code, map }, literal) {
  const [before, after, ...more] = code.split(TEXT);
  if (after === undefined || more.length > 0) throw new Error(`${TEXT} not found, or twice, expected it once`);
  const mappings = map?.mappings.split(";");
  mappings?.splice(before.split("\n").length, 0, ...literal.split("\n").slice(1).fill(""));
  return { code: before + literal + after, map: map && { ...map, mappings: mappings.join(";") } };
}

const entryOf = (source, load) => ({
  contents: `export { ${load} as load } from ${JSON.stringify(source)};`,
  resolveDir: root,
});

/**
 * Bundles `source` into `file` in `folder`: all that it exports, or what is called `load`, as that. `parts` are what it may import by name: "posenc-module", the text
 * `parts.glue`; the bytes `parts.wasm`; and the result of moduleParts. With `globalName` a classic script.
 */
export async function bundle({ source, load, folder, file, globalName, ...parts }) {
  const kind = globalName ? script : readable;
  const { outputFiles } = await build({
    ...options,
    ...kind,
    ...(load ? { stdin: entryOf(source, load) } : { entryPoints: [source] }),
    outfile: join(root, "dist", file), // where the map names the sources from
    plugins: [moduleParts(parts)],
  });
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text;
  const bundled = withOwnNames(textOf(".js"));
  const made = {
    code: globalName ? withShortLines(classic(bundled, globalName)) : bundled,
    map: kind.sourcemap && JSON.parse(textOf(".map")),
  };
  const { code, map } = parts.wasm ? withText(made, literalOf(parts.wasm, kind)) : made;
  writeFileSync(join(folder, file), code);
  if (map) writeFileSync(join(folder, `${file}.map`), JSON.stringify(map));
}

/** The text of a .wasm, which entries/inside.ts reads, as a module. */
export const textModule = (wasm) => `export default ${literalOf(wasm, readable)};\n`;
