// `npm start`: makes the page with the module that its first figures need, shows it, and makes the rest of the build while
// it is looked at. The page is in build/first; what it may still ask for is put beside it when it is made.
import { cpSync, rmSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { buildSteps, FIRST_MODULE, isBuilt, PAGE_INPUTS } from "./build-steps.mjs";
import { stayUntilStopped } from "./cleanup.mjs";
import { explain } from "./failure.mjs";
import { build, root } from "./paths.mjs";
import { node } from "./processes.mjs";
import { servePage } from "./serve.mjs";
import { setUp } from "./set-up.mjs";
import { runSteps } from "./steps.mjs";

const folder = join(build, "first");
const page = join(folder, "page");
const library = join(folder, "dist");
const others = join(folder, "others");

const libraryTo = (target, ...entry) =>
  node("first-package", ["bindings/package/build.mjs", "--first", target, ...entry]);

/** The page's imports of the package: the entry `posenc` as a file with the .wasm inside; the others by their addresses. */
const firstLibrary = {
  name: "first-library",
  enforce: "pre",
  resolveId(source) {
    const [, entry = "index"] = source.match(/^posenc(?:\/([\w-]+))?(?:\/external)?$/) ?? [];
    if (source.startsWith("posenc") && !source.endsWith(".json"))
      return entry === "index" || entry === "files" || entry === "external"
        ? join(library, `${entry === "files" ? "files" : "index"}.js`)
        : { id: `./${entry}.js`, external: true };
    return source.endsWith("/scalar.js") ? { id: "./scalar.js", external: true } : undefined;
  },
};

/** Makes build/first of the one module. */
export async function makeFirstPage() {
  rmSync(folder, { recursive: true, force: true });
  await libraryTo(library, "index");
  const vite = await import("vite");
  await vite.build({
    configFile: join(root, "web", "vite.config.ts"),
    logLevel: "warn",
    plugins: [firstLibrary],
    worker: { plugins: () => [firstLibrary] }, // workers are built apart
    build: { outDir: page },
  });
}

const firstSteps = [
  FIRST_MODULE,
  {
    name: "first-page",
    title: "the page with it (build/first)",
    needs: ["first-module"],
    inputs: PAGE_INPUTS,
    outputs: () => ["build/first/page/index.html"],
    run: makeFirstPage,
  },
];

/** Puts files and folders of `from` beside the first page. */
const add = (from, names, to = ".") => {
  for (const name of names) cpSync(join(from, name), join(page, to, name), { recursive: true });
};

/** The other entries with SIMD, which most figures want: made before the modules without. */
const otherEntries = {
  name: "other-entries",
  title: "the other entries of the package",
  needs: ["module"],
  run: async () => {
    await libraryTo(others);
    add(others, ["full.js", "tools.js", "lab.js", "lab-worker.js"], "assets");
  },
};

/** What else the first page leaves out. */
function addRest() {
  add(join(build, "page"), ["api"]);
  add(join(root, "dist"), ["scalar.js", "full-scalar.js", "tools-scalar.js", "lab-scalar.js"], "assets");
}

/** Sets up, shows the page and stays until it is stopped. */
export async function startPage(open) {
  await setUp();
  await runSteps(firstSteps);
  let isMaking = !isBuilt();
  const { address } = await servePage({ open, ...(isMaking && { folder: page, isMaking: () => isMaking }) });
  stayUntilStopped();
  console.log(`\nThe page is at ${address} (Ctrl-C ends it)`);
  if (!isMaking) return;
  console.log("While it is open, the rest is made: further figures' modules, the package, the reference.\n");
  setPriority(10); // the browser comes first
  try {
    await runSteps(buildSteps.toSpliced(1, 0, otherEntries));
    addRest();
    console.log("\nAll is made.");
  } catch (error) {
    console.error(`\n${explain(error)}\nThe page is served without it. Ctrl-C, then the same command, tries again.`);
  }
  isMaking = false;
}
