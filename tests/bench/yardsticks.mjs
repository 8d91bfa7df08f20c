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

/** Reads `count` float32 values, a multiple of 64, once. */
export function readingOnce(module, count) {
  const yardsticks = instanceOf(module);
  const from = allocated(yardsticks, count);
  return { "reading once": () => yardsticks.read(from, count) };
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
