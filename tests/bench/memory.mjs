// The memory of a library, which it does not show: a loop that is to be compared runs on the same pages.

/** Returns what `load` gives, and the WebAssembly.Memory of the instance that it makes, which nobody has had before. */
export async function loadedWithMemory(load) {
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

/** The exports of a module without data or stack, `rotations`, on that memory. */
export const loopsIn = (memory, module) => new WebAssembly.Instance(module, { env: { memory } }).exports;
