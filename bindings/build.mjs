// Makes the package, dist/, from the compiled modules (build/wasm/bindings) and the TypeScript API (bindings/js): an ES
// module an entry with its wasm inside, and the types. Made beside and renamed, so that dist/ is always whole.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const compiled = join(root, "build", "wasm", "bindings");
const making = join(root, "build", "dist-in-the-making");

/** The entries of the package, and the compiled module that each has inside. */
const entries = { index: "posenc", full: "posenc_full" };

/**
 * A module whose default export is the bytes of a .wasm file, in a string with a character a byte: of that, gzip and
 * brotli leave a fifth less than of base64.
 */
const wasmInside = (file) => ({
  name: "wasm-inside",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^posenc-module\.wasm$/ }, () => ({ path: file, namespace: "wasm-inside" }));
    onLoad({ filter: /.*/, namespace: "wasm-inside" }, () => ({
      contents: `const text = ${JSON.stringify(readFileSync(file, "latin1"))};
        const bytes = new Uint8Array(text.length);
        for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
        export default bytes;`,
      watchFiles: [file],
    }));
  },
});

const bundle = (entry, compiledName) =>
  build({
    entryPoints: [join(root, "bindings", "js", `${entry}.ts`)],
    outfile: join(making, `${entry}.js`),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    alias: { "posenc-module": join(compiled, `${compiledName}.mjs`) },
    plugins: [wasmInside(join(compiled, `${compiledName}.wasm`))],
    logLevel: "warning",
  });

function declare() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const project = join(root, "bindings", "js", "tsconfig.json");
  const whole = join(making, "declarations");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", whole], { stdio: "inherit" });
  // Only what a user can name is published: the entries and the types of the API.
  for (const published of [...Object.keys(entries).map((entry) => `${entry}.d.ts`), "types"])
    renameSync(join(whole, published), join(making, published));
  rmSync(whole, { recursive: true });
}

rmSync(making, { recursive: true, force: true });
mkdirSync(making, { recursive: true });
for (const [entry, compiledName] of Object.entries(entries)) await bundle(entry, compiledName);
declare();
rmSync(join(root, "dist"), { recursive: true, force: true });
renameSync(making, join(root, "dist"));
