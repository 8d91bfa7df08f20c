// `npm start`: makes the page with the module that its first figures need, shows it, and makes the rest of the build while
// it is looked at. The page is in build/first; what it may still ask for is put beside it when it is made.
import { cpSync, rmSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { buildSteps, FIRST_MODULE, isBuilt, node, PAGE_INPUTS } from "./build-steps.mjs";
import { stayUntilStopped } from "./cleanup.mjs";
import { explain } from "./failure.mjs";
import { build, root } from "./paths.mjs";
import { hasDesktop, openBrowser, servePage } from "./serve.mjs";
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
    title: "Page (build/first)",
    needs: ["first-module", "node-packages"],
    inputs: PAGE_INPUTS,
    outputs: () => ["build/first/page/index.html"],
    run: makeFirstPage,
  },
];

/** The other entries with SIMD, which most figures want: made before the modules without. */
const otherEntries = {
  name: "other-entries",
  title: "Other entries of the package",
  needs: ["module"],
  run: () => libraryTo(others),
};

const copy = (from, to) => cpSync(from, join(page, to), { recursive: true });
const inAssets = (from, names) => () => {
  for (const name of names) copy(join(from, name), join("assets", name));
};

/** Lists what the first page leaves out: which addresses, the step that makes it, and how it comes beside the page. */
export const LEFT_OUT = [
  {
    path: /^\/assets\/(?:full|tools|lab|lab-worker)\.js$/,
    step: "other-entries",
    add: inAssets(others, ["full.js", "tools.js", "lab.js", "lab-worker.js"]),
  },
  {
    path: /^\/assets\/(?:full-|tools-|lab-)?scalar\.js$/,
    step: "package",
    add: inAssets(join(root, "dist"), ["scalar.js", "full-scalar.js", "tools-scalar.js", "lab-scalar.js"]),
  },
  { path: /^\/api\//, step: "reference", add: () => copy(join(build, "reference"), "api") },
];

/** A part that the first page leaves out, with the promise `made` and what keeps and breaks it. */
function promised(part) {
  const whole = { ...part };
  whole.made = new Promise((keep, give) => Object.assign(whole, { keep, giveUp: give }));
  whole.made.catch(() => {}); // the server asks again
  return whole;
}

/** The build's steps, each of which puts beside the first page what it leaves out. */
const stepsThatAdd = (parts) =>
  buildSteps.toSpliced(1, 0, otherEntries).map((step) => ({
    ...step,
    after: () => {
      for (const { add, keep } of parts.filter((part) => part.step === step.name)) {
        add();
        keep();
      }
    },
  }));

/** Makes what the first page leaves out, and what else `npm run build` makes. */
async function makeRest(parts) {
  console.log("While it is open, the rest is made: further figures' modules, the package, the reference.\n");
  setPriority(10); // the browser comes first
  try {
    await runSteps(stepsThatAdd(parts));
    console.log("\nAll is made.");
  } catch (error) {
    for (const { giveUp } of parts) giveUp(error);
    console.error(`\n${explain(error)}\nThe page is served without it. Ctrl-C, then the same command, tries again.`);
  }
}

/** Runs the steps of `setup`, shows the page and stays until it is stopped; `alone` guards what writes to the clone. */
export async function startPage(setup, { open, alone }) {
  await alone(async () => {
    await runSteps([...setup, ...firstSteps]);
    const isWhole = isBuilt();
    const parts = isWhole ? [] : LEFT_OUT.map(promised);
    const { address } = await servePage(isWhole ? {} : { folder: page, pending: parts });
    stayUntilStopped();
    console.log(`\nThe page is at ${address} (Ctrl-C ends it)`);
    if (open && hasDesktop()) openBrowser(address);
    if (!isWhole) await makeRest(parts);
  });
}
