// Inputs of a row's functions: values that are the same for all of them, in JavaScript's memory and in a library's.

/** Numbers from 0 to 1, the same ones each time. */
function sequence() {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const of = (Kind, from) => (shape) => ({ Kind, shape, from });

/** -1 … 1 */
export const numbers = (...shape) => of(Float32Array, (next) => 2 * next() - 1)(shape);
/** 0.01 … 1 */
export const positive = (...shape) => of(Float32Array, (next) => 0.01 + 0.99 * next())(shape);
/** 0 … below - 1 */
export const ids = (below, ...shape) => of(Int32Array, (next) => Math.floor(below * next()))(shape);
/** The bits of float16 from 1 to 2. */
export const halves = (...shape) => of(Uint16Array, (next) => 0x3c00 + Math.floor(1024 * next()))(shape);
/** Values that are known: a typed array. */
export const given = (values, ...shape) => of(values.constructor, (_, i) => values[i])(shape);
/** Zeros, for results. */
export const zeros = (Kind, ...shape) => ({ Kind, shape });

const sizeOf = (shape) => shape.reduce((all, extent) => all * extent, 1);

/** In JavaScript's memory: a typed array. */
export function inScript({ Kind, shape, from }) {
  const data = new Kind(sizeOf(shape));
  const next = sequence();
  if (from) for (let i = 0; i < data.length; ++i) data[i] = from(next, i);
  return data;
}

/** A tensor in a library's memory, where it is not copied. Its view is asked for again when memory has grown. */
function placed(library, { Kind, shape }, values) {
  const size = sizeOf(shape);
  const buffer = library.buffer(Math.ceil((size * Kind.BYTES_PER_ELEMENT) / 4));
  let data;
  const tensor = {
    shape,
    get data() {
      if (data?.length !== size) {
        const { view } = buffer;
        data = Kind === Float32Array ? view : new Kind(view.buffer, view.byteOffset, size);
      }
      return data;
    },
  };
  if (values) tensor.data.set(values);
  return { tensor, buffer };
}

/**
 * Tensors for what is `described` ({ name: description }) in a library's memory, with the values of `arrays`; `buffers`,
 * to be disposed of, are added to.
 */
export function inLibrary(library, described, buffers, arrays = {}) {
  const tensors = {};
  for (const [name, one] of Object.entries(described)) {
    const { tensor, buffer } = placed(library, one, arrays[name]);
    tensors[name] = tensor;
    buffers.push(buffer);
  }
  return tensors;
}
