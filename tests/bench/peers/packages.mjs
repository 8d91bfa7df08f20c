/** Other libraries for the same work: packages from npm, with the versions that are asked for. */
export const PEERS = {
  "onnxruntime-web": { file: "onnxruntime.mjs", packages: { "onnxruntime-web": { version: "1.30.0" } } },
  "tfjs wasm": {
    file: "tfjs.mjs",
    packages: {
      "@tensorflow/tfjs": { version: "4.22.0" },
      "@tensorflow/tfjs-backend-wasm": { version: "4.22.0" },
    },
  },
  "jax-js": { file: "jax.mjs", packages: { "@jax-js/jax": { version: "0.1.25", module: "dist/index.js" } } },
};

/** Workloads that are raced against peers alone. */
export const BIASED = "attention with a bias [8, 512, 64]";
export const DECODING = "decoding [32 heads, 8 of keys, 4096, 128]";
