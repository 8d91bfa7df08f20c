import { longestHeader } from "./npy-array.js";
import { type Section, wrongFile } from "./section.js";

/** The remainders of all bytes, by the polynomial of zip archives. */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; ++bit) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
  return byte;
});

/** The CRC-32 of bytes that follow those of which it is `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let rest = ~before;
  for (let i = 0; i < bytes.length; ++i)
    rest = (rest >>> 8) ^ (remainders[(rest ^ (bytes[i] as number)) & 255] as number);
  return ~rest >>> 0;
}

/** A section whose CRC-32 is known: it is compared where all values are read; of a part nothing is known. */
export function checked(section: Section, wanted: number): Section {
  const { name, size } = section;
  function check(...parts: readonly ArrayBuffer[]): void {
    const found = parts.reduce((before, part) => crc32(new Uint8Array(part), before), 0);
    if (found !== wanted) throw wrongFile(name, "damaged: its CRC-32 is not the archive's");
  }
  return {
    name,
    size,
    async read(from, to) {
      const bytes = await section.read(from, to);
      if (to === size && from <= longestHeader) check(await section.read(0, from), bytes);
      return bytes;
    },
    ...(section.held && {
      async held(progress) {
        const all = (await section.held?.(progress)) as Section;
        check(await all.read(0, size));
        return all;
      },
    }),
  };
}
