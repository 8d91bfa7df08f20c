// Bundlers with their default configuration; what they make runs in Chromium.
import { htmlWith, showing } from "../programs.mjs";

const SOURCE = { "src/index.js": showing() };

/** Bundles src/index.js into dist, where a page of ours takes it. */
const bundled = ({ output = "dist/main.js", kind, ...row }) => ({
  entry: "posenc",
  files: { ...SOURCE, "index.html": htmlWith(output, kind) },
  read: "page",
  page: "index.html",
  ...row,
});

/** The bundler starts from index.html, and writes dist/index.html. */
const fromPage = (row) => ({
  entry: "posenc",
  files: { ...SOURCE, "index.html": htmlWith("./src/index.js") },
  read: "page",
  page: "dist/index.html",
  ...row,
});

/** A page's script at the server's root, as a bundler's server has it. */
const fromRoot = { ...SOURCE, "index.html": htmlWith("/src/index.js") };

const viteRows = (name, packages, fast) => [
  {
    ...fromPage({ name: `${name} build`, version: "vite", packages, fast, files: fromRoot }),
    command: ["vite", "build", "--base", "./"],
  },
  {
    name: `${name} dev`,
    entry: "posenc",
    version: "vite",
    packages,
    fast,
    files: fromRoot,
    command: ["vite", "--host", "127.0.0.1", "--port", "{port}", "--strictPort"],
    read: "served",
  },
];

const CLASSIC = "defer";

export const rows = [
  ...viteRows("vite 7", undefined, true), // the root's
  ...viteRows("vite 8", { vite: "^8" }),
  bundled({
    name: "esbuild",
    version: "esbuild",
    fast: true,
    kind: CLASSIC,
    command: ["esbuild", "src/index.js", "--bundle", "--minify", "--outfile=dist/main.js"],
  }),
  bundled({
    name: "webpack",
    packages: { webpack: "^5", "webpack-cli": "^7" },
    kind: CLASSIC,
    command: ["webpack", "build", "--mode", "production"],
  }),
  bundled({
    name: "rspack",
    packages: { "@rspack/core": "^2", "@rspack/cli": "^2" },
    kind: CLASSIC,
    command: ["rspack", "build", "--mode", "production"],
  }),
  bundled({
    name: "rollup",
    packages: { rollup: "^4", "@rollup/plugin-node-resolve": "^16" },
    output: "dist/index.js",
    command: ["rollup", "src/index.js", "--dir", "dist", "--format", "es", "--plugin", "node-resolve"],
  }),
  fromPage({
    name: "parcel",
    packages: { parcel: "^2" },
    command: ["parcel", "build", "index.html", "--public-url", "./"],
  }),
  bundled({
    name: "bun build",
    packages: { [`@oven/bun-${process.platform}-${process.arch}`]: "^1" },
    output: "dist/index.js",
    command: [
      `node_modules/@oven/bun-${process.platform}-${process.arch}/bin/bun`,
      "build",
      "src/index.js",
      "--minify",
      "--outdir",
      "dist",
    ],
  }),
];
