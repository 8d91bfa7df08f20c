import type { Layout } from "./rotary.js";

/** Bytes that are read in parts: a Blob or File is one, and in Node what `fs.openAsBlob` gives. */
export interface ByteSource {
  /** Its name in messages, as a File has; its ending, if it is one of these formats', says what it is. */
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
  /** The values, in row-major order. */
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
   * Reads the values at the picked indices of each axis, where they are in the file: what is between them is passed
   * over. Throws as `read` does, and a RangeError for an index that its axis does not have.
   */
  pick(picks: readonly Picks[], options?: PickOptions): Promise<FileValues>;
}

/** A long text or list of a .gguf file's metadata, or a list of texts, which is not read. */
export interface GgufArray {
  /** The type of its items; of a text `"string"`. */
  readonly type: "string" | "bool" | `${"u" | ""}int${8 | 16 | 32 | 64}` | `float${32 | 64}`;
  /** How many items; of a text how many bytes. */
  readonly length: number;
}

/**
 * A value of a .gguf file's metadata. Of a float32 the shortest decimal that it is nearest to; whole numbers of 2^53 and
 * more are bigints.
 */
export type GgufValue = string | number | bigint | boolean | readonly (number | bigint | boolean)[] | GgufArray;

/** A tensor that a .gguf file lists. */
export interface GgufTensor {
  /** `"blk.0.attn_q.weight"` */
  readonly name: string;
  /** ggml's type, `"F16"`, `"Q4_K"`, …; its number if that is not known. */
  readonly type: string;
  /** Its extents, the slowest first, as NumPy has them: the file has them in the other order. */
  readonly shape: readonly number[];
}

/** The source of a value of a model's config. */
export interface GgufEvidence {
  /** The key of the config, `"rope_scaling.factor"`. */
  readonly path: string;
  /** Its value. */
  readonly value: unknown;
  /**
   * `"file"`: the file has it; `"tensor"`: it is computed from a tensor of the file's; `"default"`: the file does not have
   * it, and llama.cpp takes this; `"architecture"`: llama.cpp's code for the architecture has it.
   */
  readonly from: "file" | "tensor" | "default" | "architecture";
  /** The file's key, also where it is missing, or its tensor; of an architecture the source that was read. */
  readonly key: string;
}

/** What reading a model's file needs beside its bytes. */
export interface GgufOptions {
  /** The other files of a model that is split, of which those with factors of frequencies matter. */
  readonly parts?: readonly ByteSource[];
}

/** A model as a .gguf file has it, read from its header alone, and from factors of frequencies. */
export interface GgufModel {
  /** The format's: 2 or 3. */
  readonly version: number;
  /** `general.architecture` */
  readonly architecture: string;
  /**
   * The number of files of a model that has several, whose first this is; else null. `isOpen`: others may hold factors
   * of frequencies (rope_freqs, rope_factors), so that `evidence` has nothing of the rule.
   */
  readonly part: { readonly index: number; readonly count: number; readonly isOpen: boolean } | null;
  /** All keys. */
  readonly metadata: ReadonlyMap<string, GgufValue>;
  /** All tensors of this file, and of other parts that were given. */
  readonly tensors: readonly GgufTensor[];
  /**
   * The config of transformers that says the same, for `model`: what llama.cpp does with this file. Where an architecture
   * is no type of transformers its `model_type` is none either, and the model says only what these keys say.
   */
  readonly config: { readonly [key: string]: unknown };
  /** The layout in which llama.cpp rotates this architecture: the second argument's of `model`; undefined if not known. */
  readonly layout: Layout | undefined;
  /** The source of each value of the config. */
  readonly evidence: readonly GgufEvidence[];
  /** Keys that could concern positions and that the config does not have. */
  readonly unusedKeys: readonly string[];
}

/** The heads of a weight. */
export interface RowOrderOptions {
  /** Dimensions of a head: rows of the weight that belong together. */
  readonly headDim: number;
}

/** How rows of W_q or W_k were permuted. */
export interface RowOrder {
  /**
   * `"to-interleaved"`: pairs that were half a head apart are beside one another, as llama.cpp's converter does for Llama;
   * `"to-half"`: the opposite; `"other"`: another order, or other values.
   */
  readonly order: "same" | "to-interleaved" | "to-half" | "other";
  /** The dimensions of the heads in which they were: others than those that were meant where a converter mistook them. */
  readonly headDim: number;
}

/** A node of an ONNX graph that rotates or attends. */
export interface OnnxNode {
  /** Its name; empty where it has none. */
  readonly name: string;
  /** `""` for ONNX's own operators, `"com.microsoft"` for those of onnxruntime. */
  readonly domain: string;
  /** `"RotaryEmbedding"`, `"GroupQueryAttention"`, `"MultiHeadAttention"` or `"Attention"`. */
  readonly operator: string;
  /**
   * Its attributes that are numbers and that the file has, by name: `interleaved`, `rotary_embedding_dim`, `num_heads`,
   * `do_rotary`, `rotary_interleaved`, `scale`, `local_window_size`, …
   */
  readonly attributes: { readonly [name: string]: number };
  /** The name of the array from which it takes cosines; left out where it takes none. */
  readonly cos?: string;
  /** The cache of the sines. */
  readonly sin?: string;
}

/** How values that are beside the model are found. */
export interface OnnxOptions {
  /**
   * Gives the file of a path within the model's folder, in which external data are; undefined if it is not there. Paths that
   * lead out of the folder are refused, and never asked for.
   */
  readonly open?: (location: string) => ByteSource | undefined | Promise<ByteSource | undefined>;
}

/** An .onnx file's use of positions. */
export interface OnnxModel {
  /** The versions of the operator sets that it uses, by domain. */
  readonly opsets: ReadonlyMap<string, number>;
  /** Its nodes that rotate or attend, in the order of the file, also those of graphs in other nodes. */
  readonly nodes: readonly OnnxNode[];
  /** All arrays that it stores, weights and constants too, by name; one of a branch may have another's, and more. */
  readonly arrays: ReadonlyMap<string, FileArray>;
  /** Names of arrays, of nodes' caches too, that are not read, with the reason. */
  readonly notRead: ReadonlyMap<string, string>;
}

/** An array that a checkpoint stores for positions, or two that belong together. */
export interface PositionArrays {
  /** Inverse frequencies; a cache of cosines and sines; a table of positions. */
  readonly kind: "frequencies" | "cache" | "table";
  /** By the names under which `diagnose` takes them: `frequencies`; `cos` and `sin`, or `cosSin`; `table`. */
  readonly samples: { readonly [sample: string]: FileArray };
  /** The layer in its name; null where it has none. */
  readonly layer: number | null;
  /** Its name, that of the cosines where there are two. */
  readonly name: string;
}
