/** Inputs in one piece of memory, so that an array can be made that overlaps any of them. */
export class Inputs {
  pool = new ArrayBuffer(1 << 13);
  arrays = [];
  #end = 0;

  /** For the next call. */
  again() {
    this.arrays = [];
    this.#end = 0;
    return this;
  }

  #place(Kind, size) {
    const array = new Kind(this.pool, this.#end, size);
    this.#end += 8 * Math.ceil((size * Kind.BYTES_PER_ELEMENT) / 8);
    this.arrays.push(array);
    return array;
  }

  numbers(size) {
    const array = this.#place(Float32Array, size);
    for (let i = 0; i < size; ++i) array[i] = Math.sin(i + 1) + 1.01;
    return array;
  }

  tensor(...shape) {
    return { data: this.numbers(shape.reduce((all, extent) => all * extent, 1)), shape };
  }

  ids(below, ...shape) {
    const data = this.#place(
      Int32Array,
      shape.reduce((all, extent) => all * extent, 1),
    );
    for (let i = 0; i < data.length; ++i) data[i] = (5 * i) % below;
    return { data, shape };
  }

  halves(...shape) {
    const data = this.#place(
      Uint16Array,
      shape.reduce((all, extent) => all * extent, 1),
    );
    return { data: data.fill(0x3c00), shape, dtype: "float16" };
  }

  /** Two heads of queries, keys and values. */
  attention() {
    return { query: this.tensor(2, 3, 4), key: this.tensor(2, 5, 4), value: this.tensor(2, 5, 6) };
  }
}
