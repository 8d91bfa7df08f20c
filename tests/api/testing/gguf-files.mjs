// Files of llama.cpp's format GGUF, written here by ggml's gguf.md.

const types = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "bool", "string", "array"];
types.push("uint64", "int64", "float64");

function scalar(type, value, order = "LE") {
  const bytes = Buffer.alloc(8);
  const whole = order === "LE" ? ["writeBigUInt64LE", "writeBigInt64LE"] : ["writeBigUInt64BE", "writeBigInt64BE"];
  if (type === "uint64") bytes[whole[0]](BigInt(value));
  else if (type === "int64") bytes[whole[1]](BigInt(value));
  else if (type === "float32") bytes[`writeFloat${order}`](value);
  else if (type === "float64") bytes[`writeDouble${order}`](value);
  else if (type === "bool") bytes[0] = value ? 1 : 0;
  else {
    const size = Number(/\d+/.exec(type)[0]) / 8;
    bytes[`write${type.startsWith("u") ? "UInt" : "Int"}${order}`](value, 0, size);
    return bytes.subarray(0, size);
  }
  return bytes.subarray(0, { float32: 4, bool: 1 }[type] ?? 8);
}

const text = (value) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([scalar("uint64", bytes.length), bytes]);
};

/** A value with its type: floats are float32 as converters write them, whole numbers uint32, lists by their first item. */
function typed(value) {
  if (typeof value === "object" && !Array.isArray(value)) return [value.type, value.value];
  if (Array.isArray(value)) return ["array", value];
  if (typeof value === "string") return ["string", value];
  if (typeof value === "boolean") return ["bool", value];
  return [Number.isInteger(value) && value >= 0 && value < 2 ** 32 ? "uint32" : "float32", value];
}

function packed(value) {
  const [type, content] = typed(value);
  const id = scalar("uint32", types.indexOf(type));
  if (type === "string") return Buffer.concat([id, text(content)]);
  if (type !== "array") return Buffer.concat([id, scalar(type, content)]);
  const [itemType] = typed(content[0] ?? 0);
  const itemOf = { string: text, array: (item) => packed(item).subarray(4) };
  const made = content.map((item) => itemOf[itemType]?.(item) ?? scalar(itemType, typed(item)[1]));
  const items = [scalar("uint32", types.indexOf(itemType)), scalar("uint64", content.length), ...made];
  return Buffer.concat([id, ...items]);
}

const ids = { Float32Array: 0, Uint16Array: 30, Float64Array: 28, Int32Array: 26, Uint8Array: 2 };

/**
 * A file of metadata by key, a list of pairs where keys are twice, and of tensors { data, shape } by name, rows first. A
 * Uint16Array is bfloat16; `id` is another type, `at` another place.
 */
export function gguf(metadata, tensors = {}, { version = 3, alignment = 32, counts } = {}) {
  const pairs = Array.isArray(metadata) ? metadata : Object.entries(metadata);
  const parts = [Buffer.from("GGUF"), scalar("uint32", version)];
  parts.push(scalar("uint64", counts?.tensors ?? Object.keys(tensors).length));
  parts.push(scalar("uint64", counts?.keys ?? pairs.length));
  for (const [key, value] of pairs) parts.push(text(key), packed(value));
  let end = 0;
  const values = [];
  for (const [name, { data, shape, id = ids[data.constructor.name], at = end }] of Object.entries(tensors)) {
    parts.push(text(name), scalar("uint32", shape.length));
    for (const extent of [...shape].reverse()) parts.push(scalar("uint64", extent));
    parts.push(scalar("uint32", id), scalar("uint64", at));
    const size = Math.ceil(data.byteLength / alignment) * alignment;
    values.push(Buffer.concat([Buffer.from(data.buffer, data.byteOffset, data.byteLength)], size));
    end += size;
  }
  const header = Buffer.concat(parts);
  return Buffer.concat([header, Buffer.alloc((alignment - (header.length % alignment)) % alignment), ...values]);
}

/** A version with its bytes in the other order. */
export const bigEndian = () => Buffer.concat([Buffer.from("GGUF"), scalar("uint32", 3, "BE"), Buffer.alloc(16)]);

/** Metadata of a Llama with four layers; `more` is put in place of it, and undefined leaves a key out. */
export function llama(more = {}, architecture = "llama") {
  const all = {
    "general.architecture": architecture,
    [`${architecture}.block_count`]: 4,
    [`${architecture}.context_length`]: 8192,
    [`${architecture}.embedding_length`]: 256,
    [`${architecture}.attention.head_count`]: 4,
    [`${architecture}.attention.head_count_kv`]: 2,
    [`${architecture}.rope.dimension_count`]: 64,
    [`${architecture}.rope.freq_base`]: { type: "float32", value: 500000 },
    ...more,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
