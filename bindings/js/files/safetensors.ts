import type { FileArray } from "../types/files.js";
import { fileArray, type ListedArray } from "./file-array.js";
import { headerOf, lengthBytes, placeOf, valuesStart } from "./safetensors-header.js";
import { type Section, wrongFile } from "./section.js";

function tensorOf(section: Section, start: number, name: string, described: unknown): FileArray | RangeError {
  const path = `${section.name}:${name}`;
  const place = placeOf(path, section.size, start, described);
  if (place instanceof RangeError) return place;
  return fileArray(name, { ...section, name: path }, place.from, place.dtype, place.shape);
}

/** The tensors of a .safetensors file, by their names. */
export async function safetensors(section: Section): Promise<ListedArray[]> {
  const { name: file, size } = section;
  if (size < lengthBytes) throw wrongFile(file, `${size} bytes, expected a safetensors file`);
  const start = valuesStart(file, size, new DataView(await section.read(0, lengthBytes)));
  const described = headerOf(file, await section.read(lengthBytes, start));
  return described
    .map(([name, each]) => ({ name, open: async () => tensorOf(section, start, name, each) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
