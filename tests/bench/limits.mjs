// The limits of the machine (limits.cpp), each on memory that was touched before.

const noImports = new Proxy({}, { get: () => new Proxy({}, { get: () => () => 0 }) });

/** A new instance of a module without imports, with a memory of its own. */
export function instanceOf(module) {
  const { exports } = new WebAssembly.Instance(module, noImports);
  exports._initialize();
  return exports;
}

function allocated(limits, count) {
  const address = limits.allocate(count);
  if (address === 0) throw new RangeError(`no memory for ${count} values`);
  limits.fill(address, count);
  return address;
}

/** Contestants for `count` float32 values, a multiple of 32: `names` of memory.fill, memory.copy, multiply in place. */
export function limitsFor(module, count, names = ["memory.fill", "memory.copy", "multiply in place"]) {
  const limits = instanceOf(module);
  const to = allocated(limits, count);
  const from = names.includes("memory.copy") ? allocated(limits, count) : 0;
  const all = {
    "memory.fill": () => limits.fill(to, count),
    "memory.copy": () => limits.copy(to, from, count),
    "multiply in place": () => limits.multiply(to, count, 1),
  };
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}
