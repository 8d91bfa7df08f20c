/**
 * NumPy's files of one array, .npy: written and read without WebAssembly, in about three kilobytes.
 *
 * ```ts
 * import { fromNpy, toNpy } from "posenc/npy";
 * await writeFile("table.npy", toNpy(pe.sinusoidal({ length: 6, dim: 512 }))); // numpy.load("table.npy")
 * const { data, shape, dtype } = fromNpy(await readFile("weights.npy"));
 * ```
 *
 * @module
 */

import { product, shape as shapeOf, wrongType, wrongValue } from "./base/check.js";
import type { Float16Data } from "./types/base.js";

export type { Float16ArrayLike, Float16Data } from "./types/base.js";

/** An array as a .npy file has it, in row-major order, and which of NumPy's types it is; a `"float32"` one is a Tensor. */
export type NpyArray =
  | { data: Float32Array; shape: number[]; dtype: "float32" }
  | { data: Float64Array; shape: number[]; dtype: "float64" }
  | { data: Int32Array; shape: number[]; dtype: "int32" }
  | { data: Uint16Array; shape: number[]; dtype: "uint16" }
  | { data: Float16Data | Uint16Array; shape: number[]; dtype: "float16" };

/** The types of NumPy's that are written and read. */
export type NpyDType = NpyArray["dtype"];

/**
 * What can be written: a tensor from any function of the library. The array tells its dtype, but for a Uint16Array:
 * `"float16"` says that it holds the bits of such values, `"uint16"` that it holds whole numbers.
 */
export type NpySource =
  | NpyArray
  | { data: Float32Array | Float64Array | Int32Array | Float16Data; shape: readonly number[]; dtype?: undefined };

/** The types by NumPy's names, and how a file writes them. */
const types = {
  "<f4": { dtype: "float32", kind: "Float32Array", bytes: 4 },
  "<f8": { dtype: "float64", kind: "Float64Array", bytes: 8 },
  "<f2": { dtype: "float16", kind: "Float16Array", bytes: 2 },
  "<i4": { dtype: "int32", kind: "Int32Array", bytes: 4 },
  "<u2": { dtype: "uint16", kind: "Uint16Array", bytes: 2 },
} as const;
const descriptions = Object.keys(types) as (keyof typeof types)[];

const magic = "\x93NUMPY";
const latin = (byte: number) => String.fromCharCode(byte);

/** The longest header, in bytes: format 1.0 gives its length two. */
const longest = 0xffff;

/** How a file of this array writes its type. */
function descriptionOf(data: unknown, dtype: unknown): keyof typeof types {
  const kind: unknown = (data as { [Symbol.toStringTag]?: unknown } | null | undefined)?.[Symbol.toStringTag];
  const own = descriptions.find((each) => types[each].kind === kind);
  if (!own)
    throw wrongType("tensor.data", data, "a Float32Array, Float64Array, Float16Array, Int32Array or Uint16Array");
  if (kind !== "Uint16Array") {
    if (dtype === undefined || dtype === types[own].dtype) return own;
    throw wrongType("tensor.dtype", dtype, `"${types[own].dtype}", or nothing beside a ${kind}`);
  }
  if (dtype === "uint16") return own;
  if (dtype === "float16") return "<f2";
  const others = 'for a Uint16Array "float16" or "uint16"';
  throw wrongType("tensor.dtype", dtype, dtype === "bfloat16" ? `${others}: NumPy has no bfloat16` : others);
}

/**
 * The bytes of a .npy file that holds a tensor: format 1.0, in row-major order, little-endian.
 *
 * Throws a TypeError for an array of another kind, or a dtype that does not go with it (NumPy has no bfloat16: convert
 * it to float32, or give its bits as `"uint16"`); a RangeError where the data do not fit the shape.
 */
export function toNpy(tensor: NpySource): Uint8Array<ArrayBuffer> {
  if (typeof tensor !== "object" || tensor === null) throw wrongType("tensor", tensor, "a tensor { data, shape }");
  const { data, shape, dtype } = tensor;
  const description = descriptionOf(data, dtype);
  const extents = shapeOf("tensor.shape", shape);
  const { buffer, byteOffset, byteLength, length } = data as Uint16Array;
  if (length !== product(extents)) {
    throw wrongValue("tensor.data", length, `${product(extents)} values for shape [${extents.join(", ")}]`);
  }
  const tuple = `(${extents.join(", ")}${extents.length === 1 ? "," : ""})`;
  const dictionary = `{'descr': '${description}', 'fortran_order': False, 'shape': ${tuple}, }`;
  // Version 1.0 gives the header's length two bytes. As NumPy has it, the values start at a multiple of 64 bytes.
  const start = Math.ceil((magic.length + 4 + dictionary.length + 1) / 64) * 64;
  const headerLength = start - magic.length - 4;
  if (headerLength > longest)
    throw wrongValue("tensor.shape", `${extents.length} axes`, "as many as a .npy file can name");
  const bytes = new Uint8Array(start + byteLength);
  const header = `${magic}\x01\0${String.fromCharCode(headerLength & 255, headerLength >> 8)}${dictionary}`;
  for (let i = 0; i < start - 1; ++i) bytes[i] = i < header.length ? header.charCodeAt(i) : 32;
  bytes[start - 1] = 10;
  bytes.set(new Uint8Array(buffer, byteOffset, byteLength), start);
  return bytes;
}

/** A file's header, the text of a Python dictionary, and where the values start. */
function headerOf(bytes: Uint8Array): { header: string; start: number; isOld: boolean } {
  const text = (from: number, to: number) => Array.from(bytes.subarray(from, to), latin).join("");
  const begins = text(0, magic.length);
  if (begins !== magic) throw wrongValue("bytes", begins, `a .npy file, which begins with ${JSON.stringify(magic)}`);
  const [version = 0, minor = 0] = bytes.subarray(6, 8);
  if (version < 1 || version > 3 || minor > 0) {
    throw wrongValue("bytes", `format ${version}.${minor}`, "format 1.0, 2.0 or 3.0");
  }
  const from = version === 1 ? 10 : 12;
  const length = bytes.subarray(8, from).reduce((all, byte, i) => all + byte * 256 ** i, 0);
  const start = from + length;
  if (bytes.length < start) throw wrongValue("bytes", bytes.length, `at least the ${start} bytes of the header`);
  if (length > longest) throw wrongValue("header", `${length} bytes`, `at most ${longest}, as many as format 1.0 has`);
  if (version < 3) return { header: text(from, start), start, isOld: true };
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { header: decoder.decode(bytes.slice(from, start)), start, isOld: false };
  } catch {
    throw wrongValue("header", "other bytes", "text in UTF-8, which format 3.0 has");
  }
}

/** A literal of Python's, as headers have them. A tuple is no list. */
type Literal = string | number | boolean | null | Tuple | Literal[] | Map<string, Literal>;

interface Tuple {
  readonly tuple: readonly Literal[];
}

/** A mark, a number (with the L of Python 2), a name or a string. */
const tokens =
  /[ \t\n\r\f]*(?:([{}()[\],:])|(0+|[1-9]\d*)(L?)(?!\w)|(True|False|None)(?!\w)|u?('(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"))/gy;

const names: { readonly [name: string]: boolean | null } = { True: true, False: false, None: null };
const escapes = /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g;
const escaped = new Map(Object.entries({ n: "\n", r: "\r", t: "\t", "'": "'", '"': '"', "\\": "\\", "\n": "" }));

/** Headers of types that are read nest once. */
const deepest = 16;

/**
 * The literal that the whole text is. Of Python it takes what NumPy writes, now and in Python 2: no comments, signs,
 * fractions, or strings side by side. Throws a RangeError that names the place where the text is something else.
 */
function literal(text: string, isOld: boolean): Literal {
  const refuse = (at: number, expected: string): never => {
    throw wrongValue(`header[${at}]`, text.slice(at, at + 20).trim() || "the end", expected);
  };
  const all = [...text.matchAll(tokens)].map((found) => {
    const [whole, mark, digits, long, name, quoted] = found;
    const end = found.index + whole.length;
    return { at: end - whole.trimStart().length, end, mark, digits, long, name, quoted };
  });
  const end = all.at(-1)?.end ?? 0;
  const rest = text.slice(end).search(/[^ \t\n\r\f]/);
  let next = 0;
  const here = () => all[next]?.at ?? (rest < 0 ? text.length : end + rest);
  const accepts = (mark: string) => all[next]?.mark === mark && ++next > 0;

  function unquoted(at: number, quoted: string): string {
    return quoted.slice(1, -1).replace(escapes, (whole, octal, two, four, eight, one) => {
      const code = octal ? Number.parseInt(octal, 8) : Number.parseInt(two ?? four ?? eight, 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      return escaped.get(one) ?? refuse(at, `a string without ${whole}`);
    });
  }

  /** Reads items with commas between them up to `close`; tells how many commas there were. */
  function items(close: string, read: () => void): number {
    for (let [count, commas] = [0, 0]; ; ++count) {
      if (accepts(close)) return commas;
      if (count > commas) refuse(here(), `"," or "${close}"`);
      read();
      if (accepts(",")) ++commas;
    }
  }

  function dictionary(depth: number): Map<string, Literal> {
    const read = new Map<string, Literal>();
    items("}", () => {
      const at = here();
      const key = value(depth);
      if (typeof key !== "string") return refuse(at, "a key in quotes");
      if (read.has(key)) return refuse(at, `each key once: ${JSON.stringify(key)} was there before`);
      if (!accepts(":")) return refuse(here(), '":"');
      return read.set(key, value(depth));
    });
    return read;
  }

  function value(depth: number): Literal {
    const token = all[next];
    if (!token) return refuse(here(), "a value");
    if (depth > deepest) return refuse(token.at, `at most ${deepest} brackets in one another`);
    ++next;
    if (token.quoted) return unquoted(token.at, token.quoted);
    if (token.name) return names[token.name] as boolean | null;
    if (token.digits) return token.long && !isOld ? refuse(token.at, "a number without L") : Number(token.digits);
    if (token.mark === "{") return dictionary(depth + 1);
    if (token.mark !== "(" && token.mark !== "[") return refuse(token.at, "a value");
    const read: Literal[] = [];
    const commas = items(token.mark === "(" ? ")" : "]", () => read.push(value(depth + 1)));
    if (token.mark === "[") return read;
    // As in Python a comma makes the tuple, not the brackets.
    return read.length === 1 && commas === 0 ? (read[0] as Literal) : { tuple: read };
  }

  const read = value(0);
  if (here() < text.length) refuse(here(), "nothing after the dictionary");
  return read;
}

/** The three values of a header. */
function entriesOf(header: string, isOld: boolean) {
  const read = literal(header, isOld);
  const refuse = (expected: string): never => {
    throw wrongValue("header", header.trim(), expected);
  };
  const keys = ["descr", "fortran_order", "shape"];
  if (!(read instanceof Map)) return refuse("a dictionary");
  if (read.size !== keys.length || !keys.every((key) => read.has(key)))
    return refuse(`a dictionary with ${keys.join(", ")} and nothing else`);
  const [descr, order, shape] = keys.map((key) => read.get(key));
  if (typeof order !== "boolean") return refuse("True or False as fortran_order");
  const isTuple = typeof shape === "object" && shape !== null && "tuple" in shape;
  const isExtent = (each: Literal): each is number => typeof each === "number";
  if (!isTuple || !shape.tuple.every(isExtent)) return refuse("a tuple of whole numbers as shape");
  return { descr: typeof descr === "string" ? descr : "a structure", order, shape: shape.tuple as number[] };
}

/** Types of NumPy's that are not read: their names, and which type holds their values. */
const converted: { readonly [description: string]: string } = {
  "|b1": 'bool, save astype("uint16")',
  "|i1": 'int8, save astype("int32")',
  "|u1": 'uint8, save astype("uint16")',
  "<i2": 'int16, save astype("int32")',
  "<u4": 'uint32, save astype("float64")',
  "<i8": 'int64, save astype("int32"), or astype("float64") for values beyond its range',
  "<u8": 'uint64, save astype("int32"), or astype("float64") for values beyond its range',
};

function typeOf(description: string) {
  const own = descriptions.find((each) => each === description);
  if (own) return types[own];
  const known = descriptions.map((each) => `"${each}"`).join(", ");
  if (Object.hasOwn(converted, description))
    throw wrongValue("descr", description, `a type that is read, ${known}: this is ${converted[description]}`);
  const why = description.startsWith(">")
    ? " (big-endian: convert with astype)"
    : /O/.test(description)
      ? " (pickled objects are not read)"
      : "";
  throw wrongValue("descr", description, `one of ${known}${why}`);
}

/**
 * The array in a .npy file of format 1.0, 2.0 or 3.0, in new memory. float16 comes in a Float16Array where the engine
 * has one, else as bits in a Uint16Array.
 *
 * The header is read whole, as NumPy reads it, and no key may come twice. Throws a TypeError for what is not bytes; a
 * RangeError for what is no .npy file, or too short or too long; for a header that is anything but the dictionary of descr,
 * fortran_order and shape, or that has more than 65,535 bytes; for values in column-major order (`fortran_order`),
 * big-endian, pickled, or of a type other than float32, float64, float16, int32 and uint16.
 */
export function fromNpy(bytes: ArrayBuffer | ArrayBufferView): NpyArray {
  const isView = ArrayBuffer.isView(bytes);
  if (!isView && Object.prototype.toString.call(bytes) !== "[object ArrayBuffer]") {
    throw wrongType("bytes", bytes, "an ArrayBuffer or a view of one");
  }
  const all = isView ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  const { header, start, isOld } = headerOf(all);
  const { descr, order, shape } = entriesOf(header, isOld);
  const type = typeOf(descr);
  if (order) throw wrongValue("fortran_order", "True", "False: save numpy.ascontiguousarray of the array");
  const wanted = start + type.bytes * product(shape);
  const inexact = shape.findIndex((extent) => !Number.isSafeInteger(extent));
  if (inexact >= 0 && !(wanted > all.length))
    throw wrongValue(`shape[${inexact}]`, shape[inexact], "a whole number below 2^53");
  if (all.length !== wanted) throw wrongValue("bytes", all.length, `${wanted} bytes for shape [${shape.join(", ")}]`);
  const kinds = globalThis as unknown as { [kind: string]: typeof Uint16Array | undefined };
  const data = new (kinds[type.kind] ?? Uint16Array)(all.slice(start).buffer);
  return { data, shape, dtype: type.dtype satisfies NpyDType } as NpyArray;
}
