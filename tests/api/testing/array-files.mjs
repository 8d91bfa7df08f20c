// Files of tensors, written here by their formats.

import { crc32, deflateRawSync } from "node:zlib";

const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);
const names = { Float32Array: "<f4", Float64Array: "<f8", BigInt64Array: "<i8", Int32Array: "<i4" };

/** A .npy file; `more` replaces what its header says. */
export function npy({ data, shape }, { descr = names[data.constructor.name], order = "False" } = {}) {
  const tuple = `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  const header = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${tuple}, }`.padEnd(117);
  const length = Buffer.of((header.length + 1) & 255, (header.length + 1) >> 8);
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\0", "latin1"), length, Buffer.from(`${header}\n`), bytesOf(data)]);
}

const number = (value, bytes) => {
  const made = Buffer.alloc(bytes);
  if (bytes === 8) made.writeBigUInt64LE(BigInt(value));
  else made.writeUIntLE(value, 0, bytes);
  return made;
};

/**
 * A zip archive of arrays, and of what has a name with an ending. `announced` is what it says that each has, decompressed;
 * with `isWide` sizes and places are in 64 bits. The method of compression can be one that it is not.
 */
export function npz(
  arrays,
  { isCompressed = false, announced, isWide = false, method = isCompressed ? 8 : 0, flags = 0 } = {},
) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, content] of Object.entries(arrays)) {
    const file = Buffer.from(name.includes(".") ? name : `${name}.npy`);
    const packed = isCompressed ? deflateRawSync(content) : content;
    const size = announced ?? content.length;
    const common = [number(20, 2), number(flags, 2), number(method, 2), number(0, 4), number(crc32(content), 4)];
    const sizes = isWide ? [number(0xffffffff, 4), number(0xffffffff, 4)] : [number(packed.length, 4), number(size, 4)];
    const extra = isWide
      ? Buffer.concat([number(1, 2), number(24, 2), number(size, 8), number(packed.length, 8), number(at, 8)])
      : Buffer.alloc(0);
    // The part in front of the values has a field more than the directory.
    const more = Buffer.concat([extra, number(0, 4)]);
    const head = Buffer.concat([
      number(0x04034b50, 4),
      ...common,
      ...sizes,
      number(file.length, 2),
      number(more.length, 2),
      file,
      more,
    ]);
    directory.push(
      Buffer.concat([
        number(0x02014b50, 4),
        number(20, 2),
        ...common,
        ...sizes,
        number(file.length, 2),
        number(extra.length, 2),
        number(0, 2),
        number(0, 4),
        number(0, 4),
        isWide ? number(0xffffffff, 4) : number(at, 4),
        file,
        extra,
      ]),
    );
    parts.push(head, packed);
    at += head.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const count = number(directory.length, 2);
  const wide = [
    number(0x06064b50, 4),
    number(44, 8),
    number(45, 2),
    number(45, 2),
    number(0, 8),
    number(directory.length, 8),
    number(directory.length, 8),
    number(entries.length, 8),
    number(at, 8),
    number(0x07064b50, 4),
    number(0, 4),
    number(at + entries.length, 8),
    number(1, 4),
  ];
  const places = isWide ? number(0xffffffffffffffffn, 8) : Buffer.concat([number(entries.length, 4), number(at, 4)]);
  const end = [...(isWide ? wide : []), number(0x06054b50, 4), number(0, 4), count, count, places, number(0, 2)];
  return Buffer.concat([...parts, entries, ...end]);
}

/** A safetensors file of a header, as a value or a text, and what is behind it. */
export function headed(header, ...values) {
  const text = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  return Buffer.concat([number(text.length, 8), text, ...values.map(bytesOf)]);
}

const types = { Float32Array: "F32", Float64Array: "F64", Uint16Array: "BF16", BigInt64Array: "I64" };

/** A safetensors file. */
export function safetensors(tensors) {
  let at = 0;
  const header = { __metadata__: { format: "pt" } };
  for (const [name, { data, shape }] of Object.entries(tensors)) {
    header[name] = { dtype: types[data.constructor.name], shape, data_offsets: [at, at + data.byteLength] };
    at += data.byteLength;
  }
  return headed(header, ...Object.values(tensors).map(({ data }) => data));
}
