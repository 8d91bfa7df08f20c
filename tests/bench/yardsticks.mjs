// The limits of the machine and loops compiled for comparison (yardsticks/), each on memory that was touched before.

const noImports = new Proxy({}, { get: () => new Proxy({}, { get: () => () => 0 }) });

/** A new instance of a module without imports, with a memory of its own. */
export function instanceOf(module) {
  const { exports } = new WebAssembly.Instance(module, noImports);
  exports._initialize();
  return exports;
}

function allocated(yardsticks, count) {
  const address = yardsticks.allocate(count);
  if (address === 0) throw new RangeError(`no memory for ${count} values`);
  yardsticks.fill(address, count);
  return address;
}

/** The contestant of that name for `count` float32 values, a multiple of 64, with all of which it does something once. */
export function limitFor(module, count, name) {
  const yardsticks = instanceOf(module);
  const to = allocated(yardsticks, count);
  const from = name === "memory.copy" ? allocated(yardsticks, count) : 0;
  const all = {
    "memory.fill": () => yardsticks.fill(to, count),
    "memory.copy": () => yardsticks.copy(to, from, count),
    "multiply in place": () => yardsticks.multiply(to, count, 1),
    "reading once": () => yardsticks.read(to, count),
  };
  return { [name]: all[name] };
}

/** As many multiplications and additions as there are `operations`, in registers. */
export function registersFor(module, operations) {
  const yardsticks = instanceOf(module);
  return { "multiply-add in registers": () => yardsticks.multiplyAdd(operations) };
}

/**
 * A loop of the yardsticks, `call(yardsticks, addresses)`, on float32 arrays of its own memory, which have the values of
 * `arrays`; `result(name)` shows one of them.
 */
export function loopOn(module, arrays, call) {
  const yardsticks = instanceOf(module);
  const addresses = Object.fromEntries(
    Object.entries(arrays).map(([name, { length }]) => [name, allocated(yardsticks, length)]),
  );
  const view = (name) => new Float32Array(yardsticks.memory.buffer, addresses[name], arrays[name].length);
  for (const [name, values] of Object.entries(arrays)) view(name).set(values);
  return { run: () => call(yardsticks, addresses), result: view };
}
