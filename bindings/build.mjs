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

/**
 * The entries of the package: the compiled module that each has inside, and the file with what stands in for its wasm
 * where an engine has no SIMD.
 */
const entries = {
  index: { module: "posenc", scalar: "scalar" },
  full: { module: "posenc_full", scalar: "full-scalar" },
};

/**
 * A module whose default export is the bytes of a .wasm file, in a string with a character a byte: of that, gzip and
 * brotli leave a fifth less than of base64.
 */
const bytesModule = (file) => `const text = ${JSON.stringify(readFileSync(file, "latin1"))};
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  export default bytes;`;

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

const bundle = (entry, { module, scalar }) =>
  build({
    ...written,
    entryPoints: [join(root, "bindings", "js", `${entry}.ts`)],
    outfile: join(making, `${entry}.js`),
    bundle: true,
    alias: { "posenc-module": join(compiled, `${module}.mjs`) },
    plugins: [wasmInside(join(compiled, `${module}.wasm`), scalar)],
  });

/** The wasm without SIMD alone: the entry's glue serves it too, if the names in both are the same. */
function bundleScalar({ module, scalar }) {
  const glue = (folder) => readFileSync(join(compiled, folder, `${module}.mjs`));
  if (!glue("").equals(glue("scalar")))
    throw new Error(`${module}.mjs is not the same with and without SIMD, expected one glue for both .wasm files`);
  const contents = bytesModule(join(compiled, "scalar", `${module}.wasm`));
  return build({ ...written, stdin: { contents }, outfile: join(making, `${scalar}.js`) });
}

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
for (const [entry, what] of Object.entries(entries)) {
  await bundle(entry, what);
  await bundleScalar(what);
}
declare();
rmSync(join(root, "dist"), { recursive: true, force: true });
renameSync(making, join(root, "dist"));
