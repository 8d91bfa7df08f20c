/** Bytes that are read in parts: a Blob or File is one, and in Node what `fs.openAsBlob` gives. */
export interface ByteSource {
  /** Its name in messages, as a File has; its ending, if it is one of the three, says what it is. */
  readonly name?: string;
  /** How many bytes there are. */
  readonly size: number;
  /** The bytes from one place up to another. */
  slice(from: number, to: number): ByteSlice;
}

/** Bytes of a source, read when they are asked for. */
export interface ByteSlice {
  /** Reads them. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Which indices of an axis are read; all of them where it has none. */
export type Picks = readonly number[] | undefined;

/** Numbers out of a file: float32, float64, or the bits of 16-bit ones; whole numbers of any type come as doubles. */
export interface FileValues {
  /** In row-major order. */
  data: Float32Array | Float64Array | Uint16Array;
  /** Extents of what was read. */
  shape: number[];
  /** The type in which the file stores them; left out for whole numbers. */
  dtype?: "float32" | "float64" | "float16" | "bfloat16";
}

/** How values are picked. */
export interface PickOptions {
  /** Another shape that has as many values, whose axes the picks are for; the array's own by default. */
  readonly shape?: readonly number[];
  /** Told how much is read, from 0 to 1; what is compressed is unpacked first, which it is told as well. */
  readonly progress?: (done: number) => void;
}

/** An array in a file, of which nothing but its name, type and shape has been read. */
export interface FileArray {
  /** Its name in the file; of a .npy file, which has none, the empty string. */
  readonly name: string;
  /** The type of its values: `"float32"`, `"bfloat16"`, `"int64"`, `"bool"`, `"complex64"`, … */
  readonly dtype: string;
  /** Its extents; complex numbers have one more, 2, of real and imaginary parts. */
  readonly shape: number[];
  /**
   * Reads its values, all of them or, with `most`, not many more than so many at the most: then the first entries of its
   * first axis that has more than one, of one entry of that axis if even that is too many, and so on. The result's shape
   * tells.
   *
   * Throws a RangeError that names the file for more than 512 MiB at once, for whole numbers of 2^53 and more, and where
   * the file ends early, cannot be unpacked, or, where all values of an array in a .npz are read, has another CRC-32.
   */
  read(most?: number): Promise<FileValues>;
  /**
   * Reads the values at the picked indices of each axis, where they stand in the file: what is between them is passed
   * over. Throws as `read` does, and a RangeError for an index that its axis does not have.
   */
  pick(picks: readonly Picks[], options?: PickOptions): Promise<FileValues>;
}
