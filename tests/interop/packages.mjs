// The libraries whose tensors ours become, as npm has them, installed below build/ and found there.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "../../bindings/setup/paths.mjs";
import { installPackages } from "../packages.mjs";

const DEPENDENCIES = {
  "@huggingface/transformers": "4.3.1",
  "onnxruntime-web": "1.30.0",
  "@tensorflow/tfjs": "4.22.0",
  "@jax-js/jax": "0.1.25",
};

// Native programs of 300 MB, which only transformers.js' build for Node needs.
const standIn = "npm:onnxruntime-common@1.30.0";
const manifest = { type: "module", overrides: { "onnxruntime-node": standIn, sharp: standIn } };

export const folder = join(build, "interop");

export const install = () => installPackages(folder, DEPENDENCIES, { manifest });

const require = createRequire(join(folder, "package.json"));
const fromFile = (...path) => import(pathToFileURL(join(folder, "node_modules", ...path)).href);

/** The modules, as a page gets them. transformers.js computes with the onnxruntime-web given here. */
export async function open() {
  const ort = require("onnxruntime-web");
  Object.assign(ort.env, { logLevel: "error" });
  globalThis[Symbol.for("onnxruntime")] = ort;
  const transformers = await fromFile("@huggingface", "transformers", "dist", "transformers.web.js");
  // transformers.js would fetch its wasm from another server.
  Object.assign(ort.env.wasm, { numThreads: 1, wasmPaths: undefined });
  const tf = require("@tensorflow/tfjs");
  const jax = await fromFile("@jax-js", "jax", "dist", "index.js");
  await jax.init("wasm");
  jax.defaultDevice("wasm");
  return { ort, transformers, tf, np: jax.numpy };
}
