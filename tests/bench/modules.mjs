// What workloads run: the entries of the package, and modules of WebAssembly for comparison.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "posenc";
import { load as loadFull } from "posenc/full";
import { build, root } from "../../bindings/setup/paths.mjs";

const compiled = (...path) => WebAssembly.compile(readFileSync(join(...path)));
const ofBench = (name) => compiled(build, "wasm", "tests", "bench", `${name}.wasm`);

/**
 * Returns what `load` gives, and the WebAssembly.Memory of the instance that it makes, which the library does not show: a
 * loop that is to be compared runs on the same pages.
 */
async function loadedWithMemory(load) {
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate(...given);
    memory = Object.values((made.instance ?? made).exports).find((one) => one instanceof WebAssembly.Memory);
    return made;
  };
  try {
    return { library: await load({ shared: false }), memory };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

/** A library whose memory has grown enough: a view that a row holds is then not lost in the middle of a call. */
function grown(library) {
  library.buffer(1 << 25).dispose();
  return library;
}

/**
 * `pe` and `full`, the entries; `scalar`, the full one without SIMD; `yardsticks` and `kernels`, compiled; `loops` on
 * the memory of `full`.
 */
export async function loadedModules() {
  const { library, memory } = await loadedWithMemory(loadFull);
  const scalarModule = await compiled(root, "dist", "posenc-full-scalar.wasm");
  return {
    pe: await load(),
    full: grown(library),
    scalar: grown(await loadFull({ wasm: scalarModule, shared: false })),
    yardsticks: await ofBench("yardsticks"),
    kernels: await ofBench("kernels"),
    loops: new WebAssembly.Instance(await ofBench("rotations"), { env: { memory } }).exports,
  };
}
