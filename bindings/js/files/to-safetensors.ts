// Files of Hugging Face's safetensors are written here: the length of a header in eight bytes, the header in JSON, and the
// values.

/** A tensor to be written. */
export interface Writable {
  readonly data: Float32Array | Float64Array | Uint16Array;
  readonly shape: readonly number[];
  readonly dtype?: string | undefined;
}

const namesOf: { readonly [dtype: string]: string } = {
  float32: "F32",
  float16: "F16",
  bfloat16: "BF16",
  float64: "F64",
};

/** The bytes of a file that holds these tensors. */
export function toSafetensors(tensors: { readonly [name: string]: Writable }): Uint8Array<ArrayBuffer> {
  let at = 0;
  const described = Object.fromEntries(
    Object.entries(tensors).map(([name, { data, shape, dtype = "float32" }]) => {
      const from = at;
      at += data.byteLength;
      return [name, { dtype: namesOf[dtype], shape, data_offsets: [from, at] }];
    }),
  );
  const text = new TextEncoder().encode(JSON.stringify(described));
  // Values start at a multiple of eight bytes: blanks fill the header up.
  const start = Math.ceil((8 + text.length) / 8) * 8;
  const bytes = new Uint8Array(start + at).fill(32, 0, start);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(start - 8), true);
  bytes.set(text, 8);
  let next = start;
  for (const { data } of Object.values(tensors)) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), next);
    next += data.byteLength;
  }
  return bytes;
}
