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
