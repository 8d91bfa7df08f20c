// Values of the library itself for fuzzed calls: views into its memory, objects alive and deleted.

const kinds = [Float32Array, Float64Array, Int32Array, Uint16Array, Uint8Array, Int8Array];

/** Everything by which fuzzed calls reach the library's own memory. */
export function libraryValues(pe, optionNames) {
  const canary = pe.buffer(64);
  const other = pe.buffer(64);
  const half = pe.buffer(64, { dtype: "float16" });
  const gone = pe.buffer(64);
  const stale = gone.view;
  const { byteOffset: staleOffset } = stale;
  gone.delete();
  const rotary = (more) => pe.rotary({ dim: 4, layout: "half", ...more });
  const deleted = (made) => {
    made.delete();
    return made;
  };
  const dead = {
    rotary: deleted(rotary()),
    grid: deleted(pe.rotaryGrid({ preset: "rope-vit", dim: 8 })),
    buffer: gone,
  };
  const memory = () => other.view.buffer;
  const values = [
    () => other,
    () => half,
    () => other.view,
    () => other.view.subarray(3, 9),
    () => other.view.subarray(0, 6),
    () => half.view,
    () => half.view.subarray(1, 7),
    () => new Int32Array(memory(), other.view.byteOffset, 6),
    () => new Float64Array(memory(), other.view.byteOffset, 6),
    () => new Uint16Array(memory(), half.view.byteOffset, 6),
    // Outside of any buffer.
    () => stale,
    () => new Float32Array(memory(), staleOffset, 6),
    () => new Float32Array(memory(), 64, 6),
    () => new Float32Array(memory(), 1024, 5),
    () => new Int32Array(memory(), 2048, 3),
    () => new Float32Array(memory(), memory().byteLength - 24, 6),
    () => new Uint16Array(memory(), 4096, 12),
    () => new Float32Array(memory(), other.view.byteOffset - 8, 6),
    () => new Float32Array(memory(), 0, 0),
    () => ({ data: new Float32Array(memory(), 64, 6), shape: [2, 3] }),
    () => ({ data: other.view.subarray(0, 6), shape: [2, 3] }),
    () => dead.rotary,
    () => dead.grid,
    () => dead.buffer,
    () => rotary(),
    () => new Proxy(rotary(), {}),
    () => Object.create(rotary()),
    () => Object.assign(rotary(), { dim: 4096, rotaryDim: 4096 }),
    () => Object.assign(rotary({ dim: 8 }), { rotaryDim: 2 }),
    () => ({ ...pe }),
    () => ({
      [Symbol.toStringTag]: "Float32Array",
      buffer: memory(),
      byteOffset: other.view.byteOffset,
      byteLength: 4,
      length: 6,
    }),
  ];
  const outs = [1, 5, 6, 12, 15, 18, 24, 36]
    .flatMap((size) => [
      () => new Float32Array(size).fill(7),
      () => other.view.subarray(0, size),
      () => new Int32Array(size),
      () => new Uint16Array(size),
      () => new Float64Array(size),
      () => ({ cos: new Float32Array(size), sin: new Float32Array(size) }),
      () => ({ cos: other.view.subarray(0, size), sin: other.view.subarray(size - 1, 2 * size - 1) }),
      () => ({ output: new Float32Array(size) }),
    ])
    .concat(values.slice(2, 18));
  return {
    optionNames,
    values,
    outs,
    canary,
    /** Returns the numbers in an array of another type, shared, detached, at an offset, or in the library's memory. */
    elsewhere(array, b) {
      switch (b % 9) {
        case 0: {
          const copy = array.slice();
          structuredClone(copy.buffer, { transfer: [copy.buffer] });
          return copy;
        }
        case 1: {
          const shared = new array.constructor(new SharedArrayBuffer(array.byteLength));
          shared.set(array);
          return shared;
        }
        case 2: {
          const pool = new ArrayBuffer(array.byteLength + 16, { maxByteLength: array.byteLength + 64 });
          const view = new array.constructor(pool, 8, array.length);
          view.set(array);
          return view;
        }
        case 3: {
          const inside = new array.constructor(memory(), other.view.byteOffset, Math.min(array.length, 32));
          inside.set(array.subarray(0, inside.length));
          return inside;
        }
        case 4:
          return new array.constructor(memory(), 64, array.length);
        case 5:
          return Array.from(array);
        case 6:
          return array.subarray(0, Math.max(array.length - 1, 0));
        case 7:
          return new Proxy(array, {});
        default:
          return new kinds[b % kinds.length](array.length).fill(1);
      }
    },
    /** In the middle of a call. */
    disturb(b, target) {
      switch (b % 5) {
        case 0:
          target?.delete?.();
          return;
        case 1:
          for (let i = 0; i < 3; ++i) pe.buffer(1000).delete();
          return;
        case 2:
          pe.sinusoidal({ length: 5, dim: 6 });
          return;
        case 3:
          pe.frequencies({ dim: 6, scaling: { type: "linear", factor: 3 } });
          return;
        default:
          dead.buffer.delete();
      }
    },
  };
}
