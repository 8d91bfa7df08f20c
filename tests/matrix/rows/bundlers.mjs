// Bundlers with their default configuration; what they make runs in Chromium. `posenc/external` is for those that
// support new URL(…, import.meta.url) and copy the .wasm: esbuild, rollup and bun do not, without plugins.
import { htmlWith, showing } from "../programs.mjs";

const BUN = `@oven/bun-${process.platform}-${process.arch}`;

const CLASSIC = "defer"; // the kind of script that most bundlers make by default

/** Bundles src/index.js into dist, where a page of ours takes it. */
const bundled = ({ entry = "posenc", output = "dist/main.js", kind, ...row }) => ({
  entry,
  files: { "src/index.js": showing(entry), "index.html": htmlWith(output, kind) },
  read: "page",
  page: "index.html",
  ...row,
});

/** The bundler starts from index.html, and writes dist/index.html. */
const fromPage = ({ entry = "posenc", ...row }) => ({
  entry,
  files: { "src/index.js": showing(entry), "index.html": htmlWith("./src/index.js") },
  read: "page",
  page: "dist/index.html",
  ...row,
});

const vite = (row) => [
  fromPage({
    version: "vite",
    ...row,
    name: `${row.name} build`,
    command: ["vite", "build", "--base", "./"],
  }),
  fromPage({
    version: "vite",
    ...row,
    name: `${row.name} dev`,
    command: ["vite", "--host", "127.0.0.1", "--port", "{port}", "--strictPort"],
    read: "served",
  }),
];

const webpack = {
  name: "webpack",
  packages: { webpack: "^5", "webpack-cli": "^7" },
  kind: CLASSIC,
  command: ["webpack", "build", "--mode", "production"],
};
const rspack = {
  name: "rspack",
  packages: { "@rspack/core": "^2", "@rspack/cli": "^2" },
  kind: CLASSIC,
  command: ["rspack", "build", "--mode", "production"],
};
const parcel = {
  name: "parcel",
  packages: { parcel: "^2" },
  ownLock: true,
  command: ["parcel", "build", "index.html", "--public-url", "./"],
};

/** A row's twin with the external .wasm. */
const external = (row) => ({ ...row, entry: "posenc/external" });

/** Bundles the lab, whose worker is a file that the bundler has to find. */
const lab = (row) => ({ ...row, entry: "posenc/lab" });

export const rows = [
  ...vite({ name: "vite 7" }), // the root's
  ...vite({ name: "vite 8", packages: { vite: "^8" } }),
  bundled({
    name: "esbuild",
    version: "esbuild",
    kind: CLASSIC,
    command: ["esbuild", "src/index.js", "--bundle", "--minify", "--outfile=dist/main.js"],
  }),
  bundled(webpack),
  bundled(rspack),
  bundled({
    name: "rollup",
    packages: { rollup: "^4", "@rollup/plugin-node-resolve": "^16" },
    output: "dist/index.js",
    command: ["rollup", "src/index.js", "--dir", "dist", "--format", "es", "--plugin", "node-resolve"],
  }),
  fromPage(parcel),
  fromPage({ ...parcel, entry: "posenc/full" }), // Parcel does not read the package's exports by default
  bundled({
    name: "bun build",
    packages: { [BUN]: "^1" },
    output: "dist/index.js",
    command: [`node_modules/${BUN}/bin/bun`, "build", "src/index.js", "--minify", "--outdir", "dist"],
  }),
  ...vite(lab({ name: "vite 7" })),
  ...vite(lab({ name: "vite 8", packages: { vite: "^8" } })),
  bundled(lab(webpack)),
  bundled(lab(rspack)),
  fromPage(lab(parcel)),
  ...vite(external({ name: "vite 7" })),
  ...vite(external({ name: "vite 8", packages: { vite: "^8" } })),
  bundled(external(webpack)),
  bundled(external(rspack)),
  fromPage(external(parcel)),
];
