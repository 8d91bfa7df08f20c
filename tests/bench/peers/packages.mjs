/**
 * Other libraries for the same work: packages from npm, with the versions that are asked for. `module` is the file that Node
 * imports where it is not the package's main one; `page` the one for pages, if any, `global` what a classic script of these
 * defines.
 */
export const PEERS = {
  "onnxruntime-web": {
    file: "onnxruntime.mjs",
    packages: { "onnxruntime-web": { version: "1.30.0", page: "dist/ort.wasm.bundle.min.mjs" } },
  },
  // Native code, what transformers.js 4.3 runs in Node: its package.json names this version.
  "onnxruntime-node": { file: "onnxruntime.mjs", packages: { "onnxruntime-node": { version: "1.30.0" } } },
  "tfjs wasm": {
    file: "tfjs.mjs",
    packages: {
      "@tensorflow/tfjs": { version: "4.22.0", page: "dist/tf.min.js", global: ["tf"] },
      "@tensorflow/tfjs-backend-wasm": {
        version: "4.22.0",
        page: "dist/tf-backend-wasm.min.js",
        global: ["tf", "wasm"],
      },
    },
  },
  "jax-js": {
    file: "jax.mjs",
    packages: { "@jax-js/jax": { version: "0.1.25", module: "dist/index.js", page: "dist/index.js" } },
  },
};

/** What is installed, in words. */
export const versionOf = (peer) =>
  Object.entries(PEERS[peer].packages)
    .map(([name, { version }]) => `${name} ${version}`)
    .join(", ");

/** Workloads that are raced against peers alone: their sizes and names. */
export const HEADED = [8, 512, 64];
export const GROUPED = { heads: 32, keyHeads: 8, keys: 4096, dim: 128 };
export const BIASED = `attention with a bias [${HEADED.join(", ")}]`;
export const DECODING = `decoding [${GROUPED.heads} heads, ${GROUPED.keyHeads} of keys, ${GROUPED.keys}, ${GROUPED.dim}]`;
