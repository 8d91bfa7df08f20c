// The page that `npm start` opens with, in build/first: the modules with SIMD and no others, which nearly every engine
// takes. What it may still ask for (the other modules, still pictures, the reference) is put beside it when it is made.
import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build, root } from "./paths.mjs";
import { capture } from "./processes.mjs";

const folder = join(build, "first");
const library = join(folder, "dist");

/** The folder to serve. */
export const firstPage = join(folder, "page");

/**
 * The page's imports of the package: files of build/first/dist, which have the .wasm inside, but for the modules without
 * SIMD, fetched by address.
 */
const firstLibrary = {
  name: "first-library",
  enforce: "pre",
  resolveId(source) {
    const [, entry = "index"] = source.match(/^posenc(?:\/(full|tools|lab|files))?(?:\/external)?$/) ?? [];
    if (source.startsWith("posenc") && !source.endsWith(".json")) return join(library, `${entry}.js`);
    return /\/(?:full-|tools-|lab-)?scalar\.js$/.test(source)
      ? { id: `./${basename(source)}`, external: true }
      : undefined;
  },
};

/** Makes build/first of what is compiled. */
export async function makeFirstPage() {
  rmSync(folder, { recursive: true, force: true });
  await capture(process.execPath, ["bindings/package/build.mjs", "--first", library], { log: "first-package" });
  const vite = await import("vite");
  await vite.build({
    configFile: join(root, "web", "vite.config.ts"),
    mode: "first",
    logLevel: "warn",
    plugins: [firstLibrary],
    // Workers are built apart.
    worker: { plugins: () => [firstLibrary] },
    build: { outDir: firstPage },
  });
}

/**
 * What the first page leaves out: which addresses, the step that makes it, and how it comes beside the page.
 */
export const LEFT_OUT = [
  {
    path: /^\/assets\/(?:full-|tools-|lab-)?scalar\.js$/,
    step: "package",
    add: () => {
      for (const name of ["scalar.js", "full-scalar.js", "tools-scalar.js", "lab-scalar.js"])
        cpSync(join(root, "dist", name), join(firstPage, "assets", name));
    },
  },
  {
    path: /^\/(?:(?:pictures|figures)\/|(?:story|share)\.)/,
    step: "page-build",
    add: () => {
      for (const name of [
        "pictures",
        "figures",
        ...["en", "zh"].flatMap((tag) => [`story.${tag}.html`, `share.${tag}.png`]),
      ])
        cpSync(join(build, "page", name), join(firstPage, name), { recursive: true });
    },
  },
  {
    path: /^\/api\//,
    step: "reference",
    add: () => cpSync(join(build, "reference"), join(firstPage, "api"), { recursive: true }),
  },
];
