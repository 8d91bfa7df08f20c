/**
 * Arrays in files, .npy, .npz, .safetensors, .gguf and .onnx: named first, then read as far as is wanted, without WebAssembly.
 *
 * ```ts
 * import { arrayOf, arraysOf } from "posenc/files";
 * const arrays = await arraysOf(file); // a File that was dropped; in Node, await fs.openAsBlob("model.safetensors")
 * const { data, shape, dtype } = await (await arrayOf(file, "cos")).read();
 * ```
 *
 * @module
 */

import { wrongType } from "./base/check.js";
import * as expected from "./base/expected.js";

import { parseConfigText } from "./files/config-text.js";
import type { Listed } from "./files/file-array.js";
import { ggufModel } from "./files/gguf.js";
import { gguf } from "./files/gguf-header.js";
import { npyArray } from "./files/npy-array.js";
import { npz } from "./files/npz.js";
import { onnx, onnxModel } from "./files/onnx.js";
import { findPositionArrays } from "./files/position-arrays.js";
import { findRowOrder } from "./files/row-order.js";
import { safetensors } from "./files/safetensors.js";
import { type Section, sectionOf, wrongFile } from "./files/section.js";
import type {
  ByteSource,
  FileArray,
  GgufModel,
  GgufOptions,
  OnnxModel,
  OnnxOptions,
  PositionArrays,
  RowOrder,
  RowOrderOptions,
} from "./types/files.js";

export type {
  ByteSlice,
  ByteSource,
  FileArray,
  FileValues,
  GgufArray,
  GgufEvidence,
  GgufModel,
  GgufOptions,
  GgufTensor,
  GgufValue,
  OnnxModel,
  OnnxNode,
  OnnxOptions,
  PickOptions,
  Picks,
  PositionArrays,
  RowOrder,
  RowOrderOptions,
} from "./types/files.js";

/**
 * Parses the text of a config.json: JSON, or what Python writes in its place, with `Infinity`, `NaN` and a mark of its
 * byte order. A SyntaxError says in which line it is neither, of a comment too.
 */
export const configOf = (text: string): object => parseConfigText(text);

/** A message has no more names. */
const mostNames = 20;

const formats = {
  npy: async (section: Section) => ({ names: [""], open: () => npyArray("", section) }),
  npz,
  safetensors,
  gguf,
  onnx,
} as const satisfies { [ending: string]: (section: Section) => Promise<Listed> };

/** The format of a file: by its name's ending, or by its first bytes. */
async function formatOf({ name, size, read }: Section): Promise<keyof typeof formats> {
  const ending = /\.(npy|npz|safetensors|gguf|onnx)$/i.exec(name)?.[1];
  if (ending !== undefined) return ending.toLowerCase() as keyof typeof formats;
  const begin = new Uint8Array(await read(0, Math.min(size, 9)));
  const begins = (...bytes: number[]) => bytes.every((byte, at) => begin[at] === byte);
  if (begins(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59)) return "npy";
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6)) return "npz";
  if (begins(0x47, 0x47, 0x55, 0x46)) return "gguf";
  // The length of the header, whose first byte is a brace.
  if (begin[8] === 0x7b && begin[7] === 0) return "safetensors";
  const start = [...begin].join(" ") || "nothing";
  throw wrongFile(name, expected.file_kind, { start });
}

const listed = async (section: Section): Promise<Listed> => formats[await formatOf(section)](section);

/**
 * The arrays in a file. Its values are not read yet: of a file of any size only headers are. Arrays whose values have
 * another order or type than are read (row-major, little-endian, numbers) or are packed into more than 512 MiB are left
 * out, unless there are no others.
 *
 * Throws a TypeError for what has no `size` and `slice`; a RangeError that names the file for what is none of these
 * formats, is damaged or too short, or has no array that is read.
 */
export async function arraysOf(source: ByteSource): Promise<FileArray[]> {
  const arrays: FileArray[] = [];
  let refusal: RangeError | undefined;
  const { names, open } = await listed(sectionOf(source));
  for (const at of names.keys()) {
    const opened = await open(at);
    if (opened instanceof RangeError) refusal ??= opened;
    else arrays.push(opened);
  }
  if (refusal && arrays.length === 0) throw refusal;
  return arrays;
}

/**
 * The array of that name in a file; of a .npy file, which has one without a name, that of `""`. Others may be what they
 * are. Throws as `arraysOf` does, and a RangeError for a name that the file does not have.
 */
export async function arrayOf(source: ByteSource, name: string): Promise<FileArray> {
  if (typeof name !== "string") throw wrongType("name", name, "a string");
  const section = sectionOf(source);
  const { names, open } = await listed(section);
  const at = names.indexOf(name);
  const opened = at < 0 ? undefined : await open(at);
  if (opened instanceof RangeError) throw opened;
  if (opened) return opened;
  const more = names.length > mostNames ? `, … (${names.length})` : "";
  const some = names.slice(0, mostNames).map((each) => each || '""');
  throw wrongFile(section.name, expected.file_array, { name: JSON.stringify(name), arrays: some.join(", ") + more });
}

/**
 * A model as its .gguf file has it, of which nothing but the header is read: vocabularies are passed over. Of a model that
 * is split it is the first file; the others are `parts`.
 *
 * ```ts
 * const { config, layout, evidence } = await ggufOf(file);
 * const model = pe.model(config, { layout });
 * ```
 *
 * Throws a TypeError for what has no `size` and `slice`; a RangeError that names the file, and the key or tensor, for what
 * is no GGUF file of version 2 or 3, is big-endian, damaged or too short, and for a later part of a model that is split.
 */
export async function ggufOf(source: ByteSource, { parts = [] }: GgufOptions = {}): Promise<GgufModel> {
  return ggufModel(sectionOf(source), parts.map(sectionOf));
}

/**
 * An .onnx file's use of positions: its nodes that rotate or attend, and the arrays that it stores, among them the
 * caches that these take. Weights are passed over; a graph of any size is read in parts.
 *
 * Throws a TypeError for what has no `size` and `slice`; a RangeError that names the file, and the tensor, for what is no
 * ONNX model, is damaged or too short, and for external data outside of the model's folder.
 */
export async function onnxOf(source: ByteSource, { open }: OnnxOptions = {}): Promise<OnnxModel> {
  return onnxModel(sectionOf(source), open);
}

/**
 * The arrays for positions among those of a checkpoint, of one file or several: inverse frequencies, caches, tables, known by
 * their names and shapes.
 */
export const positionArrays = (arrays: Iterable<FileArray>): PositionArrays[] => findPositionArrays(arrays);

/**
 * How the rows of W_q or W_k were permuted between two files, for pairs in another layout: by their values, of which any
 * type that is read will do.
 *
 * Throws a RangeError for weights of other shapes, and for heads that do not divide the rows.
 */
export async function rowOrder(from: FileArray, to: FileArray, options: RowOrderOptions): Promise<RowOrder> {
  return findRowOrder(from, to, options);
}
