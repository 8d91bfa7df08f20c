// Whether a call ended as every call must: with a result of the right shape, or with an error that explains.
import { readdirSync, readFileSync } from "node:fs";
import { hasMethods } from "./calls.mjs";

const typed = Object.getPrototypeOf(Uint8Array);
/** The length by the engine's getter, which a caller's array cannot shadow. */
const lengthOf = (data) => Object.getOwnPropertyDescriptor(typed.prototype, "length").get.call(data);
const is16 = (data) => data instanceof Uint16Array || data.constructor.name === "Float16Array";

function tensorKind({ data, shape, dtype }, path) {
  const length = lengthOf(data);
  const size = shape.reduce((all, extent) => all * extent, 1);
  // A view into the library's memory is empty once that has grown.
  const isStale = length === 0 && data.buffer.byteLength === 0;
  if (!shape.every(Number.isSafeInteger) || (length !== size && !isStale)) {
    throw new Error(`${path}: ${length} values and shape [${shape.join(", ")}]`);
  }
  if (is16(data) !== (dtype === "float16" || dtype === "bfloat16")) throw new Error(`${path}: dtype ${dtype}`);
  return is16(data) ? "half tensor" : `${data.constructor.name} tensor`;
}

function kindOf(value, path) {
  if (value === undefined) throw new Error(`${path} is undefined`);
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  if (value instanceof typed) return is16(value) ? "16 bits" : value.constructor.name;
  if (Array.isArray(value)) return "array";
  if (value.data instanceof typed && "shape" in value) return tensorKind(value, path);
  return hasMethods(value) ? "handle" : "object";
}

/** Paths of unions and of maps with free keys: all that is asked of them is that nothing is undefined. */
const open = /\.(meanings|found|remedy|outputs|options)$/;

/** The parts of a result: the kind of each, by its path. */
export function partsOf(value, path = "result", parts = new Map()) {
  const kind = kindOf(value, path);
  if (open.test(path)) {
    partsOf(value, `${path} `);
    return parts.set(path, "one of many");
  }
  parts.set(path, kind);
  if (kind === "array") for (const item of value) partsOf(item, `${path}[]`, parts);
  if (kind === "object" || kind === "handle") {
    for (const [key, item] of Object.entries(value))
      if (typeof item !== "function") partsOf(item, `${path}.${key}`, parts);
  }
  return parts;
}

/**
 * Whether a result is an argument: what is changed in place is given back as it came, a tensor of any kind, which its
 * owner may have turned into something else by then.
 */
export const isGivenBack = (args, result) =>
  result !== undefined && args.includes(result) && !ArrayBuffer.isView(result);

/** Which results a function may have, from some that it has. */
export class Shapes {
  #kinds = new Map();
  /** Always there; lists may be empty. */
  #required;
  #takesDTypes = false;

  learn(parts) {
    if ([...parts.values()].includes("half tensor")) this.#takesDTypes = true;
    for (const [path, kind] of parts) this.#kinds.set(path, (this.#kinds.get(path) ?? new Set()).add(kind));
    this.#required = (this.#required ?? [...parts.keys()]).filter((path) => parts.has(path) && !path.includes("[]"));
  }

  /** Returns what is wrong with a result; undefined where it is right. */
  wrong(parts) {
    const lost = this.#required.find((path) => !parts.has(path));
    if (lost) return `nothing at ${lost}`;
    for (const [path, kind] of parts) {
      const kinds = this.#kinds.get(path);
      if (!kinds) return `${kind} at ${path}, where nothing was expected`;
      const isOther = kind.endsWith("tensor") && kinds.has("Float32Array tensor") && this.#takesDTypes;
      if (!kinds.has(kind) && !(isOther && kind !== "Int32Array tensor"))
        return `${kind} at ${path}, expected ${[...kinds].join(" or ")}`;
    }
    return undefined;
  }
}

/** The names that the published types have for options, arguments and functions: a message begins with one of them. */
export function publishedNames() {
  const folder = new URL("../../dist/types/", import.meta.url);
  const texts = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
  // `gradients.bias` is what the core calls the gradient of a bias whose shape does not fit.
  return new Set(
    ["gradients"].concat(
      texts.flatMap((text) => Array.from(text.matchAll(/([A-Za-z]\w*)(?=\??:|\(|<)/g), ([name]) => name)),
    ),
  );
}

/**
 * "name.part[0]: value, expected what": what every refusal of the library says. A size that is too large is a product,
 * "3 * rows * length".
 */
const form = /^([\w.[\] *()/+-]+): .*, expected ./s;
const namesIn = (message) =>
  (message.match(form)?.[1] ?? "").split(" * ").map((factor) => factor.match(/[A-Za-z_]\w*/)?.[0]);

/** Returns what is wrong with a thrown value; undefined where it is an error as it must be. */
export function wrongError(error, names) {
  if (!(error instanceof Error)) return `not an Error: ${typeof error} ${String(error)}`;
  if (error instanceof WebAssembly.RuntimeError) return "a trap";
  if (!(error instanceof TypeError || error instanceof RangeError)) return `neither TypeError nor RangeError`;
  if (typeof error.message !== "string" || error.message === "") return "no message";
  if (names && !namesIn(error.message).some((name) => names.has(name))) return "a message that names no argument";
  if (error.message.length > 2000) return `a message of ${error.message.length} characters`;
  return undefined;
}
