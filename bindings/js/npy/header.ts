// The header of a .npy file, read whole, as NumPy reads it.

import { wrongValue } from "../base/check.js";

export const magic = "\x93NUMPY";
const latin = (byte: number) => String.fromCharCode(byte);

/** The longest header, in bytes: format 1.0 gives its length two. */
export const longest = 0xffff;

/** A file's header, the text of a Python dictionary, and where the values start. */
export function headerOf(bytes: Uint8Array): { header: string; start: number; isOld: boolean } {
  const text = (from: number, to: number) => Array.from(bytes.subarray(from, to), latin).join("");
  const begins = text(0, magic.length);
  if (begins !== magic) throw wrongValue("bytes", begins, `a .npy file, which begins with ${JSON.stringify(magic)}`);
  const [version = 0, minor = 0] = bytes.subarray(6, 8);
  if (version < 1 || version > 3 || minor > 0)
    throw wrongValue("bytes", `format ${version}.${minor}`, "format 1.0, 2.0 or 3.0");
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

  /** Reads items with commas between them up to `close`; returns the number of commas. */
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

/** NumPy has no arrays of more axes. */
export const mostAxes = 64;

/** The three values of a header. */
export function entriesOf(header: string, isOld: boolean) {
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
  const { length } = shape.tuple;
  if (length > mostAxes) throw wrongValue("shape", `${length} axes`, `at most ${mostAxes}, as NumPy has`);
  return { descr: typeof descr === "string" ? descr : "a structure", order, shape: shape.tuple as number[] };
}
