// The entry points, for knip: what cannot be reached from them is dead.

export default {
  entry: [
    "tests/interop/figures/run.mjs", // the test starts it for each program
    "bindings/embind/structs.mjs", // CMake runs it
    "bindings/package/build.mjs",
    "bindings/js/{npy,wgsl,files,engines,basics,everything,tools,lab,lab-worker}.ts",
    "bindings/package/entries/*.ts",
    "bindings/command/main.ts",
    "web/vite.config.ts",
    "web/reference.config.mjs",
    "web/src/{,checked/,tools/}main.ts",
    "web/src/{tools,training}/worker.ts", // addresses of Workers
    "web/src/panels/*/index.ts", // found by their folders
    "tests/**/*.test.mjs",
    // Started by their paths.
    "tests/api/guide/notebook-stand-ins.mjs",
    "tests/bench/{bench,empty,script-thread}.mjs",
    "tests/hygiene/{install,public-api}.mjs",
    "tests/interop/web-build.mjs",
    "tests/judge/main.mjs",
    "tests/lab/lab.mjs",
    "tests/matrix/matrix.mjs",
    "tests/notebooks/store.mjs",
    "tests/notebooks/jupyterlite/host.mjs",
    "tests/page/measure/*.mjs",
    "tests/page/playwright.config.mjs",
    "tests/robust/{fuzz,sanitized,sanitized-entries}.mjs",
  ],
  project: ["bindings/**/*.{mjs,ts}", "web/**/*.{mjs,ts}", "tests/**/*.mjs"],
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    "posenc-(api|module.*)", // bindings/package/bundle.mjs answers these names
    // Programs, and what is read as a file.
    "@biomejs/biome",
    "axe-core",
    "google-closure-compiler",
    // Below build/, for a test alone.
    "@arethetypeswrong/core",
    "@jupyterlite/javascript-kernel",
    "@tensorflow/tfjs",
    "onnxruntime-web",
  ],
  ignoreBinaries: ["apt-get", "dpkg", "dpkg-query"],
};
