import type { FileValues } from "../types/files.js";
import { headerOf, lengthBytes, placeOf, valuesStart } from "./safetensors-header.js";
import { wrongFile } from "./section.js";
import { storedTypes } from "./stored-types.js";

/** A .safetensors file in memory: its header, and its tensors' values when they are read. */
export function safetensorsIn(
  file: string,
  bytes: Uint8Array,
): { metadata: unknown; names: string[]; read(name: string): FileValues } {
  const { length: size } = bytes;
  if (size < lengthBytes) throw wrongFile(file, `${size} bytes, expected a safetensors file`);
  const start = valuesStart(file, size, new DataView(bytes.buffer, bytes.byteOffset, lengthBytes));
  const { metadata, described } = headerOf(file, bytes.slice(lengthBytes, start));
  const tensors = new Map(described);
  return {
    metadata,
    names: [...tensors.keys()],
    read(name) {
      const path = `${file}[${name}]`;
      if (!tensors.has(name)) throw wrongFile(path, "missing, expected a tensor of this name");
      const place = placeOf(path, size, start, tensors.get(name));
      if (place instanceof RangeError) throw place;
      const data = storedTypes[place.dtype].values(bytes.slice(place.from, place.to).buffer as ArrayBuffer, path);
      return { data, shape: [...place.shape] };
    },
  };
}
