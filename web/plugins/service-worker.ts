import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const template = new URL("../src/core/offline/service-worker.js", import.meta.url);

/** Writes service-worker.js with the names of all files of the page, and a version that changes with any of them. */
export const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    // Few engines need the modules without SIMD.
    const files = ["favicon.svg", "opticks.txt", ...Object.keys(bundle)]
      .filter((file) => !/scalar-[\w-]+\.(?:js|wasm)$/.test(file))
      .sort();
    const hash = createHash("sha256");
    for (const part of Object.values(bundle)) hash.update(part.type === "chunk" ? part.code : part.source);
    const source = readFileSync(template, "utf8")
      .replace('"FILES"', JSON.stringify(files.map((file) => `./${file}`)))
      .replace('"VERSION"', JSON.stringify(hash.digest("hex").slice(0, 16)));
    this.emitFile({ type: "asset", fileName: "service-worker.js", source });
  },
};
